package realrun_test

import (
	"context"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"locklab/realrun"
)

// Two sessions that measure the same on one server at once do not mix: each run is what it is alone, and each session removes its
// keys, and no others.
func TestTwoMeasurementsOnOneServer(t *testing.T) {
	t.Parallel()
	u := startUsers(t)
	sc := scenario(t, "lesson/b", 0.1, "rounds=5", "start.spread=0ms")
	var both sync.WaitGroup
	results := make([][]result, 2)
	for i := range results {
		s, err := realrun.Open(t.Context(), u.URL())
		if err != nil {
			t.Fatal(err)
		}
		both.Go(func() {
			job := realrun.Job{Scenario: sc, Seed: 1}
			results[i] = measureAll(t.Context(), s, job, job)
			for _, key := range u.keys(t) {
				if !strings.HasPrefix(key, "locklab:{") {
					t.Errorf("key %s is nobody's", key)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	for i, runs := range results {
		for j, r := range runs {
			if r.err != nil {
				t.Fatalf("session %d, run %d: %v", i, j, r.err)
			}
			if r.Tally.Entries != 10 || r.Tally.Conflicts != 0 || r.Tally.LostHolds != 0 || r.Tally.Waits != 10 {
				t.Errorf("session %d, run %d: %+v, want 10 entries, as of two workers that are alone, and nothing lost", i, j, r.Tally)
			}
		}
	}
	if keys := u.keys(t); len(keys) > 0 {
		t.Errorf("keys are left: %v", keys)
	}
}

// A store that stands still for a while is seen by the runs of that time.
func TestWatchSeesASlowStore(t *testing.T) {
	t.Parallel()
	u := startUsers(t)
	s := open(t, u.URL())
	sc := scenario(t, "lesson/b", 0.1, "rounds=5")
	go func() {
		for t.Context().Err() == nil && entriesAt(u.client) == 0 {
			time.Sleep(2 * time.Millisecond)
		}
		_ = syscall.Kill(u.Pid(), syscall.SIGSTOP)
		time.Sleep(150 * time.Millisecond)
		_ = syscall.Kill(u.Pid(), syscall.SIGCONT)
	}()
	if seen := measure(t, s, sc).Watch; seen.Answer.NS < 100*int64(time.Millisecond) || seen.Answer.At <= 0 {
		t.Errorf("the watch saw %+v, want an answer after more than 100 ms", seen)
	}
}

// entriesAt is how often somebody has entered at the referee of any run.
func entriesAt(c *redis.Client) (entries int64) {
	keys, _ := c.Keys(context.Background(), "locklab:*:referee").Result()
	for _, key := range keys {
		n, _ := c.HGet(context.Background(), key, "entries").Int64()
		entries += n
	}
	return entries
}

// The samples of a wave's watch are with one of its runs, if they are asked for.
func TestWatchSamples(t *testing.T) {
	t.Parallel()
	s := open(t, realrun.Auto)
	sc := scenario(t, "lesson/b", 0.1, "rounds=5")
	results := measureAll(t.Context(), s, realrun.Job{Scenario: sc, Seed: 1}, realrun.Job{Scenario: sc, Seed: 1, Sample: true}, realrun.Job{Scenario: sc, Seed: 1, Sample: true})
	var withSamples int
	for i, r := range results {
		if r.err != nil {
			t.Fatal(r.err)
		}
		if n := len(r.WatchSamples.Late); n > 0 {
			withSamples++
			if i != 1 || n < 20 || len(r.WatchSamples.Answer) < 5 {
				t.Errorf("run %d: %d samples of lateness, %d of answers", i, n, len(r.WatchSamples.Answer))
			}
		}
	}
	if withSamples != 1 {
		t.Errorf("%d runs have samples, want 1", withSamples)
	}
}

// Answers measures at a walking pace how long the store takes.
func TestAnswers(t *testing.T) {
	t.Parallel()
	answers, err := open(t, realrun.Auto).Answers(t.Context(), 4)
	if err != nil || len(answers) != 4 || answers[0] < 5_000 || answers[0] > answers[3] {
		t.Errorf("answers %v, error %v; want 4, ascending", answers, err)
	}
}
