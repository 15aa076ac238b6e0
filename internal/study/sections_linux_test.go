package study

import (
	"fmt"
	"strings"
	"testing"

	"locklab/history"
	"locklab/realrun"
	"locklab/scenarios"
)

// The short scenarios of the lesson show on real Redis, too, what they are there to show.
func TestLessonShowsWhatItSaysOnRedis(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	t.Parallel()
	s := openSession(t)
	lab := scenarios.Lab()
	const longest = 6e9 // ns
	var experiments []*Experiment
	var expected []Expectation
	for _, x := range lessonScenarios() {
		e, err := NewExperiment(x.name, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		if traced := Trace(e, &lab, 1, 0); traced.Tally.End <= longest {
			experiments, expected = append(experiments, e), append(expected, x.expect)
		}
	}
	sums := make([]*history.Cell, len(experiments))
	m := &Measurement{
		Profile: &lab, Seed: 1, Reps: 2, Parallel: 12, noticed: func(*realrun.Watch) string { return "" },
		Each: func(run Measured) error {
			if sums[run.Experiment] == nil {
				sums[run.Experiment] = history.NewCell(run.Record.Source)
			}
			tally := run.Record.Tally()
			sums[run.Experiment].Add(&tally, 0, false)
			return nil
		},
	}
	missing, err := m.Measure(t.Context(), s, experiments)
	if err != nil || len(missing) > 0 {
		t.Fatalf("%v, %v", missing, err)
	}
	if len(experiments) < 20 {
		t.Errorf("only %d scenarios are short", len(experiments))
	}
	for i, e := range experiments {
		for _, count := range expected[i].Misses(sums[i]) {
			t.Errorf("%s: unexpected %s: %+v", e.Scenario.Name, count, *sums[i])
		}
	}
}

// A pause of 1.2 s before any step, and one right after the write was sent, loses no update under any way but plain: measured, as check
// proves it for all runs with few deviations.
func TestNoPauseLosesAnUpdateOnRedis(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	t.Parallel()
	s := openSession(t)
	var experiments []*Experiment
	for _, name := range []string{"balance-unlocked", "atomic", "optimistic", "versioned", "transaction", "partition"} {
		e, err := NewExperiment("lesson/"+name, []string{"workers=2", "rounds=8", "work=50ms", "pauses=null"}, 1)
		if err != nil {
			t.Fatal(err)
		}
		var pauses []string
		for round, step := range e.Scenario.Steps() {
			pauses = append(pauses, fmt.Sprintf("{before: %s, for: 1200ms, round: %d, workers: [0]}", step, round))
		}
		pauses = append(pauses, "{during: commit, for: 1200ms, round: 7, workers: [0]}", "{before: think, for: 600ms, workers: [1]}")
		if e, err = NewExperiment("lesson/"+name, []string{"workers=2", "rounds=8", "work=50ms", "pauses=[" + strings.Join(pauses, ", ") + "]"}, 1); err != nil {
			t.Fatal(err)
		}
		experiments = append(experiments, e)
	}
	lab := scenarios.Lab()
	m := &Measurement{
		Profile: &lab, Seed: 1, Reps: 1, noticed: func(*realrun.Watch) string { return "" },
		Each: func(run Measured) error {
			r, plain := &run.Record, run.Experiment == 0
			if lost := r.LostUpdates > 0 && r.Missing > 0; lost != plain || r.Updates != 16 {
				t.Errorf("%s: %d of %d updates lost, %d missing", r.Scenario, r.LostUpdates, r.Updates, r.Missing)
			}
			return nil
		},
	}
	if missing, err := m.Measure(t.Context(), s, experiments); err != nil || len(missing) > 0 {
		t.Fatalf("%v, %v", missing, err)
	}
}
