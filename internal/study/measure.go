package study

import (
	"context"
	"errors"
	"fmt"
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
	Repeats  int // how often a run that was disturbed is measured again, at most

	// Skip reports whether a repetition of an experiment, given by their numbers, was measured before. Nil for none.
	Skip func(experiment, rep int) bool
	// Each is called with every finished run, disturbed ones too, one at a time, when its wave has ended. An error of it ends
	// the measurement.
	Each func(Measured) error
	// Stage is called when a part of the measurement begins, with about how long it takes. Nil for nobody.
	Stage func(name string, expected time.Duration)

	noticed func(*realrun.Watch) string // what disturbed a run, "" for nothing; nil for what Profile's Limits say
}

// Measured is a finished run.
type Measured struct {
	Record     history.Record
	Events     []history.Event
	Experiment int // its number
	Attempt    int // how often the run was disturbed before
}

// HistoryFile is the name of a file for the run's events, e.g. lesson-d-0.jsonl, and of a disturbed one
// lesson-d-0-disturbed-0.jsonl.
func (m *Measured) HistoryFile() string {
	name := fmt.Sprintf("%s-%d", fileName(m.Record.Scenario), m.Record.Run)
	if m.Record.Disturbed {
		name += fmt.Sprintf("-disturbed-%d", m.Attempt)
	}
	return name + ".jsonl"
}

// Missing is a run that could not be measured, and why.
type Missing struct {
	Scenario string
	Set      map[string]string // as in its record's params
	Rep      int
	Err      error
}

// ErrDisturbed is why a run is missing that was disturbed each time.
var ErrDisturbed = errors.New("it was disturbed each time")

// Name names the run, e.g. "lesson/d lock.ttl=1s, repetition 0".
func (m *Missing) Name() string {
	return fmt.Sprintf("%s, repetition %d", strings.TrimSpace(m.Scenario+" "+describeSet(m.Set)), m.Rep)
}

// A Plan says what a measurement will be.
type Plan struct {
	Runs, Side, Waves int
	Time              time.Duration // about; 0 if that would take long to find out
}

// Plan says what the measurement of experiments will be if nothing disturbs it.
func (m *Measurement) Plan(experiments []*Experiment) Plan {
	turns := m.turns(experiments)
	side := m.side(len(turns))
	arrange(turns, side)
	return Plan{Runs: len(turns), Side: side, Waves: (len(turns) + side - 1) / max(side, 1), Time: expected(turns, side)}
}

// Expected is about how long the measurement will take, from one simulated run of each experiment. It is 0 for runs that
// would take long to simulate, too.
func (m *Measurement) Expected(experiments []*Experiment) time.Duration {
	return m.Plan(experiments).Time
}

// Side is how many runs of so many experiments go side by side.
func (m *Measurement) Side(experiments int) int { return m.side(experiments * m.Reps) }

func (m *Measurement) side(runs int) int {
	if m.Parallel == 0 {
		return runs
	}
	return min(m.Parallel, runs)
}

// Measure runs experiments on the session's Redis, and again what was disturbed. It returns the runs that could not be
// measured; err is only that of Each or of ctx, or says that the store is gone.
func (m *Measurement) Measure(ctx context.Context, s *realrun.Session, experiments []*Experiment) ([]Missing, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := measuring{Measurement: m, session: s, experiments: experiments, cancel: cancel}
	left, stage := m.turns(experiments), "measure"
	for len(left) > 0 && ctx.Err() == nil {
		left = w.take(ctx, stage, left)
		stage = "measure again"
	}
	return w.missing, context.Cause(ctx)
}

// measuring is a Measurement under way.
type measuring struct {
	*Measurement
	session     *realrun.Session
	experiments []*Experiment
	cancel      context.CancelCauseFunc
	missing     []Missing
	again       []turn
}

// take measures the turns, and returns those that have to be taken again.
func (w *measuring) take(ctx context.Context, stage string, turns []turn) []turn {
	side := w.side(len(turns))
	arrange(turns, side)
	if w.Stage != nil {
		w.Stage(stage, expected(turns, side))
	}
	jobs := make([]realrun.Job, len(turns))
	for i, t := range turns {
		jobs[i] = realrun.Job{Scenario: w.experiments[t.experiment].Scenario, Seed: choice.RunSeed(w.Seed, uint64(t.rep))}
	}
	w.again = nil
	w.session.Measure(ctx, jobs, side, func(i int, o *realrun.Outcome, err error) {
		if err != nil {
			w.miss(&turns[i], err)
			w.lookForStore(ctx, err)
			return
		}
		w.keep(&turns[i], o)
	})
	return w.again
}

func (w *measuring) miss(t *turn, err error) {
	e := w.experiments[t.experiment]
	w.missing = append(w.missing, Missing{e.Scenario.Name, e.params.Set, t.rep, err})
}

// lookForStore ends the measurement if a run failed because the store is gone.
func (w *measuring) lookForStore(ctx context.Context, failed error) {
	if ctx.Err() != nil {
		return
	}
	if err := w.session.Check(ctx); err != nil && ctx.Err() == nil {
		w.cancel(fmt.Errorf("%w (%v)", err, failed))
	}
}

// disturbance says what disturbed a run of an experiment; "" for nothing.
func (m *Measurement) disturbance(e *Experiment, seen *realrun.Watch) string {
	if m.noticed != nil {
		return m.noticed(seen)
	}
	limits := NewLimits(m.Profile, e.Scenario)
	return limits.disturbance(seen)
}

// keep hands over the record of a run, and has the run repeated if it was disturbed.
func (w *measuring) keep(t *turn, o *realrun.Outcome) {
	e := w.experiments[t.experiment]
	record := history.NewRecord(e.source(history.Real, w.Seed, w.Profile, w.session.Store()), t.rep, &o.Tally, o.Hash, 0)
	if why := w.disturbance(e, &o.Watch); why != "" {
		record.Disturbed, record.Disturbance = true, why
	}
	if err := w.Each(Measured{record, o.Events, t.experiment, t.attempt}); err != nil {
		w.cancel(fmt.Errorf("keep the record of %s, repetition %d: %w", e.Scenario.Name, t.rep, err))
		return
	}
	if !record.Disturbed {
		return
	}
	if t.attempt++; t.attempt > w.Repeats {
		w.miss(t, fmt.Errorf("%w; the last time, %s", ErrDisturbed, record.Disturbance))
		return
	}
	w.again = append(w.again, *t)
}
