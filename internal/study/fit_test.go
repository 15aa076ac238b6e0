package study

import (
	"bytes"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"locklab/history"
	"locklab/scenarios"
)

// stages is a Progress that counts the runs of each stage.
type stages struct {
	quiet
	names []string
	parts []int
}

func (s *stages) Begin(stage string, parts int) {
	s.names, s.parts = append(s.names, stage), append(s.parts, parts)
}

func fitPlan(t testing.TB, names []string, along ...string) FitPlan {
	t.Helper()
	lab := scenarios.Lab()
	return FitPlan{Scenarios: names, Scale: 1, Axes: axes(t, along...), Runs: 100, Refined: 400, Seed: 1, Profile: &lab}
}

func fit(t testing.TB, plan FitPlan) *FitResult {
	t.Helper()
	f, err := NewFit(plan)
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Run(context.Background(), quiet{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// deltaOf is the delta of the combination with the given values, in the order of the axes, and its rank.
func deltaOf(t testing.TB, r *FitResult, values ...string) (delta float64, rank int) {
	t.Helper()
	for rank := range r.Combinations {
		c := r.Combination(rank)
		same := true
		for i, a := range r.Axes {
			same = same && c.Set[a.Path] == values[i]
		}
		if same {
			return c.Delta, rank
		}
	}
	t.Fatalf("no combination has %q", values)
	return 0, 0
}

// Of a grid around them, the lesson's counts choose the parameters that the built-in scenarios have, but for the spread of the
// start, which makes no difference that they could tell.
func TestFitOfTheLesson(t *testing.T) {
	plan := fitPlan(t, lessonNames, "pauses[0].every=3,4,5", "retry=10ms,25ms,50ms", "think=0ms,10ms,50ms", "spread=0ms,2ms")
	plan.Runs, plan.Refined = 100, 600
	r := fit(t, plan)
	for path, want := range map[string]string{"pauses[0].every": "4", "lock.retry.every": "25ms", "think": "10ms"} {
		if got := r.Best.Set[path]; got != want {
			t.Errorf("best %s is %s, want %s", path, got, want)
		}
	}
	if delta, _ := deltaOf(t, r, "4", "25ms", "10ms", "2ms"); delta > 0.3 {
		t.Errorf("the lesson's parameters are %.2f below the best", delta)
	}
	if got := r.Axes[3].InRegion; !slices.Equal(got, []string{"0ms", "2ms"}) {
		t.Errorf("spreads on the ridge: %q", got)
	}
	if got := r.Axes[0].InRegion; !slices.Equal(got, []string{"4"}) {
		t.Errorf("every n-th round on the ridge: %q", got)
	}
	if len(r.Unexplained) > 0 {
		t.Errorf("not explained: %q", r.Unexplained)
	}
}

// recordsOf are simulated runs of a scenario with some parameters set, as if they had been measured.
func recordsOf(t testing.TB, name string, runs int, seed uint64, set ...string) []history.Record {
	t.Helper()
	e, err := NewExperiment(name, set, 1)
	if err != nil {
		t.Fatal(err)
	}
	lab := scenarios.Lab()
	var all []history.Record
	p := Prediction{Profile: &lab, Seed: seed, Runs: runs, Each: func(r *history.Record) error { all = append(all, *r); return nil }}
	if _, err := p.Predict(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	return all
}

// Of ten runs of made-up parameters, the fit finds those again.
func TestFitFindsTheTruth(t *testing.T) {
	plan := fitPlan(t, []string{"lesson/d", "lesson/e"}, "pauses[0].every=2,3,4", "retry=10ms,50ms,90ms", "think=5ms,20ms")
	for _, name := range plan.Scenarios {
		plan.Data = append(plan.Data, recordsOf(t, name, 10, 7, "pauses[0].every=3", "lock.retry.every=50ms", "think=20ms")...)
	}
	r := fit(t, plan)
	if delta, rank := deltaOf(t, r, "3", "50ms", "20ms"); rank != 0 || r.Region.Combinations > 3 {
		t.Errorf("the truth is %.2f below the best, with rank %d; %d are on the ridge", delta, rank, r.Region.Combinations)
	}
	if c := r.Counts[0]; c.World != history.Sim || c.RejectedWrites == nil {
		t.Errorf("counts are said to be %+v", c)
	}
}

// Twice the same data makes every difference twice as large, and the ridge no wider.
func TestDoubledDataSharpens(t *testing.T) {
	plan := fitPlan(t, []string{"lesson/d"}, "retry=10ms,25ms,50ms", "pauses[0].every=3,4")
	plan.Refined = plan.Runs
	plan.Data = recordsOf(t, "lesson/d", 3, 7)
	once := fit(t, plan)
	plan.Data = append(plan.Data, plan.Data...)
	twice := fit(t, plan)
	for rank := range once.Combinations {
		a, b := once.Combination(rank), twice.Combination(rank)
		if math.Abs(2*a.Delta-b.Delta) > 1e-5 {
			t.Errorf("rank %d: Δ %g, and %g of twice the data", rank, a.Delta, b.Delta)
		}
	}
	if twice.Region.Combinations > once.Region.Combinations || once.Counts[0].Times*2 != twice.Counts[0].Times {
		t.Errorf("%d combinations on the ridge, and %d of twice the data", once.Region.Combinations, twice.Region.Combinations)
	}
}

// The order of axes and of scenarios changes nothing, nor does the number of processors.
func TestFitIsInvariant(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	plan := fitPlan(t, []string{"lesson/a", "lesson/d"}, "retry=10ms,25ms", "think=5ms,10ms", "spread=0ms,20ms")
	r := fit(t, plan)
	runtime.GOMAXPROCS(4)
	if again := fit(t, plan); linesOf(t, again) != linesOf(t, r) {
		t.Error("other lines with four processors than with one")
	}
	slices.Reverse(plan.Axes)
	slices.Reverse(plan.Scenarios)
	turned := fit(t, plan)
	for rank := range r.Combinations {
		c := r.Combination(rank)
		delta, _ := deltaOf(t, turned, c.Set["start.spread"], c.Set["think"], c.Set["lock.retry.every"])
		if delta != c.Delta {
			t.Errorf("%v: Δ %g, and %g with everything in another order", c.Set, c.Delta, delta)
		}
	}
}

func linesOf(t testing.TB, r *FitResult) string {
	t.Helper()
	var lines bytes.Buffer
	if err := r.WriteLines(&lines, r.Combinations); err != nil {
		t.Fatal(err)
	}
	return lines.String()
}

// A scenario's part of the likelihood does not depend on axes that it lacks, nor does it simulate along them.
func TestAxesThatAScenarioLacks(t *testing.T) {
	plan := fitPlan(t, []string{"lesson/a", "lesson/b", "lesson/d"}, "pauses[0].every=3,4", "retry=10ms,25ms", "spread=0ms,2ms,5ms")
	f, err := NewFit(plan)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.Cells(), 3+6+12; got != want || f.Combinations() != 12 {
		t.Errorf("%d cells of %d combinations, want %d of 12", got, f.Combinations(), want)
	}
	r := fit(t, plan)
	ofA := make(map[string]float64)
	for rank := range r.Combinations {
		c := r.Combination(rank)
		if old, seen := ofA[c.Set["start.spread"]]; seen && c.Parts[0].Runs == plan.Refined && old != c.Parts[0].Log {
			t.Errorf("%v: lesson/a has %g, elsewhere %g", c.Set, c.Parts[0].Log, old)
		}
		ofA[c.Set["start.spread"]] = c.Parts[0].Log
	}
	want := []string{
		"lesson/a, lesson/b: no pauses[0], so nothing is said about pauses[0].every",
		"lesson/a: no lock, so nothing is said about lock.retry.every",
	}
	if !slices.Equal(r.Notes, want) {
		t.Errorf("notes %q, want %q", r.Notes, want)
	}
}

// Everything near the best, and nothing else, has the larger number of runs; both stages are told.
func TestFitLooksCloserNearTheBest(t *testing.T) {
	plan := fitPlan(t, []string{"lesson/d"}, "pauses[0].every=1,3,4", "retry=25ms,50ms")
	f, err := NewFit(plan)
	if err != nil {
		t.Fatal(err)
	}
	var told stages
	r, err := f.Run(context.Background(), &told)
	if err != nil {
		t.Fatal(err)
	}
	refined := 0
	for rank := range r.Combinations {
		c := r.Combination(rank)
		runs := c.Parts[0].Runs
		if near := c.Delta <= r.Region.Delta+refineBeyond; near && runs != plan.Refined {
			t.Errorf("%v: %d runs at Δ %g", c.Set, runs, c.Delta)
		}
		if runs == plan.Refined {
			refined++
		}
	}
	if refined != r.Refined || refined == 0 || refined == r.Combinations {
		t.Errorf("%d of %d were looked at more closely, said is %d", refined, r.Combinations, r.Refined)
	}
	if told.names[0] != "simulate" || told.parts[0] != 600 || told.names[1] != "look closer" {
		t.Errorf("told were %q with %d runs", told.names, told.parts)
	}
}

// The profile along an axis, or two, is the least delta that the others allow.
func TestProfileIsTheLeastDelta(t *testing.T) {
	r := fit(t, fitPlan(t, []string{"lesson/d"}, "pauses[0].every=3,4", "retry=10ms,25ms,50ms", "think=5ms,10ms"))
	want := make(map[[2]string]float64)
	for rank := range r.Combinations {
		c := r.Combination(rank)
		at := [2]string{c.Set["pauses[0].every"], c.Set["think"]}
		if d, seen := want[at]; !seen || c.Delta < d {
			want[at] = c.Delta
		}
	}
	got := r.ProfileAlong(0, 2)
	for i, every := range []string{"3", "4"} {
		least := math.Inf(1)
		for j, think := range []string{"5ms", "10ms"} {
			least = min(least, got[2*i+j])
			if got[2*i+j] != want[[2]string{every, think}] {
				t.Errorf("every %s, think %s: %g, want %g", every, think, got[2*i+j], want[[2]string{every, think}])
			}
		}
		if r.Axes[0].Delta[i] != least {
			t.Errorf("every %s: %g, want %g", every, r.Axes[0].Delta[i], least)
		}
	}
}

func TestFitRefuses(t *testing.T) {
	d := []string{"lesson/d"}
	for want, change := range map[string]func(*FitPlan){
		"no axis":                                  func(p *FitPlan) { p.Axes = nil },
		"0 runs":                                   func(p *FitPlan) { p.Runs = 0 },
		"at least the 500 of all":                  func(p *FitPlan) { p.Runs = 500 },
		"two axes are along lock.retry.every":      func(p *FitPlan) { p.Axes = append(p.Axes, p.Axes[0]) },
		"1002001 combinations":                     func(p *FitPlan) { p.Axes = axes(t, "work=1ms..2s/1001", "think=1ms..2s/1001") },
		"none of the scenarios has that (lesson/a": func(p *FitPlan) { p.Scenarios = []string{"lesson/a"} },
		"unknown scenario \"lesson/x\"":            func(p *FitPlan) { p.Scenarios = []string{"lesson/d", "lesson/x"} },
		"two scenarios of the name lesson/d":       func(p *FitPlan) { p.Scenarios = []string{"lesson/d", "lesson/d"} },
		"no counts are published of it":            func(p *FitPlan) { p.Scenarios = []string{"lesson/work-too-short"} },
		"have at most 10":                          func(p *FitPlan) { p.Set = []string{"rounds=5"} },
		"is set to 1ms, and an axis":               func(p *FitPlan) { p.Set = []string{"lock.retry.every=1ms"} },
		"is of scale 1, not 0.5":                   func(p *FitPlan) { p.Scale = 0.5 },
		"there are no records of it":               func(p *FitPlan) { p.Data = recordsOf(t, "lesson/e", 1, 1) },
		"but for the axes, is \"rounds=3\"":        func(p *FitPlan) { p.Data = recordsOf(t, "lesson/d", 1, 1, "rounds=3") },
		"its scale is 1, not 0.5":                  func(p *FitPlan) { p.Data = recordsOf(t, "lesson/d", 1, 1); p.Scale = 0.5 },
		"the scenario had hash 0": func(p *FitPlan) {
			p.Data = recordsOf(t, "lesson/d", 1, 1)
			p.Data[0].ScenarioHash = "0"
		},
		"some records are of simulated runs and some of real ones": func(p *FitPlan) {
			p.Data = recordsOf(t, "lesson/d", 2, 1)
			p.Data[1].World = history.Real
		},
	} {
		plan := fitPlan(t, d, "retry=10ms,25ms")
		change(&plan)
		if _, err := NewFit(plan); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one with %q", err, want)
		}
	}
}

// Records may have been made with any values of the axes.
func TestDataMayHaveOtherValuesOfTheAxes(t *testing.T) {
	plan := fitPlan(t, []string{"lesson/d"}, "retry=10ms,25ms")
	plan.Data = append(recordsOf(t, "lesson/d", 1, 1, "lock.retry.every=33ms"), recordsOf(t, "lesson/d", 1, 1)...)
	plan.Data[1].Bounded = true
	f, err := NewFit(plan)
	if err != nil {
		t.Fatal(err)
	}
	if runs := f.parts[0].counted.runs; runs != 1 {
		t.Errorf("%d runs are explained, want the one that was not cut short", runs)
	}
}

func TestFitEndsWithItsContext(t *testing.T) {
	f, err := NewFit(fitPlan(t, []string{"lesson/d"}, "retry=10ms,25ms"))
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(stop)
	if r, err := f.Run(ctx, quiet{}); !errors.Is(err, stop) || r != nil {
		t.Errorf("error %v, result %v", err, r)
	}
}
