package study

import (
	"context"
	"fmt"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim"
	"locklab/sim/batch"
)

// A Prediction asks for simulated runs.
type Prediction struct {
	Profile *scenarios.Profile
	Seed    uint64
	Runs    int                         // of each experiment, above 0
	Each    func(*history.Record) error // called with every run's record, in order, if not nil
	Done    func(runs int)              // called with the number of runs just finished, from any goroutine, if not nil
}

// model is the store of simulated runs.
var model = history.Store{Product: "model"}

// Predict simulates an experiment.
func (p *Prediction) Predict(ctx context.Context, e *Experiment) (*history.Cell, error) {
	cell, err := batch.Run(ctx, batch.Job{
		World:  sim.NewWorld(e.Scenario, p.Profile),
		Source: e.source(history.Sim, p.Seed, p.Profile, model),
		Runs:   p.Runs, Each: p.Each, Done: p.Done,
	})
	if err != nil {
		return nil, fmt.Errorf("simulate %s: %w", e.Scenario.Name, err)
	}
	return cell, nil
}

// PredictAll simulates experiments one after the other.
func (p *Prediction) PredictAll(ctx context.Context, experiments []*Experiment) ([]*history.Cell, error) {
	var cells []*history.Cell
	for _, e := range experiments {
		cell, err := p.Predict(ctx, e)
		if err != nil {
			return nil, err
		}
		cells = append(cells, cell)
	}
	return cells, nil
}

// A Traced is one simulated run, seen as a whole.
type Traced struct {
	Events  []history.Event  // with the truth among them, by time
	Flights []history.Flight // of its commands, in the order in which stores executed them
	Tally   history.Tally
}

// Trace simulates run i of a batch with the given seed.
func Trace(e *Experiment, p *scenarios.Profile, seed, i uint64) *Traced {
	run := sim.NewWorld(e.Scenario, p).NewRun()
	var t Traced
	run.Observe = func(e *history.Event) { t.Events = append(t.Events, *e) }
	run.Flights = func(f *history.Flight) { t.Flights = append(t.Flights, *f) }
	run.Do(choice.RunSeed(seed, i))
	history.Sort(t.Events)
	t.Tally = run.Tally
	return &t
}
