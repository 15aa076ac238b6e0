// Package batch simulates many runs in parallel: of one world, or of each cell of a grid. What comes out does not depend on
// how many processors took part: run i of every cell has the same seed of its own, sums are of whole numbers, and how many
// runs a cell has is decided by the cell's runs alone.
package batch

import (
	"context"

	"locklab/history"
	"locklab/sim"
)

// A Job is a batch of runs. Source.Seed is the seed of the batch.
type Job struct {
	World  *sim.World
	Source history.Source
	Runs   int
	Each   func(*history.Record) error // called with every run's record, in order, if not nil
	Done   func(runs int)              // called with the number of runs just finished, from any goroutine, if not nil
}

// Run simulates the job and sums it up. It ends early with the context's error, or the first of Each.
func Run(ctx context.Context, job Job) (*history.Cell, error) {
	var sum *history.Cell
	grid := Grid{
		Cells: 1, Rule: Rule{Runs: int64(job.Runs)}, Records: job.Each != nil, Done: job.Done,
		Cell: func(int) (*sim.World, history.Source, error) { return job.World, job.Source, nil },
		Put: func(p *Part) error {
			for i := range p.Records {
				if err := job.Each(&p.Records[i]); err != nil {
					return err
				}
			}
			if p.Cell != nil {
				sum = p.Cell
			}
			return nil
		},
	}
	if err := grid.Run(ctx); err != nil {
		return nil, err
	}
	return sum, nil
}
