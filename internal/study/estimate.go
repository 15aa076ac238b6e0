package study

import (
	"context"
	"runtime"
	"time"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/sim/batch"
)

// An Estimate is what a sweep will take on this machine.
type Estimate struct {
	Cells      int
	MostRuns   float64
	Time       time.Duration // with all processors; at most 292 years
	Bytes      float64       // of its file
	Processors int
}

// Estimate simulates a few runs of a few cells, spread over the sweep, for about the given time, and says what all of it takes.
func (s *Sweep) Estimate(ctx context.Context, budget time.Duration) (Estimate, error) {
	const samples = 8
	first, last := s.plan.Shard.Bounds(s.grid.Cells())
	all := Estimate{Cells: last - first, MostRuns: s.MostRuns(), Processors: runtime.GOMAXPROCS(0)}
	var perRun, perCell float64 // ns, bytes
	for i := range samples {
		t, bytes, err := s.sample(ctx, first+(last-first-1)*i/(samples-1), budget/samples)
		if err != nil {
			return all, err
		}
		perRun += float64(t) / samples
		perCell += float64(bytes) / samples
	}
	const longest = 1 << 62 // ns
	all.Time = time.Duration(min(perRun*all.MostRuns/float64(all.Processors), longest))
	all.Bytes = perCell * float64(all.Cells)
	return all, ctx.Err()
}

// sample simulates runs of a cell for about the given time. It gives the time of a run, and the bytes of all that is written
// of the cell.
func (s *Sweep) sample(ctx context.Context, cell int, budget time.Duration) (perRun time.Duration, bytes int64, err error) {
	world, source, err := s.cell(cell)
	if err != nil {
		return 0, 0, err
	}
	run, sum := world.NewRun(), history.NewCell(source)
	begin := time.Now()
	for sum.Runs == 0 || time.Since(begin) < budget && ctx.Err() == nil {
		run.Do(choice.RunSeed(source.Seed, uint64(sum.Runs)))
		sum.Add(&run.Tally, run.Events, run.Bounded)
	}
	perRun = time.Since(begin) / time.Duration(sum.Runs)
	line, err := CellLine(sum)
	if err != nil || !s.plan.Each {
		return perRun, int64(len(line)), err
	}
	record := history.NewRecord(source, 0, &run.Tally, 0, run.Events)
	records := batch.Part{Records: []history.Record{record}}
	err = encode(&records, nil)
	return perRun, int64(len(line)) + int64(len(records.Text))*s.plan.Rule.Most(), err
}
