package realrun_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"locklab/realrun"
)

// A quorum of private servers is there when it is needed, and gone when the session is over.
func TestPrivateStoresOfAQuorum(t *testing.T) {
	s, err := realrun.Open(t.Context(), realrun.Auto)
	mustServe(t, err)
	defer s.Close()
	if n := len(childrenOf(t, os.Getpid())); n != 1 {
		t.Errorf("%d servers before any is needed, want 1", n)
	}
	o := measure(t, s, scenario(t, "lesson/redlock-pause", 0.1, "rounds=2"))
	equal(t, "entries", o.Tally.Entries, 4)
	children := childrenOf(t, os.Getpid())
	if len(children) != 5 {
		t.Errorf("children %v, want five servers and no worker", children)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if !allGone(children) {
		t.Errorf("left behind: %v", childrenOf(t, os.Getpid()))
	}
}

// A quorum takes the user's servers as they are given, and leaves no key on any of them.
func TestUsersStoresOfAQuorum(t *testing.T) {
	t.Parallel()
	var all []users
	var urls []string
	for range 3 {
		all = append(all, startUsers(t))
		urls = append(urls, all[len(all)-1].URL())
	}
	s, err := realrun.Open(t.Context(), strings.Join(urls, ","))
	if err != nil {
		t.Fatal(err)
	}
	o := measure(t, s, scenario(t, "lesson/redlock-pause", 0.1, "rounds=2", "pauses=null", "lock.stores=3"))
	equal(t, "entries", o.Tally.Entries, 4)
	equal(t, "lost holds", o.Tally.LostHolds, 0)
	for i := range all {
		if n := sets(t, &all[i]); n < 4 {
			t.Errorf("store %d was asked for %d leases, want at least one for each of 4 rounds", i, n)
		}
	}
	r := measureAll(t.Context(), s, realrun.Job{Scenario: scenario(t, "lesson/redlock-pause", 0.1), Seed: 1})[0]
	wantError(t, r.err, "needs 5 stores, and 3 are given; give 5 URLs with commas between them")
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	for i := range all {
		if keys := all[i].keys(t); len(keys) > 0 {
			t.Errorf("store %d: keys are left: %v", i, keys)
		}
	}
}

// sets is how often SET was sent to a server.
func sets(t *testing.T, u *users) (n int) {
	t.Helper()
	info, err := u.client.Info(t.Context(), "commandstats").Result()
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(info, "cmdstat_set:calls=")
	_, _ = fmt.Sscanf(after, "%d", &n)
	return n
}

func TestOneStoreGivenTwice(t *testing.T) {
	t.Parallel()
	u := startUsers(t)
	_, err := realrun.Open(t.Context(), u.URL()+","+u.URL())
	wantError(t, err, "URL 2 is the same as one before it")
	if strings.Contains(err.Error(), "redis://") {
		t.Errorf("error = %q shows a URL", err)
	}
}

// Whenever a measurement of a quorum is interrupted, none of its servers and workers stays.
func TestQuorumInterruptedAtAnyMoment(t *testing.T) {
	open(t, realrun.Auto).Close() // skips the test if there is no server
	job := realrun.Job{Scenario: scenario(t, "lesson/redlock-pause", 0.1, "rounds=5"), Seed: 1}
	random := rand.New(rand.NewPCG(3, 4))
	for range 8 {
		after := time.Duration(random.Int64N(int64(600 * time.Millisecond)))
		ctx, cancel := context.WithTimeout(t.Context(), after)
		for _, err := range interrupt(ctx, realrun.Auto, []realrun.Job{job}) {
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("interrupted after %v: %v", after, err)
			}
		}
		cancel()
		if left := childrenOf(t, os.Getpid()); len(left) > 0 {
			t.Fatalf("interrupted after %v: left behind: %v", after, left)
		}
	}
}

// When a supervisor is interrupted by Ctrl-C, or killed outright, its workers and all of its servers end.
func TestSupervisorOfAQuorumEnds(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			supervisor := startSupervisor(t, realrun.Auto, "lesson/redlock-pause")
			eventually(t, "two workers, one of which stands", func() bool { return standing(t, supervisor, 2) })
			children := childrenOf(t, supervisor)
			if len(children) != 7 {
				t.Errorf("children %v, want two workers and five servers", children)
			}
			if err := syscall.Kill(supervisor, signal); err != nil {
				t.Fatal(err)
			}
			eventually(t, "all processes gone", func() bool { return allGone(children) })
		})
	}
}
