// Package batch simulates many runs of one world in parallel. What comes out does not depend on how many processors
// took part: run i has a seed of its own, and sums are of whole numbers.
package batch

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"locklab/history"
	"locklab/internal/choice"
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

// blockRuns is how many runs are taken at a time: few enough to share the work out evenly, and to keep the records
// that wait for their turn small.
const blockRuns = 64

// A block is what came of blockRuns runs.
type block struct {
	index   int
	records []history.Record
}

// Run simulates the job and sums it up. It ends early with the context's error, or the first of Each.
func Run(ctx context.Context, job Job) (*history.Cell, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	blocks := (job.Runs + blockRuns - 1) / blockRuns
	workers := min(runtime.GOMAXPROCS(0), max(blocks, 1))
	var (
		next  atomic.Int64
		wg    sync.WaitGroup
		cells = make([]*history.Cell, workers)
		order = newSequencer(workers, job.Each)
	)
	for i := range cells {
		cells[i] = history.NewCell(job.Source)
		wg.Go(func() {
			s := simulator{job: &job, run: job.World.NewRun(), cell: cells[i]}
			s.run.Hashing = job.Each != nil
			for ctx.Err() == nil {
				index := int(next.Add(1)) - 1
				if index >= blocks {
					return
				}
				if err := order.put(ctx, s.block(index)); err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	sum := history.NewCell(job.Source)
	for _, c := range cells {
		sum.Merge(c)
	}
	return sum, nil
}

// A simulator is one goroutine's share of a batch.
type simulator struct {
	job  *Job
	run  *sim.Run
	cell *history.Cell
}

func (s *simulator) block(index int) block {
	b := block{index: index}
	first, last := index*blockRuns, min((index+1)*blockRuns, s.job.Runs)
	for i := first; i < last; i++ {
		b.records = s.one(i, b.records)
	}
	if s.job.Done != nil {
		s.job.Done(last - first)
	}
	return b
}

// one simulates run i, and appends its record if records are wanted.
func (s *simulator) one(i int, records []history.Record) []history.Record {
	s.run.Do(choice.RunSeed(s.job.Source.Seed, uint64(i)))
	s.cell.Add(&s.run.Tally, s.run.Events, s.run.Bounded)
	if s.job.Each == nil {
		return records
	}
	r := history.NewRecord(s.job.Source, i, &s.run.Tally, s.run.Hash.Sum(), s.run.Events)
	r.Bounded = s.run.Bounded
	return append(records, r)
}
