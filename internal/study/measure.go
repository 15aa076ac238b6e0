package study

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

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
	// Each is called with every finished run, one at a time, when its wave has ended. An error of it ends the measurement.
	Each func(Measured) error
}

// Measured is a finished run.
type Measured struct {
	Record history.Record
	Events []history.Event
}

// HistoryFile is the name of a file for the run's events, e.g. lesson-d-0.jsonl.
func (m *Measured) HistoryFile() string {
	return fmt.Sprintf("%s-%d.jsonl", strings.ReplaceAll(m.Record.Scenario, "/", "-"), m.Record.Run)
}

// Missing is a run that could not be measured, and why.
type Missing struct {
	Scenario string
	Rep      int
	Err      error
}

// Expected is about how long the measurement will take, from one simulated run of each experiment. It is 0 for runs that
// would take long to simulate, too.
func (m *Measurement) Expected(experiments []*Experiment) time.Duration {
	const manyRounds = 10_000
	lab := scenarios.Lab()
	var ends []int64
	for _, e := range experiments {
		if int64(e.Scenario.Workers)*int64(e.Scenario.Rounds) > manyRounds {
			return 0
		}
		_, tally := Trace(e, &lab, m.Seed, 0)
		ends = append(ends, slices.Repeat([]int64{tally.End}, m.Reps)...)
	}
	var sum int64
	for wave := range slices.Chunk(ends, m.Side(len(experiments))) {
		sum += slices.Max(wave)
	}
	return time.Duration(sum)
}

// Side is how many runs of so many experiments go side by side.
func (m *Measurement) Side(experiments int) int {
	all := experiments * m.Reps
	if m.Parallel == 0 {
		return all
	}
	return min(m.Parallel, all)
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
	var missing []Missing
	s.Measure(ctx, jobs, m.Side(len(experiments)), func(i int, o *realrun.Outcome, err error) {
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
