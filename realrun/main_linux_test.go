package realrun_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"locklab/history"
	"locklab/realrun"
	"locklab/realrun/server"
	"locklab/scenarios"
)

// superviseEnv makes the test binary a supervisor that measures a long run on the Redis it names.
const superviseEnv = "LOCKLAB_TEST_SUPERVISE"

// scenarioEnv names the scenario that it measures.
const scenarioEnv = "LOCKLAB_TEST_SCENARIO"

func TestMain(m *testing.M) {
	if realrun.IsWorker() {
		os.Exit(realrun.Work())
	}
	if url := os.Getenv(superviseEnv); url != "" {
		os.Exit(supervise(url))
	}
	flag.Parse()
	_ = flag.Set("test.parallel", "12") // the runs mostly sleep
	os.Exit(m.Run())
}

// patience is how long a test waits for what should happen at once.
const patience = 10 * time.Second

// mustServe fails the test because of err. Where the machine has no server at all, the test is skipped, but not in CI.
func mustServe(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, server.ErrNoServer) && os.Getenv("CI") == "" {
		t.Skip("needs a Redis server: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// open opens a session on the Redis at url, and closes it when the test ends.
func open(t *testing.T, url string) *realrun.Session {
	t.Helper()
	s, err := realrun.Open(t.Context(), url)
	mustServe(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close the session: %v", err)
		}
	})
	return s
}

// users is a server that plays the user's own, and a connection to it.
type users struct {
	*server.Server
	client *redis.Client
}

func startUsers(t *testing.T) users {
	t.Helper()
	s, err := server.Start(t.Context(), server.Options{})
	mustServe(t, err)
	t.Cleanup(s.Close)
	return users{s, connect(t, s.URL())}
}

func connect(t *testing.T, url string) *redis.Client {
	t.Helper()
	o, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	c := redis.NewClient(o)
	t.Cleanup(func() { c.Close() })
	return c
}

// keys are all keys at the server.
func (u *users) keys(t *testing.T) []string {
	t.Helper()
	keys, err := u.client.Keys(context.Background(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// do sends a command that must succeed.
func (u *users) do(t *testing.T, args ...any) any {
	t.Helper()
	v, err := u.client.Do(context.Background(), args...).Result()
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return v
}

// scenario is a built-in scenario with parameters set, and scaled.
func scenario(t *testing.T, name string, scale float64, set ...string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	if s, _, err = scenarios.SetAll(s, set); err != nil {
		t.Fatal(err)
	}
	if s, err = scenarios.Scaled(s, scale); err != nil {
		t.Fatal(err)
	}
	return s
}

// result is what Measure said about one job.
type result struct {
	*realrun.Outcome
	err error
}

// measureAll carries out jobs side by side.
func measureAll(ctx context.Context, s *realrun.Session, jobs ...realrun.Job) []result {
	results := make([]result, len(jobs))
	s.Measure(ctx, jobs, len(jobs), func(i int, o *realrun.Outcome, err error) { results[i] = result{o, err} })
	return results
}

// measure carries out one run that must succeed.
func measure(t *testing.T, s *realrun.Session, sc *scenarios.Scenario) *realrun.Outcome {
	t.Helper()
	r := measureAll(t.Context(), s, realrun.Job{Scenario: sc, Seed: 1})[0]
	if r.err != nil {
		t.Fatalf("measure %s: %v", sc.Name, r.err)
	}
	return r.Outcome
}

// count is how many events of a kind there are.
func count(events []history.Event, k history.Kind) int {
	n := 0
	for i := range events {
		if events[i].Kind == k {
			n++
		}
	}
	return n
}

func wantError(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", texts)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("error = %q, want %q in it", err, text)
		}
	}
}

// eventually waits until ok, or fails.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// A process is one line of the system's list.
type process struct {
	pid   int
	name  string
	state byte // T: stopped; Z: ended
}

// childrenOf lists the processes that a process has started and that have not ended.
func childrenOf(t *testing.T, parent int) []process {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	var found []process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if p, ppid, ok := look(pid); ok && ppid == parent && p.state != 'Z' {
			found = append(found, p)
		}
	}
	return found
}

// look reads /proc/PID/stat: "PID (NAME) STATE PPID …".
func look(pid int) (p process, ppid int, ok bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return p, 0, false
	}
	head, rest, _ := strings.Cut(string(stat), "(")
	end := strings.LastIndex(rest, ") ")
	if head == "" || end < 0 {
		return p, 0, false
	}
	fields := strings.Fields(rest[end+2:])
	ppid, _ = strconv.Atoi(fields[1])
	return process{pid, rest[:end], fields[0][0]}, ppid, true
}

// workersOf lists the worker processes of a supervisor: its children but for a server.
func workersOf(t *testing.T, supervisor int) []process {
	t.Helper()
	return slices.DeleteFunc(childrenOf(t, supervisor), func(p process) bool { return strings.Contains(p.name, "-server") })
}

func allGone(pids []process) bool {
	for _, p := range pids {
		if now, _, ok := look(p.pid); ok && now.state != 'Z' {
			return false
		}
	}
	return true
}

// supervise measures a run that takes longer than any test.
func supervise(url string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT)
	defer stop()
	s, err := realrun.Open(ctx, url)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer s.Close()
	long, err := scenarios.Builtin(os.Getenv(scenarioEnv))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	s.Measure(ctx, []realrun.Job{{Scenario: long, Seed: 1}}, 1, func(_ int, _ *realrun.Outcome, err error) {
		fmt.Fprintln(os.Stderr, "ended:", err)
	})
	return 0
}
