package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"locklab/history"
	"locklab/worker"
	"locklab/worker/lock"
)

// maxPauses bounds the list of pauses, and that of crashes.
const maxPauses = 100

var pauseKeys = []string{"before", "during", "at", "for", "fraction", "every", "probability", "round", "thread", "workers"}

var crashKeys = []string{"before", "during", "fraction", "round", "workers"}

// faults decodes the pauses or the crashes of a scenario whose round is known already.
func (d *decoder) faults(n *node, s *Scenario, of string, decode func(*node, *Scenario) worker.Pause) []worker.Pause {
	items := d.list(n, 0, of)
	if len(items) > maxPauses {
		d.fail(n, "has %d %s; want at most %d", len(items), of, maxPauses)
	}
	var faults []worker.Pause
	for _, item := range items {
		faults = append(faults, decode(item, s))
	}
	return faults
}

func (d *decoder) pause(n *node, s *Scenario) worker.Pause {
	f := d.mapping(n, pauseKeys)
	where := d.oneOf(n, f, "before", "during", "at")
	d.require(n, f, "for")
	p := worker.Pause{For: d.law(f["for"]), Workers: d.someWorkers(f["workers"], s.Workers)}
	if len(p.For.Sequence) > 0 {
		d.fail(f["for"], "is a sequence, but each round draws the length of its pause by itself; want {empirical: …}")
	}
	d.place(where, f, &p, s)
	d.fraction(f["fraction"], &p)
	d.frequency(n, f, &p)
	p.Thread = pick(d, f["thread"], truthWords)
	if p.Thread && s.Lock.Kind == lock.Quorum {
		d.fail(f["thread"], "is true, but the answers of several stores are not told from those for a thread; want false, or a lock of the kind single")
	}
	return p
}

// place decodes where in a round, or when, a pause or a crash hits.
func (d *decoder) place(where string, f fields, p *worker.Pause, s *Scenario) {
	switch where {
	case "before":
		p.Where, p.Step = worker.Before, d.step(f["before"], s)
	case "during":
		p.Where, p.Step = worker.During, d.step(f["during"], s)
	case "at":
		p.Where, p.Time = worker.At, d.duration(f["at"])
	}
}

func (d *decoder) crash(n *node, s *Scenario) worker.Pause {
	f := d.mapping(n, crashKeys)
	where := d.oneOf(n, f, "before", "during")
	d.require(n, f, "round")
	p := worker.Pause{Crash: true, When: worker.InRound, Workers: d.someWorkers(f["workers"], s.Workers)}
	d.place(where, f, &p, s)
	d.fraction(f["fraction"], &p)
	p.Round = int32(d.whole(f["round"], 0, maxRounds-1))
	return p
}

// step decodes a step of the scenario's round.
func (d *decoder) step(n *node, s *Scenario) history.Step {
	if d.skip(n) {
		return 0
	}
	steps := s.Steps()
	var allowed []string
	for _, step := range steps {
		allowed = append(allowed, step.String())
	}
	step := history.StepByName(n.text)
	if !n.isScalar() || step == 0 {
		d.refuse(n, fmt.Sprintf("step %s in %s", n.show(), n.path), n.text, allowed)
		return 0
	}
	if !slices.Contains(steps, step) {
		d.fail(n, "is %q, a step that a round of this scenario does not have; allowed: %s", n.text, strings.Join(allowed, ", "))
	}
	return step
}

// hasFraction reports whether a pause hits at a share of the duration of its step.
func hasFraction(p *worker.Pause) bool {
	return p.Where == worker.During && (p.Step == history.Work || p.Step == history.Think)
}

// fraction decodes where in its step a pause hits.
func (d *decoder) fraction(n *node, p *worker.Pause) {
	if hasFraction(p) {
		p.Fraction = -1
	}
	if d.skip(n) {
		return
	}
	if !hasFraction(p) {
		d.fail(n, "is given, but the pause is not during work or think; leave it out")
		return
	}
	p.Fraction = d.number(n, 0, 1)
}

// frequency decodes which rounds a pause hits: every n-th, each with a probability, or one.
func (d *decoder) frequency(n *node, f fields, p *worker.Pause) {
	given := 0
	for _, key := range []string{"every", "probability", "round"} {
		if f[key] == nil {
			continue
		}
		given++
		if p.Where == worker.At {
			d.fail(f[key], "is given, but a pause at a time hits once; leave it out")
		}
	}
	switch {
	case given > 1:
		d.oneOf(n, f, "every", "probability", "round")
	case f["every"] != nil:
		p.Every = int32(d.whole(f["every"], 1, maxRounds))
	case f["probability"] != nil:
		p.Probability = d.number(f["probability"], 0, 1)
	case f["round"] != nil:
		p.When, p.Round = worker.InRound, int32(d.whole(f["round"], 0, maxRounds-1))
	case p.Where != worker.At:
		p.Every = 1
	}
}

// someWorkers decodes whom something concerns: nil is all.
func (d *decoder) someWorkers(n *node, workers int) []int32 {
	if d.skip(n) || n.isScalar() && n.text == "all" {
		return nil
	}
	if n.isScalar() {
		d.fail(n, "is %s; want all, or a list of workers, e.g. [0, 1]", n.show())
		return nil
	}
	var hit []int32
	for _, item := range d.list(n, 1, "workers") {
		w := int32(d.whole(item, 0, int64(workers)-1))
		if slices.Contains(hit, w) {
			d.fail(item, "is %d, which the list has already; give each worker once", w)
		}
		hit = append(hit, w)
	}
	slices.Sort(hit)
	return hit
}
