package study

import (
	"encoding/json"
	"errors"
	"fmt"

	"locklab/history"
	"locklab/scenarios"
	"locklab/sim/explore"
)

// A Counterexample is a run that violates a property, as a file keeps it: all that it takes to carry it out again.
type Counterexample struct {
	Kind       string              `json:"kind"` // "counterexample"
	Property   explore.Property    `json:"property"`
	Scenario   string              `json:"scenario"` // as YAML
	Profile    string              `json:"profile"`  // as YAML
	Bounds     explore.Bounds      `json:"bounds"`
	Choices    []explore.Pick      `json:"choices"`
	Deviations []explore.Deviation `json:"deviations"` // the same for people; not read back
}

const counterexampleKind = "counterexample"

// NewCounterexample is what a file keeps of a finding.
func NewCounterexample(e *Experiment, p *scenarios.Profile, b explore.Bounds, c *explore.Counterexample) *Counterexample {
	return &Counterexample{
		Kind: counterexampleKind, Property: c.Property,
		Scenario: string(e.Scenario.YAML()), Profile: string(p.YAML()),
		Bounds: b, Choices: c.Picks, Deviations: c.Deviations,
	}
}

// ErrNotCounterexample says that a file holds something else.
var ErrNotCounterexample = errors.New("not a counterexample")

// ParseCounterexample reads what a file keeps; file is its name, for messages.
func ParseCounterexample(file string, data []byte) (*Counterexample, error) {
	var c Counterexample
	if err := json.Unmarshal(data, &c); err != nil || c.Kind != counterexampleKind {
		return nil, fmt.Errorf("%s: %w", file, ErrNotCounterexample)
	}
	return &c, nil
}

// parts are the scenario and the profile that the file keeps.
func (c *Counterexample) parts() (*scenarios.Scenario, *scenarios.Profile, error) {
	s, err := scenarios.Parse("its scenario", []byte(c.Scenario))
	if err != nil {
		return nil, nil, err
	}
	p, err := scenarios.ParseProfile("its profile", []byte(c.Profile))
	if err != nil {
		return nil, nil, err
	}
	return s, p, c.Bounds.Validate()
}

// A Replayed is a counterexample carried out once more on the virtual clock.
type Replayed struct {
	Events     []history.Event // with the truth, by time
	Deviations []explore.Deviation
	Violated   []explore.Property
}

// Replay carries the counterexample out on the virtual clock.
func (c *Counterexample) Replay() (*Replayed, error) {
	s, p, err := c.parts()
	if err != nil {
		return nil, err
	}
	var r Replayed
	keep := func(e *history.Event) { r.Events = append(r.Events, *e) }
	if r.Deviations, r.Violated, err = explore.Replay(s, p, c.Bounds, c.Choices, keep); err != nil {
		return nil, err
	}
	history.Sort(r.Events)
	return &r, nil
}

// Experiment is the counterexample for the real world: the scenario with the pauses and crashes written out. rest are
// the deviations that only the simulator can carry out.
func (c *Counterexample) Experiment() (e *Experiment, rest []explore.Deviation, err error) {
	replayed, err := c.Replay()
	if err != nil {
		return nil, nil, err
	}
	s, _, err := c.parts()
	if err != nil {
		return nil, nil, err
	}
	faulty, rest := explore.Faults(s, c.Bounds, replayed.Deviations)
	return &Experiment{faulty, faulty.Hash(), history.Params{Scale: 1}}, rest, nil
}
