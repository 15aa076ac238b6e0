package study

import (
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
)

// gridAxes are the axes of the reference grid.
func gridAxes(t testing.TB) []history.Axis {
	t.Helper()
	return axes(t, "ttl=100ms..2060ms/50", "pause=0ms..1960ms/50")
}

// BenchmarkCellBesideItsRuns is all that a sweep's cell of 200 runs costs beside the runs themselves: its scenario, its world, the
// space for runs, counting them, its line.
func BenchmarkCellBesideItsRuns(b *testing.B) {
	lab := scenarios.Lab()
	s, err := NewSweep(SweepPlan{Scenario: "lesson/d", Scale: 1, Axes: gridAxes(b), Rule: Rule{Runs: 200}, Seed: 1, Profile: &lab})
	if err != nil {
		b.Fatal(err)
	}
	const cell = 1234
	world, _, err := s.cell(cell)
	if err != nil {
		b.Fatal(err)
	}
	run := world.NewRun()
	tallies, events := make([]history.Tally, 200), make([]int64, 200)
	for i := range tallies {
		run.Do(choice.RunSeed(1, uint64(i)))
		tallies[i], events[i] = run.Tally, run.Events
	}
	b.ReportAllocs()
	for b.Loop() {
		world, source, err := s.cell(cell)
		if err != nil {
			b.Fatal(err)
		}
		_ = world.NewRun()
		sum := history.NewCell(source)
		for i := range tallies {
			sum.Add(&tallies[i], events[i], false)
		}
		if _, err := CellLine(sum); err != nil {
			b.Fatal(err)
		}
	}
}
