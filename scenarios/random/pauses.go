package random

import (
	"slices"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker"
	"locklab/worker/lock"
)

// pauses draws up to two pauses; most scenarios have one.
func (d *drawing) pauses() {
	for range oneOf(&d.dice, 0, 1, 1, 1, 2) {
		p := worker.Pause{For: d.lengths()}
		if d.chance(35) {
			p.Workers = d.some()
		}
		if d.chance(15) {
			p.Where, p.Time = worker.At, d.length(10*ms, 1000*ms)
		} else {
			d.place(&p)
			d.frequency(&p)
		}
		d.s.Pauses = append(d.s.Pauses, p)
	}
}

// lengths says how long a pause takes. Each round draws it by itself, so it is no sequence.
func (d *drawing) lengths() choice.Law {
	reference := max(d.work, d.s.Lock.TTL)
	law := d.law(d.share(reference, 20, 250))
	law.Sequence = nil
	return law
}

// place draws where in a round a pause or a crash hits.
func (d *drawing) place(p *worker.Pause) {
	p.Where = oneOf(&d.dice, worker.Before, worker.During)
	p.Step = oneOf(&d.dice, d.s.Steps()...)
	if d.s.Lock.Kind != lock.None && d.chance(30) {
		p.Step = history.Enter // the lesson's place: between the grant and the work
	}
	if p.Where == worker.During && (p.Step == history.Work || p.Step == history.Think) {
		p.Fraction = -1
		if d.chance(50) {
			p.Fraction = oneOf(&d.dice, 0, 0.25, 0.5, 0.9, 1)
		}
	}
}

// frequency draws which rounds a pause hits.
func (d *drawing) frequency(p *worker.Pause) {
	switch d.between(0, 5) {
	case 0, 1, 2:
		p.Every = int32(d.between(1, 6))
	case 3, 4:
		p.Probability = oneOf(&d.dice, 0.05, 0.1, 0.2, 0.3, 0.5)
	default:
		p.When, p.Round = worker.InRound, int32(d.between(0, int64(d.s.Rounds)-1))
	}
}

// some are some of the workers, at least one and not all.
func (d *drawing) some() []int32 {
	var all []int32
	for id := range d.s.Workers {
		all = append(all, int32(id))
	}
	for range d.between(1, int64(d.s.Workers)-1) {
		i := int(d.between(0, int64(len(all)-1)))
		all = slices.Delete(all, i, i+1)
	}
	return all
}

// crash draws, for few scenarios, that one worker dies.
func (d *drawing) crash() {
	if !d.chance(8) {
		return
	}
	p := worker.Pause{Crash: true, When: worker.InRound, Round: int32(d.between(0, int64(d.s.Rounds)-1))}
	d.place(&p)
	p.Workers = []int32{int32(d.between(0, int64(d.s.Workers)-1))}
	d.s.Pauses = append(d.s.Pauses, p)
}
