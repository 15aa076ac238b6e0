package compare

import (
	"fmt"
	"math"
	"math/rand/v2"

	"locklab/history"
)

// A cellLaw is the law of a cell's runs: conflicts, and the overlap of each in microseconds, which varies by a share.
type cellLaw struct {
	conflicts law
	each      int64
	jitter    float64
}

func (l cellLaw) run(r *rand.Rand) history.Tally {
	n := max(0, l.conflicts(r))
	overlap := float64(n*l.each) * (1 + l.jitter*r.NormFloat64())
	return history.Tally{Entries: 80, Conflicts: n, Overlap: int64(math.Round(overlap)) * 1000}
}

// gridSource is where the runs of cell i of a grid come from.
func gridSource(i int, world history.World, profile string) history.Source {
	src := source("grid", world, profile)
	src.Params.Set = map[string]string{"lock.ttl": fmt.Sprintf("%dms", 100+10*i)}
	return src
}

// predictedCell is a cell of so many simulated runs.
func predictedCell(r *rand.Rand, src history.Source, l cellLaw, runs int) history.Cell {
	c := history.NewCell(src)
	for range runs {
		tally := l.run(r)
		c.Add(&tally, 0, false)
	}
	return *c
}

func measuredRun(r *rand.Rand, src history.Source, rep int, l cellLaw) history.Record {
	tally := l.run(r)
	return history.NewRecord(src, rep, &tally, uint64(rep), 0)
}

// predictedGrid is n cells, each predicted under the law at its number.
func predictedGrid(r *rand.Rand, n int, lawAt func(int) cellLaw) []history.Cell {
	var cells []history.Cell
	for i := range n {
		cells = append(cells, predictedCell(r, gridSource(i, history.Sim, "machine"), lawAt(i), MinRuns))
	}
	return cells
}

// measuredGrid is two repetitions of each of n cells.
func measuredGrid(r *rand.Rand, n int, lawAt func(int) cellLaw) []history.Record {
	var records []history.Record
	for i := range n {
		for rep := range 2 {
			records = append(records, measuredRun(r, gridSource(i, history.Real, "machine"), rep, lawAt(i)))
		}
	}
	return records
}

func wide(i int) cellLaw {
	return cellLaw{conflicts: normal(20+float64(i%50), 1+float64(i%7)), each: 90_000, jitter: 0.01}
}

// calibrated is a grid of which two cells are off, with cells without a spread, references under ideal, and one left out.
func calibrated() Calibration {
	const cells = 14
	r := rand.New(rand.NewPCG(15, 16))
	lawAt := func(i int) cellLaw {
		if i%4 == 0 {
			return cellLaw{conflicts: constant(int64(i)), each: 90_000}
		}
		return wide(i)
	}
	lines := history.Lines{Cells: predictedGrid(r, cells, lawAt), Records: measuredGrid(r, cells, lawAt)}
	for i := range cells {
		narrow := lawAt(i)
		narrow.conflicts, narrow.jitter = constant(narrow.conflicts(r)), 0
		lines.Cells = append(lines.Cells, predictedCell(r, gridSource(i, history.Sim, "ideal"), narrow, MinRuns))
	}
	lines.Records[2*7].Conflicts += 12
	lines.Records[2*8].OverlapNS = 0
	lines = join(lines, history.Lines{Records: recordsOf(source("left/out", history.Real, "machine"), conflictsOnly(3)...)})
	c := Calibrate(lines)
	c.Explain(map[string]string{"grid lock.ttl=170ms": "most sensitive to the lateness of timers | ±8 conflicts", "another": "-"})
	return c
}
