// Package study composes the two worlds: it predicts experiments with the simulator, measures them on real Redis, and
// brings both together. Everything below it knows one world only.
package study

import (
	"fmt"

	"locklab/history"
	"locklab/scenarios"
)

// An Experiment is a scenario as it is to be run, and what its records say about it.
type Experiment struct {
	Scenario *scenarios.Scenario // with everything set and scaled

	hash   string // of the scenario before it was scaled
	params history.Params
}

// NewExperiment loads a scenario by name or path, sets parameters ("path=value"), and scales its durations.
func NewExperiment(nameOrPath string, set []string, scale float64) (*Experiment, error) {
	e, err := changed(nameOrPath, set, scale)
	if err != nil {
		return nil, err
	}
	if e.Scenario, err = scenarios.Scaled(e.Scenario, scale); err != nil {
		return nil, fmt.Errorf("%s: %w", nameOrPath, err)
	}
	return e, nil
}

// changed is the experiment whose scenario is not scaled yet.
func changed(nameOrPath string, set []string, scale float64) (*Experiment, error) {
	written, err := scenarios.Load(nameOrPath)
	if err != nil {
		return nil, err
	}
	s, values, err := scenarios.SetAll(written, set)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", nameOrPath, err)
	}
	if len(values) == 0 {
		values = nil
	}
	return &Experiment{s, s.Hash(), history.Params{Scale: scale, Set: values}}, nil
}

// NewExperiments loads several scenarios alike.
func NewExperiments(namesOrPaths, set []string, scale float64) ([]*Experiment, error) {
	var all []*Experiment
	for _, name := range namesOrPaths {
		e, err := NewExperiment(name, set, scale)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// source is what a record of the experiment says about where it comes from.
func (e *Experiment) source(w history.World, seed uint64, p *scenarios.Profile, store history.Store) history.Source {
	return history.Source{
		Scenario: e.Scenario.Name, ScenarioHash: e.hash, Params: e.params, Published: e.Scenario.Published,
		World: w, Seed: seed, Profile: p.Name, ProfileHash: p.Hash(), Store: store,
	}
}
