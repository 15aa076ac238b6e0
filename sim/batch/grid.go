package batch

import (
	"context"
	"runtime"
	"sync"

	"locklab/history"
	"locklab/sim"
)

// A Grid is many cells, each a batch of runs of its own. A cell's run i has the seed of run i of every other cell with the same
// Source.Seed: common random numbers, so that cells differ by what they are, not by luck.
type Grid struct {
	Cells   int
	Rule    Rule
	Records bool // the records of the runs are wanted, too
	NoHash  bool // the records' HistoryHash is not, which takes time

	// Cell makes the world of a cell, given by its number from 0, and says what its records tell about where they come from.
	// It is called once for each cell, from any goroutine.
	Cell func(cell int) (*sim.World, history.Source, error)
	// Encode, if not nil, gives a part its Text, and may take away the rest. It is called from any goroutine, in any order,
	// also with parts that are never passed on.
	Encode func(*Part) error
	// Put is called with every part, one at a time, in order.
	Put func(*Part) error
	// Done, if not nil, is called from any goroutine with the number of runs just finished.
	Done func(runs int)
}

// A Part is what is passed on at a time: the records of some runs, or a cell whose runs are all done.
type Part struct {
	Records []history.Record
	Cell    *history.Cell // nil for records
	Text    []byte        // what Encode made of it
}

// size is about how much memory the part takes, in bytes.
func (p *Part) size() int {
	const ofRecord = 512
	return len(p.Text) + len(p.Records)*ofRecord
}

// Run simulates the grid, in memory that does not depend on its size. It ends early with the context's error, or the first
// of Cell, Encode or Put; whatever was passed on until then are the first parts, none left out.
func (g *Grid) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	processors := runtime.GOMAXPROCS(0)
	s := newSchedule(g, processors)
	defer context.AfterFunc(ctx, s.end)()
	var wg sync.WaitGroup
	for range processors {
		wg.Go(func() {
			if err := s.work(ctx); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	if s.isDone() {
		return nil
	}
	return context.Cause(ctx)
}
