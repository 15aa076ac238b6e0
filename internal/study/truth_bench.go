package study

import (
	"context"
	"fmt"
	"io"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/realrun"
	"locklab/realrun/calibrate"
	"locklab/scenarios"
)

// A bench is where scenarios are measured.
type bench interface {
	// calibrate measures the machine under the load of so many runs of two workers.
	calibrate(ctx context.Context, runs int) (*scenarios.Profile, error)
	// measure carries out all jobs side by side, and calls done as realrun.Session.Measure does.
	measure(ctx context.Context, jobs []realrun.Job, done func(i int, o *realrun.Outcome, err error))
	store() history.Store
}

// redisBench measures on real Redis.
type redisBench struct{ session *realrun.Session }

func (b redisBench) calibrate(ctx context.Context, runs int) (*scenarios.Profile, error) {
	return calibrate.Machine(ctx, b.session, runs)
}

func (b redisBench) measure(ctx context.Context, jobs []realrun.Job, done func(i int, o *realrun.Outcome, err error)) {
	b.session.Measure(ctx, jobs, len(jobs), done)
}

func (b redisBench) store() history.Store { return b.session.Store() }

// play measures the scenarios of a wave, each once more than it was, and writes their records. It is an error if any run
// failed: what made it fail would spoil others, too.
func (t *truth) play(ctx context.Context, w wave, reps map[string]int, records io.Writer) (failed error) {
	jobs := make([]realrun.Job, len(w))
	for i, c := range w {
		jobs[i] = realrun.Job{Scenario: c.Scenario, Seed: choice.RunSeed(c.seed, uint64(reps[c.hash]))}
	}
	t.bench.measure(ctx, jobs, func(i int, o *realrun.Outcome, err error) {
		c := w[i]
		if err == nil {
			err = t.keep(c, reps[c.hash], o, records)
		}
		if err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", c.Scenario.Name, err)
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return failed
}

// keep writes what a run left.
func (t *truth) keep(c *candidate, rep int, o *realrun.Outcome, records io.Writer) error {
	record := history.NewRecord(c.source(history.Real, c.seed, t.profile, t.bench.store()), rep, &o.Tally, o.Hash, 0)
	t.lines.Records = append(t.lines.Records, record)
	if err := history.WriteLine(records, &record); err != nil {
		return err
	}
	return t.out.writeHistory(&Measured{record, o.Events})
}
