package study

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"locklab/history"
	"locklab/realrun"
	"locklab/realrun/server"
	"locklab/scenarios"
)

func openSession(t *testing.T) *realrun.Session {
	t.Helper()
	s, err := realrun.Open(t.Context(), realrun.Auto)
	if errors.Is(err, server.ErrNoServer) && os.Getenv("CI") == "" {
		t.Skip("needs a Redis server: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// tinyGrid has four cells, each of which takes some ten milliseconds.
func tinyGrid(t *testing.T, reps int) *RealGrid {
	t.Helper()
	g, err := NewRealGrid(RealGridPlan{
		Scenario: "lesson/d", Set: []string{"rounds=2", "pauses[0].every=2"}, Scale: 0.02, Reps: reps, Seed: 1,
		Axes: axes(t, "ttl=1s,2s", "work=100ms,200ms"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// tinyMeasurement measures it side by side, and keeps the records in order.
func tinyMeasurement(reps int, kept *[]Measured) *Measurement {
	lab := scenarios.Lab()
	return &Measurement{
		Profile: &lab, Seed: 1, Reps: reps, Parallel: 3, Repeats: 2, noticed: func(*realrun.Watch) string { return "" },
		Each: func(m Measured) error {
			*kept = append(*kept, m)
			return nil
		},
	}
}

// The records of a measured grid answer to the cells of the sweep along the same axes.
func TestMeasuredGridAnswersToASweep(t *testing.T) {
	t.Parallel()
	s, g := openSession(t), tinyGrid(t, 2)
	var kept []Measured
	m := tinyMeasurement(2, &kept)
	m.Skip = func(cell, rep int) bool { return cell == 3 && rep == 1 }
	if plan := m.Plan(g.Cells); plan.Runs != 7 || plan.Side != 3 || plan.Waves != 3 || plan.Time <= 0 {
		t.Errorf("plan %+v", plan)
	}
	if missing, err := m.Measure(t.Context(), s, g.Cells); err != nil || len(missing) > 0 {
		t.Fatalf("missing %v, error %v", missing, err)
	}
	sweep := newSweep(t, SweepPlan{
		Scenario: "lesson/d", Set: g.plan.Set, Scale: g.plan.Scale, Axes: g.plan.Axes, Rule: Rule{Runs: 1}, Profile: m.Profile, Seed: 1,
	})
	seen := make(map[realRun]int)
	for _, run := range kept {
		seen[realRun{run.Experiment, run.Record.Run}]++
		_, source, err := sweep.cell(run.Experiment)
		if err != nil {
			t.Fatal(err)
		}
		source.World, source.Store = history.Real, s.Store()
		if !source.SameCell(&run.Record.Source) || run.Record.Disturbed || run.Record.Entries != 4 {
			t.Errorf("cell %d: %+v", run.Experiment, run.Record)
		}
	}
	if len(seen) != 7 || len(kept) != 7 || seen[realRun{3, 1}] > 0 {
		t.Errorf("measured %v", seen)
	}
}

// What is disturbed is marked, measured again, and given up after so many times.
func TestDisturbedRunsAreRepeated(t *testing.T) {
	t.Parallel()
	s, g := openSession(t), tinyGrid(t, 1)
	var kept []Measured
	var stages []string
	m := tinyMeasurement(1, &kept)
	m.Parallel = 1 // so that the order of the runs is known: that of the cells
	m.Stage = func(name string, _ time.Duration) { stages = append(stages, name) }
	var run int
	m.noticed = func(*realrun.Watch) string {
		defer func() { run++ }()
		// Of the runs 0 to 3, 1 and 2 are disturbed; of their repetitions, 4 and 5, the second; and so is its last one, 6.
		if slices.Contains([]int{1, 2, 5, 6}, run) {
			return "somebody slammed the door"
		}
		return ""
	}
	missing, err := m.Measure(t.Context(), s, g.Cells)
	if err != nil {
		t.Fatal(err)
	}
	if len(missing) != 1 || !errors.Is(missing[0].Err, ErrDisturbed) || !strings.Contains(missing[0].Err.Error(), "slammed the door") {
		t.Errorf("missing: %v, want one that was disturbed each time", missing)
	}
	var disturbed, attempts []int
	for i, run := range kept {
		attempts = append(attempts, run.Attempt)
		if run.Record.Disturbed != (run.Record.Disturbance != "") {
			t.Errorf("run %d: %+v", i, run.Record)
		}
		if run.Record.Disturbed {
			disturbed = append(disturbed, i)
		}
	}
	if !slices.Equal(disturbed, []int{1, 2, 5, 6}) || !slices.Equal(attempts, []int{0, 0, 0, 0, 1, 1, 2}) {
		t.Errorf("disturbed are %v, attempts %v", disturbed, attempts)
	}
	if kept[6].Experiment != kept[5].Experiment || kept[6].HistoryFile() != "lesson-d-0-disturbed-2.jsonl" {
		t.Errorf("the last is of cell %d, %s", kept[6].Experiment, kept[6].HistoryFile())
	}
	if len(stages) != 3 || stages[0] == stages[1] {
		t.Errorf("stages %v", stages)
	}
}

// A measurement whose store is gone ends, and says so; what was measured is kept.
func TestMeasureWithoutAStore(t *testing.T) {
	t.Parallel()
	users, err := server.Start(t.Context(), server.Options{})
	if errors.Is(err, server.ErrNoServer) && os.Getenv("CI") == "" {
		t.Skip("needs a Redis server: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(users.Close)
	s, err := realrun.Open(t.Context(), users.URL())
	if err != nil {
		t.Fatal(err)
	}
	var kept []Measured
	var waves atomic.Int32
	m := tinyMeasurement(50, &kept)
	keep := m.Each
	m.Each = func(run Measured) error {
		if waves.Add(1) == 3 {
			users.Close()
		}
		return keep(run)
	}
	_, err = m.Measure(t.Context(), s, tinyGrid(t, 50).Cells)
	if err == nil || errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), users.Addr) {
		t.Errorf("error %v, want that the store is gone", err)
	}
	if len(kept) != 3 {
		t.Errorf("%d runs are kept, want the 3 of the first wave", len(kept))
	}
}
