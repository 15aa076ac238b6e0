package study

import (
	"context"
	"fmt"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/realrun"
	"locklab/scenarios"
)

// A Measurement asks for real runs.
type Measurement struct {
	Profile  *scenarios.Profile // what was measured of this machine, for this
	Seed     uint64
	Reps     int // of each experiment, above 0
	Parallel int // runs side by side; 0 for all
	// Each is called with every finished run, one at a time, in the order in which they end. An error of it ends the
	// measurement.
	Each func(Measured) error
}

// Measured is a finished run.
type Measured struct {
	Record history.Record
	Events []history.Event
}

// Missing is a run that could not be measured, and why.
type Missing struct {
	Scenario string
	Rep      int
	Err      error
}

// Measure runs experiments on the session's Redis. It returns the runs that could not be measured; err is only that of
// Each, or of ctx.
func (m *Measurement) Measure(ctx context.Context, s *realrun.Session, experiments []*Experiment) ([]Missing, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var jobs []realrun.Job
	for _, e := range experiments {
		for rep := range m.Reps {
			jobs = append(jobs, realrun.Job{Scenario: e.Scenario, Seed: choice.RunSeed(m.Seed, uint64(rep))})
		}
	}
	parallel := m.Parallel
	if parallel == 0 {
		parallel = len(jobs)
	}
	var missing []Missing
	s.Measure(ctx, jobs, parallel, func(i int, o *realrun.Outcome, err error) {
		e, rep := experiments[i/m.Reps], i%m.Reps
		if err != nil {
			missing = append(missing, Missing{e.Scenario.Name, rep, err})
			return
		}
		source := e.source(history.Real, m.Seed, m.Profile, s.Store())
		record := history.NewRecord(source, rep, &o.Tally, o.Hash, 0)
		if err := m.Each(Measured{record, o.Events}); err != nil {
			cancel(fmt.Errorf("keep the record of %s, repetition %d: %w", e.Scenario.Name, rep, err))
		}
	})
	return missing, context.Cause(ctx)
}
