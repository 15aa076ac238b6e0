package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
)

// load is a built-in scenario with parameters set.
func load(t testing.TB, name string, set ...string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	if s, _, err = scenarios.SetAll(s, set); err != nil {
		t.Fatal(err)
	}
	return s
}

func explored(t testing.TB, s *scenarios.Scenario, b Bounds) *Report {
	t.Helper()
	lab := scenarios.Lab()
	r, err := Explore(context.Background(), s, &lab, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// summary is the least number of deviations that violates each property; - if none does.
func summary(r *Report) string {
	var parts []string
	for _, f := range r.Findings {
		by := "-"
		if f.Counterexample != nil {
			by = fmt.Sprint(len(f.Counterexample.Deviations))
		}
		parts = append(parts, fmt.Sprintf("%s: %s", f.Property, by))
	}
	return strings.Join(parts, ", ")
}

// cases are what is known of each lock: how many deviations it takes to violate each property.
var cases = []struct {
	what string
	name string
	set  []string
	want string
}{
	{"without a lock the quiet run conflicts", "lesson/a", nil, "no conflict: 0"},
	{"a correct lock falls to one pause", "lesson/b", nil, "no conflict: 1, nobody waits for ever: -"},
	{"a TTL below the work needs none", "lesson/c", nil, "no conflict: 0, nobody waits for ever: -"},
	{"the scenario's own pauses are off", "lesson/d", nil, "no conflict: 1, nobody waits for ever: -"},
	{
		"a token after the acquire: a stop between SET and INCR lets the zombie draw the higher one", "lesson/e", nil,
		"no conflict: 1, no stale write accepted: 1, tokens follow the order of grants: 1, nobody waits for ever: -",
	},
	{
		"inside the acquire and checked at the commit: conflicts, but no damage", "lesson/e",
		[]string{"fencing.token=inside", "fencing.check=commit"},
		"no conflict: 1, no stale write accepted: -, tokens follow the order of grants: -, nobody waits for ever: -",
	},
	{
		"inside, checked only at the start, work written at the end", "lesson/e",
		[]string{"fencing.token=inside", "resource={kind: job}"},
		"no conflict: 1, every job is done at most once: 1, every job is done: 2, no stale write accepted: 1, tokens follow the order of grants: -, nobody waits for ever: -",
	},
	{
		"without a deadline one crash is enough for ever, and no pause is too long", "lesson/b", []string{"lock={kind: single, acquire: set-nx}"},
		"no conflict: -, nobody waits for ever: 1",
	},
	{
		"a deadline that is set in a second step: one crash between the two", "lesson/b", []string{"lock.acquire=setnx-expire"},
		"no conflict: 1, nobody waits for ever: 1",
	},
	{
		"a token before the acquire can be overtaken", "lesson/e", []string{"fencing.token=before", "fencing.check=commit"},
		"no conflict: 1, no stale write accepted: 2, tokens follow the order of grants: 1, nobody waits for ever: -",
	},
}

func TestSmallestCounterexamples(t *testing.T) {
	for _, c := range cases {
		t.Run(c.what, func(t *testing.T) {
			r := explored(t, load(t, c.name, c.set...), Bounds{Rounds: 2, Deviations: 2})
			if got := summary(r); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if !r.Complete {
				t.Error("the exploration says that it is not complete")
			}
		})
	}
}

func TestNoPauseNoConflictInTheQuietRun(t *testing.T) {
	r := explored(t, load(t, "lesson/b"), Bounds{Rounds: 2, Deviations: 0})
	if got, want := summary(r), "no conflict: -, nobody waits for ever: -"; got != want || r.Runs != 1 {
		t.Errorf("got %s in %d runs, want %s in 1", got, r.Runs, want)
	}
}

// Runs that come to a state which was explored already are not carried on. That must not hide anything: with and
// without it, the same properties are violated by as many deviations, in as many runs.
func TestMergingHidesNothing(t *testing.T) {
	lab := scenarios.Lab()
	for _, c := range cases {
		s := load(t, c.name, c.set...)
		merged := explored(t, s, Bounds{Rounds: 1, Deviations: 2})
		x := newExplorer(context.Background(), s, &lab, Bounds{Rounds: 1, Deviations: 2})
		x.unmerged = true
		whole := x.explore()
		if summary(merged) != summary(whole) {
			t.Errorf("%s: merged %s, whole %s", c.what, summary(merged), summary(whole))
		}
		if whole.Merged != 0 {
			t.Errorf("%s: merged %d runs although told not to", c.what, whole.Merged)
		}
	}
}

// What a counterexample says happens when it is carried out again.
func TestCounterexamplesReplay(t *testing.T) {
	lab := scenarios.Lab()
	for _, c := range cases {
		s := load(t, c.name, c.set...)
		b := Bounds{Rounds: 2, Deviations: 2}
		for _, f := range explored(t, s, b).Findings {
			if f.Counterexample == nil {
				continue
			}
			deviations, violated, err := Replay(s, &lab, b, f.Counterexample.Picks, nil, nil)
			if err != nil {
				t.Fatalf("%s: %v", c.what, err)
			}
			if !slices.Contains(violated, f.Property) || !slices.Equal(deviations, f.Counterexample.Deviations) {
				t.Errorf("%s: replay of %v violates %v by %v", c.what, f.Counterexample, violated, deviations)
			}
		}
	}
}

func TestReplayRefusesWhatDoesNotFit(t *testing.T) {
	lab := scenarios.Lab()
	_, _, err := Replay(load(t, "lesson/b"), &lab, Bounds{Rounds: 1}, []Pick{{Event: 1_000_000, Options: []uint8{1}}}, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "ends before event 1000000") {
		t.Errorf("got %v", err)
	}
}

// A pause or a crash that a counterexample names can be written into a scenario, and the run then violates the same.
func TestFaultsViolateOnTheirOwn(t *testing.T) {
	lab := scenarios.Lab()
	s := load(t, "lesson/b")
	b := Bounds{Rounds: 2, Deviations: 1}
	found := explored(t, s, b).Findings[0].Counterexample
	faulty, rest := Faults(s, b, found.Deviations)
	if len(rest) > 0 {
		t.Fatalf("left over: %v", rest)
	}
	written, err := scenarios.Parse("faulty.yaml", faulty.YAML())
	if err != nil {
		t.Fatal(err)
	}
	if got := summary(explored(t, written, Bounds{Rounds: 2})); !strings.HasPrefix(got, "no conflict: -") {
		t.Errorf("check takes a scenario's own pauses off; got %s", got)
	}
	var tally history.Tally
	_, violated, err := Replay(s, &lab, b, found.Picks, func(e *history.Event) { tally.Add(e) }, nil)
	if err != nil || tally.Conflicts == 0 || !slices.Contains(violated, NoConflict) {
		t.Errorf("conflicts %d, violated %v, %v", tally.Conflicts, violated, err)
	}
}

func TestTheBoundOnRunsIsUnknown(t *testing.T) {
	r := explored(t, load(t, "lesson/e", "fencing.token=inside", "fencing.check=commit"), Bounds{Rounds: 2, Deviations: 2, MaxRuns: 1000})
	if r.Complete || r.Runs != 1000 {
		t.Errorf("complete %v after %d runs, want false after 1000", r.Complete, r.Runs)
	}
}

func TestCancelEndsIt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	lab := scenarios.Lab()
	stop := func(int64) { cancel() }
	r, err := Explore(ctx, load(t, "lesson/e", "fencing.token=inside"), &lab, Bounds{Rounds: 2, Deviations: 3}, stop)
	if err == nil || r.Runs > 2*progressRuns {
		t.Errorf("%d runs, error %v", r.Runs, err)
	}
}

// A crash leaves a lease that ends by itself: the others get on, and the dead are not inside.
func TestACrashIsSurvived(t *testing.T) {
	r := explored(t, load(t, "lesson/b", "lock.ttl=10s"), Bounds{Rounds: 1, Deviations: 1, Pause: 1})
	if got, want := summary(r), "no conflict: -, nobody waits for ever: -"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What is left behind for much longer than a TTL is no wait for ever: the place of a waiter that has died, and the lease of one whose
// clock is ahead.
func TestLongWaitsEnd(t *testing.T) {
	for _, set := range [][]string{
		{"lock.ttl=400ms", "lock.retry.wake=fifo"},
		{"lock.acquire=set-nx-pxat", "lock.clock={ahead: 10m}"},
	} {
		r := explored(t, load(t, "lesson/b", set...), Bounds{Rounds: 2, Deviations: 1})
		if got := summary(r); !strings.HasSuffix(got, "nobody waits for ever: -") {
			t.Errorf("%v: %s", set, got)
		}
	}
}

// A copied run goes on as the original does.
func TestCopiesGoOnAlike(t *testing.T) {
	lab := scenarios.Lab()
	x := newExplorer(context.Background(), load(t, "lesson/e"), &lab, Bounds{Rounds: 2})
	a, b := x.levels[0].run, x.levels[0].before
	a.Start(choice.Scripted(&x.script))
	for i := 0; ; i++ {
		b.CopyFrom(a)
		if a.Digest() != b.Digest() {
			t.Fatalf("event %d: a copy has another digest", i)
		}
		x.script.Begin(nil)
		if !a.Step() {
			return
		}
		x.script.Begin(nil)
		b.Step()
		if a.Digest() != b.Digest() || a.Tally != b.Tally {
			t.Fatalf("event %d: a copy went on otherwise", i)
		}
	}
}

func BenchmarkExplore(b *testing.B) {
	s := load(b, "lesson/e", "fencing.token=inside", "fencing.check=commit")
	var runs int64
	for b.Loop() {
		runs += explored(b, s, Bounds{Rounds: 1, Deviations: 2}).Runs
	}
	b.ReportMetric(float64(runs)/b.Elapsed().Seconds(), "runs/s")
}

// Whoever is not done when patience ends waits for ever.
func TestImpatienceIsAViolation(t *testing.T) {
	lab := scenarios.Lab()
	x := newExplorer(context.Background(), load(t, "lesson/b"), &lab, Bounds{Rounds: 1})
	x.limit = 400_000_000 // both have to work 300 ms, one after the other
	if got, want := summary(x.explore()), "no conflict: -, nobody waits for ever: 0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
