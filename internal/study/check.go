package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

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
	Choices    []Choice            `json:"choices"`
	Deviations []explore.Deviation `json:"deviations"` // the same for people; not read back
}

// A Choice is an explore.Pick with its options as numbers; as bytes they would be written in base64.
type Choice struct {
	Event   int   `json:"event"`
	Options []int `json:"options"`
}

const counterexampleKind = "counterexample"

// NewCounterexample is what a file keeps of a finding.
func NewCounterexample(e *Experiment, p *scenarios.Profile, b explore.Bounds, c *explore.Counterexample) *Counterexample {
	x := &Counterexample{
		Kind: counterexampleKind, Property: c.Property,
		Scenario: string(e.Scenario.YAML()), Profile: string(p.YAML()),
		Bounds: b, Choices: []Choice{}, Deviations: c.Deviations,
	}
	for _, pick := range c.Picks {
		choice := Choice{Event: pick.Event}
		for _, option := range pick.Options {
			choice.Options = append(choice.Options, int(option))
		}
		x.Choices = append(x.Choices, choice)
	}
	return x
}

// picks are the choices as explore has them.
func (c *Counterexample) picks() ([]explore.Pick, error) {
	var picks []explore.Pick
	for _, choice := range c.Choices {
		pick := explore.Pick{Event: choice.Event}
		for _, option := range choice.Options {
			if option < 0 || option > math.MaxUint8 {
				return nil, fmt.Errorf("event %d: option %d: want 0 to %d", choice.Event, option, math.MaxUint8)
			}
			pick.Options = append(pick.Options, uint8(option))
		}
		picks = append(picks, pick)
	}
	return picks, nil
}

// ErrNotCounterexample says that a file holds something else.
var ErrNotCounterexample = errors.New("not a counterexample")

// ParseCounterexample reads what a file keeps; file is its name, for messages.
func ParseCounterexample(file string, data []byte) (*Counterexample, error) {
	var c Counterexample
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("%s: %w: %v", file, ErrNotCounterexample, err)
	}
	if c.Kind != counterexampleKind {
		return nil, fmt.Errorf("%s: %w: its kind is %q, want %q", file, ErrNotCounterexample, c.Kind, counterexampleKind)
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
	if known := explore.Properties(s); !slices.Contains(known, c.Property) {
		return nil, nil, fmt.Errorf("property %q: of this scenario want one of %q", c.Property, known)
	}
	return s, p, c.Bounds.Validate()
}

// A Replayed is a counterexample carried out once more on the virtual clock.
type Replayed struct {
	Scenario   string
	Profile    string
	Events     []history.Event  // with the truth, by time
	Flights    []history.Flight // of the commands, in the order in which stores executed them
	Deviations []explore.Deviation
	Violated   []explore.Property
}

// Replay carries the counterexample out on the virtual clock.
func (c *Counterexample) Replay() (*Replayed, error) {
	s, p, err := c.parts()
	if err != nil {
		return nil, err
	}
	picks, err := c.picks()
	if err != nil {
		return nil, err
	}
	r := Replayed{Scenario: s.Name, Profile: p.Name}
	keep := func(e *history.Event) { r.Events = append(r.Events, *e) }
	fly := func(f *history.Flight) { r.Flights = append(r.Flights, *f) }
	if r.Deviations, r.Violated, err = explore.Replay(s, p, c.Bounds, picks, keep, fly); err != nil {
		return nil, err
	}
	if !slices.Contains(r.Violated, c.Property) {
		return nil, fmt.Errorf("carried out, it does not violate %q: it belongs to another scenario, profile or version", c.Property)
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
