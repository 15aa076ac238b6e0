package batch

import (
	"context"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/sim"
)

// A block is some runs of a cell that are simulated at a stretch, and what came of them.
type block struct {
	cell        *openCell
	number      int   // of the block within its cell
	first, last int64 // the runs [first, last)
	sum         *history.Cell
	part        Part // their records
}

// A simulator is one goroutine's space for runs.
type simulator struct {
	grid  *Grid
	run   *sim.Run
	of    *openCell     // whose world run is in
	waits history.Waits // of a block's runs
}

// simulate carries out a block. If ctx ends meanwhile, the block is not complete.
func (s *simulator) simulate(ctx context.Context, b *block) error {
	if s.of != b.cell {
		s.of, s.run = b.cell, b.cell.world.NewRun()
		s.run.Hashing = s.grid.Records && !s.grid.NoHash
		s.run.Waits = &s.waits
	}
	b.sum = history.NewCell(b.cell.source)
	s.waits.Reset()
	const often = 64 // how many runs until it is told that they are done
	told := b.first
	for i := b.first; i < b.last && ctx.Err() == nil; i++ {
		s.one(b, i)
		if n := i + 1 - told; s.grid.Done != nil && (n == often || i+1 == b.last) {
			s.grid.Done(int(n))
			told = i + 1
		}
	}
	b.sum.AddWaits(&s.waits)
	if ctx.Err() != nil || !s.grid.Records {
		return nil
	}
	return s.grid.encode(&b.part)
}

// one simulates run i, and keeps its record if records are wanted.
func (s *simulator) one(b *block, i int64) {
	s.run.Do(choice.RunSeed(b.sum.Seed, uint64(i)))
	b.sum.Add(&s.run.Tally, s.run.Events, s.run.Bounded)
	if !s.grid.Records {
		return
	}
	r := history.NewRecord(b.sum.Source, int(i), &s.run.Tally, s.run.Hash.Sum(), s.run.Events)
	r.Bounded = s.run.Bounded
	if s.grid.NoHash {
		r.HistoryHash = ""
	}
	b.part.Records = append(b.part.Records, r)
}

func (g *Grid) encode(p *Part) error {
	if g.Encode == nil {
		return nil
	}
	return g.Encode(p)
}
