package explore

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim"
	"locklab/worker"
)

// A Pick is an event of a run in which a choice was not the quiet one.
type Pick struct {
	Event   int     `json:"event"`   // its number in the run, from 0
	Options []uint8 `json:"options"` // of the choices in it, in the order in which they came up; further ones are quiet
}

// A Counterexample is a run that violates a property, as what it chose.
type Counterexample struct {
	Property   Property
	Picks      []Pick
	Deviations []Deviation // the same for people
}

// A Deviation is one choice that was not the quiet one.
type Deviation struct {
	What   string       `json:"what"` // pause, crash, latency, retry, order
	At     int64        `json:"at_ns"`
	Worker int32        `json:"worker"`
	Round  int32        `json:"round"`
	Step   history.Step `json:"step"`
	Where  string       `json:"where,omitempty"` // before, during; there, back
	How    string       `json:"how,omitempty"`   // short, long; early, late
	For    int64        `json:"for_ns,omitempty"`
}

// counterexample is the current path as a counterexample.
func (x *explorer) counterexample(p Property) *Counterexample {
	c := &Counterexample{Property: p}
	for i, pick := range x.path {
		// Of several picks in one event, the last has the options of all.
		if i+1 < len(x.path) && x.path[i+1].Event == pick.Event {
			continue
		}
		c.Picks = append(c.Picks, Pick{pick.Event, slices.Clone(pick.Options)})
	}
	replay := replayer{scenario: x.scenario, run: x.world.NewRun(), picks: c.Picks}
	if _, err := replay.play(x.limit); err != nil {
		panic(err) // the explorer has just carried it out
	}
	c.Deviations = replay.deviations
	return c
}

// Replay carries out a run around the quiet run of a scenario once more, given what it chose. Events are passed to
// observe as they are found, and commands to flights; either may be nil. It returns the deviations, and which properties the run violates.
func Replay(s *scenarios.Scenario, p *scenarios.Profile, b Bounds, picks []Pick, observe func(*history.Event), flights func(*history.Flight)) ([]Deviation, []Property, error) {
	if b.Pause == 0 {
		b.Pause = PauseFor(s)
	}
	q := quiet(s, &b)
	r := replayer{scenario: q, run: sim.NewWorld(q, p).NewRun(), picks: picks}
	limit, err := patience(r.run, &r.script, s, &b)
	if err != nil {
		return nil, nil, err
	}
	r.run.Observe, r.run.Flights = observe, flights
	endless, err := r.play(limit)
	if err != nil {
		return nil, nil, err
	}
	r.run.Account()
	var violated []Property
	for _, property := range Properties(s) {
		if property.violated(&r.run.Tally, endless) {
			violated = append(violated, property)
		}
	}
	return r.deviations, violated, nil
}

// A replayer carries out one run by its picks.
type replayer struct {
	scenario   *scenarios.Scenario
	run        *sim.Run
	script     choice.Script
	picks      []Pick
	used       int
	deviations []Deviation
}

// play carries the run out, a very long one only in part, and reports whether somebody waits for ever.
func (r *replayer) play(limit int64) (endless bool, err error) {
	r.run.Start(choice.Scripted(&r.script))
	for event := 0; ; event++ {
		at, id, ok := r.run.Next()
		long := r.run.Events > longestRun
		if !ok || at > limit || long {
			return ok && !long, r.unused()
		}
		var options []uint8
		if r.used < len(r.picks) && r.picks[r.used].Event == event {
			options = r.picks[r.used].Options
			r.used++
		}
		r.script.Begin(options)
		r.run.Step()
		if r.script.Misfit() {
			return false, fmt.Errorf("event %d has no such choices: %w", event, errStranger)
		}
		r.describe(at, int32(id))
	}
}

var errStranger = errors.New("the choices belong to another scenario, profile or version")

// unused is the error of a run that has ended before all was chosen.
func (r *replayer) unused() error {
	if r.used == len(r.picks) {
		return nil
	}
	return fmt.Errorf("the run ends before event %d, in which it should choose: %w", r.picks[r.used].Event, errStranger)
}

// describe notes the choices of an event that were not quiet.
func (r *replayer) describe(at int64, id int32) {
	round, step := r.run.Position(int(id))
	latencies := 0
	for _, a := range r.script.Asked() {
		d := Deviation{At: at, Worker: id, Round: round, Step: step}
		if a.Point == choice.Latency {
			d.Where = [...]string{"there", "back"}[min(latencies, 1)]
			latencies++
		}
		if a.Taken == 0 {
			continue
		}
		switch a.Point {
		case choice.Pausing, choice.Crash:
			d.fault(&r.scenario.Pauses[a.Detail])
		case choice.Latency:
			d.What, d.How = "latency", [...]string{1: "short", 2: "long"}[a.Taken]
		case choice.Retry:
			d.What, d.How = "retry", [...]string{1: "early", 2: "late"}[a.Taken]
		case choice.Order:
			d.What, d.How = "order", fmt.Sprintf("option %d", a.Taken)
		}
		r.deviations = append(r.deviations, d)
	}
}

func (d *Deviation) fault(p *worker.Pause) {
	d.What, d.Step, d.Where = "pause", p.Step, "before"
	if p.Where == worker.During {
		d.Where = "during"
	}
	if p.Crash {
		d.What = "crash"
		return
	}
	d.For = p.For.Mean()
}

// String tells the deviation as a sentence.
func (d *Deviation) String() string {
	switch d.What {
	case "pause":
		return fmt.Sprintf("worker %d is stopped for %s in round %d, %s", d.Worker, duration(d.For), d.Round, d.moment())
	case "crash":
		return fmt.Sprintf("worker %d dies in round %d, %s", d.Worker, d.Round, d.moment())
	case "latency":
		return fmt.Sprintf("the command that worker %d sends at %s, in its step %s of round %d, is %s on its way %s",
			d.Worker, duration(d.At), d.Step, d.Round, map[string]string{"short": "fast", "long": "slow"}[d.How], d.Where)
	case "retry":
		return fmt.Sprintf("worker %d, refused at %s in round %d, tries again %s", d.Worker, duration(d.At), d.Round, d.How)
	}
	return fmt.Sprintf("of the commands that arrive together at %s, another is executed before that of worker %d (%s)", duration(d.At), d.Worker, d.How)
}

// moment says where in its step a fault hits.
func (d *Deviation) moment() string {
	switch {
	case d.Where == "before":
		return fmt.Sprintf("before its step %s", d.Step)
	case d.Step == history.Work || d.Step == history.Think:
		return fmt.Sprintf("halfway through its step %s", d.Step)
	}
	return fmt.Sprintf("right after it has sent the command of its step %s", d.Step)
}

// duration writes nanoseconds as scenarios and flags have it.
func duration(ns int64) string { return time.Duration(ns).String() }

// leadOfLower is by how much earlier than the next a worker starts, at least, where ties do not exist.
const leadOfLower = 5_000_000

// Faults is the quiet scenario with the pauses and crashes of the deviations written out, so that the real world can
// carry them out; rest are the deviations that only a simulator can.
func Faults(s *scenarios.Scenario, b Bounds, deviations []Deviation) (faulty *scenarios.Scenario, rest []Deviation) {
	q := *s
	q.Rounds, q.Pauses = b.Rounds, nil
	// In the quiet run the lowest worker wins the ties at the start. Out there it needs a lead.
	q.Apart = max(q.Apart, q.Start, leadOfLower)
	for _, d := range deviations {
		if d.What != "pause" && d.What != "crash" {
			rest = append(rest, d)
			continue
		}
		where := worker.Before
		if d.Where == "during" {
			where = worker.During
		}
		q.Pauses = append(q.Pauses, worker.Pause{
			Where: where, Step: d.Step, For: choice.Const(d.For), Fraction: 0.5, Crash: d.What == "crash",
			When: worker.InRound, Round: d.Round, Workers: []int32{d.Worker},
		})
	}
	return &q, rest
}
