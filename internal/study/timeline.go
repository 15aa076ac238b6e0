package study

import (
	"fmt"

	"locklab/history"
	"locklab/plots/page"
	"locklab/scenarios"
	"locklab/sim/explore"
	"locklab/worker/lock"
)

// SimulatedRun is a simulated run for a page.
func SimulatedRun(e *Experiment, p *scenarios.Profile, seed, i uint64, t *Traced) page.Run {
	return page.Run{
		Scenario: e.Scenario.Name, Title: e.Scenario.Title, World: history.Sim,
		Name:   fmt.Sprintf("simulated, profile %s, seed %d, run %d", p.Name, seed, i),
		Events: t.Events, Flights: t.Flights,
	}
}

// measuredRun is a measured run for a page.
func measuredRun(e *Experiment, m *Measured) page.Run {
	run := page.Run{
		Scenario: e.Scenario.Name, Title: e.Scenario.Title, World: history.Real,
		Name:   fmt.Sprintf("measured, repetition %d", m.Record.Run),
		Events: m.Events, Lease: leaseOf(e.Scenario), Disturbed: m.Record.Disturbed,
	}
	if m.Record.Disturbed {
		run.Name += fmt.Sprintf(", disturbed %d", m.Attempt)
	}
	return run
}

// RunVerdict says what came of a run, for a page. Conflicts are bad where something is lost by them, or nothing was written that
// could be.
func RunVerdict(events []history.Event) page.Verdict {
	var t history.Tally
	for i := range events {
		t.Add(&events[i])
	}
	v := page.Verdict{Mood: page.Good, Sentence: fmt.Sprintf("%d of %d entries found another worker inside; lost holds: %d", t.Conflicts, t.Entries, t.LostHolds)}
	for _, more := range []struct {
		what string
		n    int64
	}{
		{"rejected writes", t.RejectedWrites}, {"lost updates", t.LostUpdates}, {"jobs done twice", t.DoneTwice},
		{"updates tried again", t.Retries}, {"workers that wait for ever", t.Never},
	} {
		if more.n > 0 {
			v.Sentence += fmt.Sprintf("; %s: %d", more.what, more.n)
		}
	}
	v.Sentence += "."
	if t.LostHolds > 0 || t.Damage() > 0 || t.Never > 0 || t.Conflicts > 0 && t.Updates == 0 {
		v.Mood = page.Bad
	}
	return v
}

// leaseOf is how long a lease of the scenario lives, in ns; 0 if it has none.
func leaseOf(s *scenarios.Scenario) int64 {
	if s.Lock.Kind == lock.None {
		return 0
	}
	return s.Lock.TTL
}

// Run is the counterexample's run for a page.
func (r *Replayed) Run(p explore.Property) page.Run {
	return page.Run{
		Scenario: r.Scenario, World: history.Sim, Name: fmt.Sprintf("violates: %s, profile %s", p, r.Profile),
		Events: r.Events, Flights: r.Flights,
	}
}
