package realrun_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"locklab/realrun"
)

// Of these tests, those that look at the children of this process are not parallel: so no other test runs beside them.

// A worker that dies is reported at once, and ends its own run and no other.
func TestWorkerDies(t *testing.T) {
	s := open(t, realrun.Auto)
	sc := scenario(t, "lesson/d", 0.5, "rounds=3")
	for _, state := range []string{"running", "stopped"} {
		t.Run(state, func(t *testing.T) {
			type ending struct {
				job int
				err error
			}
			ended := make(chan ending, 2)
			jobs := []realrun.Job{{Scenario: sc, Seed: 1}, {Scenario: sc, Seed: 2}}
			go s.Measure(t.Context(), jobs, 2, func(i int, _ *realrun.Outcome, err error) { ended <- ending{i, err} })
			var victim process
			eventually(t, "a worker that is "+state, func() bool {
				workers := workersOf(t, os.Getpid())
				for _, p := range workers {
					if (p.state == 'T') == (state == "stopped") {
						victim = p
					}
				}
				return len(workers) == 4 && victim.pid != 0 && contended(workers)
			})
			kill(t, victim.pid)
			killed := time.Now()
			first := <-ended
			if took := time.Since(killed); took > 2*time.Second {
				t.Errorf("reported after %v", took)
			}
			wantError(t, first.err, "worker ", "died (killed by SIGKILL)")
			if left := len(workersOf(t, os.Getpid())); left != 2 {
				t.Errorf("%d workers are left, want the other run's 2", left)
			}
			if second := <-ended; second.err != nil || second.job == first.job {
				t.Errorf("the other run (%d after %d): %v", second.job, first.job, second.err)
			}
			if left := workersOf(t, os.Getpid()); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// contended reports whether the runs have begun: somebody is being stopped.
func contended(workers []process) bool {
	for _, p := range workers {
		if p.state == 'T' {
			return true
		}
	}
	return false
}

func kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// Whenever a session is interrupted, nothing stays: no process, no key; and what is not ours is not touched.
func TestInterruptedAtAnyMoment(t *testing.T) {
	u := startUsers(t)
	u.do(t, "SET", "locklab:theirs", "stays")
	sc := scenario(t, "lesson/e", 0.1, "rounds=3")
	jobs := []realrun.Job{{Scenario: sc, Seed: 1}, {Scenario: sc, Seed: 2}}
	random := rand.New(rand.NewPCG(1, 2))
	interrupted := 0
	for try := range 30 {
		url := u.URL()
		if try%2 == 0 {
			url = realrun.Auto
		}
		after := time.Duration(random.Int64N(int64(400 * time.Millisecond)))
		ctx, cancel := context.WithTimeout(t.Context(), after)
		errs := interrupt(ctx, url, jobs)
		cancel()
		for _, err := range errs {
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("interrupted after %v: %v", after, err)
			}
			interrupted++
		}
		if left := childrenOf(t, os.Getpid()); len(left) != 1 || left[0].pid != u.Pid() {
			t.Fatalf("interrupted after %v: left behind: %v", after, left)
		}
		if keys := u.keys(t); len(keys) != 1 {
			t.Fatalf("interrupted after %v: keys left behind: %v", after, keys)
		}
	}
	if interrupted < 20 {
		t.Errorf("only %d runs were interrupted: not much of a test", interrupted)
	}
	if got := u.client.Get(t.Context(), "locklab:theirs").Val(); got != "stays" {
		t.Errorf("somebody else's key holds %q", got)
	}
}

// interrupt uses a session until ctx ends, and returns what was said about it.
func interrupt(ctx context.Context, url string, jobs []realrun.Job) (errs []error) {
	s, err := realrun.Open(ctx, url)
	if err != nil {
		return []error{err}
	}
	for _, r := range measureAll(ctx, s, jobs...) {
		if r.err != nil {
			errs = append(errs, r.err)
		}
	}
	if err := s.Close(); err != nil {
		errs = append(errs, err)
	}
	return errs
}

// A session that is used many times collects neither files nor processes.
func TestManyRunsLeaveNothing(t *testing.T) {
	s := open(t, realrun.Auto)
	sc := scenario(t, "lesson/e", 0.1, "rounds=1", "pauses=null")
	measure(t, s, sc)
	before := openFiles(t)
	for range 15 {
		measure(t, s, sc)
	}
	eventually(t, fmt.Sprintf("open files back to %d", before), func() bool { return openFiles(t) <= before })
	if left := workersOf(t, os.Getpid()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

// When the supervisor is killed outright, the kernel ends its workers, those that stand too, and its private server.
func TestSupervisorIsKilled(t *testing.T) {
	t.Parallel()
	supervisor := startSupervisor(t, realrun.Auto, "lesson/d")
	eventually(t, "two workers, one of which stands", func() bool { return standing(t, supervisor, 2) })
	children := childrenOf(t, supervisor)
	if len(children) != 3 {
		t.Errorf("children %v, want two workers and a server", children)
	}
	kill(t, supervisor)
	eventually(t, "all processes gone", func() bool { return allGone(children) })
}

// What a supervisor that was killed outright leaves on the user's server expires by itself.
func TestKeysOfAKilledSupervisorExpire(t *testing.T) {
	t.Parallel()
	u := startUsers(t)
	supervisor := startSupervisor(t, u.URL(), "lesson/d")
	eventually(t, "two workers, one of which stands", func() bool { return standing(t, supervisor, 2) })
	children := childrenOf(t, supervisor)
	kill(t, supervisor)
	eventually(t, "all processes gone", func() bool { return allGone(children) })
	keys := u.keys(t)
	if len(keys) < 3 {
		t.Errorf("keys %v, want some", keys)
	}
	for _, key := range keys {
		if !strings.HasPrefix(key, "locklab:{") {
			t.Errorf("key %s is not under the prefix", key)
		}
		if ttl := u.client.PTTL(t.Context(), key).Val(); ttl <= 0 {
			t.Errorf("key %s stays for ever", key)
		}
	}
}

// startSupervisor starts this test's program as a supervisor of a scenario, and returns its process id.
func startSupervisor(t *testing.T, url, scenario string) int {
	t.Helper()
	open(t, realrun.Auto) // skips the test if there is no server
	log, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), superviseEnv+"="+url, scenarioEnv+"="+scenario)
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if text, _ := os.ReadFile(log.Name()); len(text) > 0 {
			t.Logf("the supervisor said: %s", text)
		}
	})
	return cmd.Process.Pid
}

// standing reports whether a supervisor has so many workers, of which one is stopped.
func standing(t *testing.T, supervisor, workers int) bool {
	found := workersOf(t, supervisor)
	return len(found) == workers && contended(found)
}
