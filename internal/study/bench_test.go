package study

import (
	"context"
	"os"
	"path/filepath"
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

// BenchmarkSweepOverhead is all that a sweep's cell of 200 runs costs beside the runs themselves: its scenario, its world, the
// space for runs, counting them, its line.
func BenchmarkSweepOverhead(b *testing.B) {
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

// referenceScenario is the reference cell as a scenario; the grid moves its TTL and its pause.
const referenceScenario = `
scenario: reference
workers: 2
rounds: 40
work: 300ms
lock: {kind: single, ttl: 1000ms, retry: {every: {uniform: [10ms, 30ms]}}}
pauses: [{before: enter, for: 1200ms, every: 1, workers: [0]}]
`

// BenchmarkReferenceGrid is a whole sweep but for the disk: 2500 cells of 200 runs, on as many processors as -cpu says.
func BenchmarkReferenceGrid(b *testing.B) {
	path := filepath.Join(b.TempDir(), "reference.yaml")
	if err := os.WriteFile(path, []byte(referenceScenario), 0o600); err != nil {
		b.Fatal(err)
	}
	each := choice.Law{Kind: choice.Uniform, A: 100_000, B: 300_000}
	profile := scenarios.Profile{Name: "reference", Network: scenarios.Network{AfterSleep: each, AfterReply: each}}
	var runs int64
	for b.Loop() {
		s, err := NewSweep(SweepPlan{Scenario: path, Scale: 1, Axes: gridAxes(b), Rule: Rule{Runs: 200}, Seed: 1, Profile: &profile})
		if err != nil {
			b.Fatal(err)
		}
		err = s.Run(context.Background(), SweepRun{Text: CellLine, Put: func(_ []byte, _ int, n int64) error {
			runs += n
			return nil
		}})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(runs)/b.Elapsed().Seconds(), "runs/s")
}
