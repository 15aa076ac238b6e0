package sim

import (
	"locklab/history"
	"locklab/internal/choice"
)

// What follows lets sim/explore go through all runs around a quiet one: a run can be copied at any time, states can be
// told apart, and the order of commands that arrive together can be chosen.

// CopyFrom makes the run the same as another in the same world. The two go on independently, but for their source of
// choices and Observe.
func (r *Run) CopyFrom(o *Run) {
	r.Tally, r.Events, r.Bounded, r.source = o.Tally, o.Events, o.Bounded, o.source
	copy(r.actors, o.actors)
	r.order.copyFrom(&o.order)
	r.store.CopyFrom(&o.store)
	r.others.copyFrom(&o.others)
	r.messages.copyFrom(&o.messages)
	holds := r.truth.holds
	copy(holds, o.truth.holds)
	r.truth = o.truth
	r.truth.holds = holds
}

// chooseArrival lets the source of choices say which of the commands that arrive at one instant is executed first, if the
// next event, of the actor given, is such an arrival.
func (r *Run) chooseArrival(a *actor, id int, at int64) (*actor, int) {
	switch {
	case a.next.what != arrival && !a.next.what.arrivesElsewhere():
		return a, id
	case r.others.n > 0:
		return r.chooseAmongAll(a.next.what, at)
	}
	together := 0
	for i := range r.actors {
		if r.arrives(i, at) {
			together++
		}
	}
	pick := 0
	if together > 1 {
		pick = r.source.Choose(choice.Order, 0, together)
	}
	for i := range r.actors {
		if r.arrives(i, at) {
			if pick == 0 {
				return &r.actors[i], i
			}
			pick--
		}
	}
	panic("sim: no command arrives")
}

func (r *Run) arrives(i int, at int64) bool {
	next := r.actors[i].next
	return next.at == at && next.what == arrival
}

// Next is the time of the next event, and the worker that it is about. It reports false if there is none.
func (r *Run) Next() (at int64, worker int, ok bool) {
	worker, at = r.order.next()
	return at, worker, at != never
}

// Position is where a worker stands: its round and its step.
func (r *Run) Position(worker int) (round int32, step history.Step) {
	w := &r.actors[worker].worker
	return w.Round(), w.CurrentStep()
}

// Digest sums up all that decides how the run goes on.
func (r *Run) Digest() choice.Digest {
	var d choice.Digest
	for i := range r.actors {
		r.actors[i].digest(&d)
	}
	r.store.Digest(&d)
	r.others.digest(&d)
	r.messages.digest(&d)
	r.truth.digest(&d)
	return d
}

func (a *actor) digest(d *choice.Digest) {
	d.Add(int64(a.waits))
	a.link.digest(d, a.waits)
	if a.dead {
		d.Add(-1)
		return
	}
	a.worker.Digest(d)
	if a.waits&forResume != 0 {
		d.Add(a.stop.at)
		d.Add(a.stands)
	}
	d.Add(a.awake)
	for t := range a.timers {
		if a.waits&(1<<t) != 0 {
			d.Add(a.timers[t].at)
			d.Add(int64(a.sleeps[t]))
		}
	}
}

func (l *link) digest(d *choice.Digest, w waits) {
	if w&forLink == 0 {
		return
	}
	d.Add(l.due.at)
	d.Add(int64(l.tag)<<8 | int64(l.command.Op))
	d.Add(l.command.Value ^ l.command.Token)
	for i := range l.queue {
		d.Add(int64(l.waiting[i].tag)<<8 | int64(l.waiting[i].command.Op))
		d.Add(l.waiting[i].command.Value)
	}
	if w&forStore != 0 {
		d.Add(l.back)
		d.Add(l.leaves)
		return
	}
	d.Add(int64(l.reply.Status)<<32 | int64(l.reply.Inside))
	d.Add(l.reply.Value)
}

func (t *truth) digest(d *choice.Digest) {
	for i := range t.holds {
		h := &t.holds[i]
		d.Add(h.order)
		d.Add(h.token)
		d.Add(h.end)
	}
	d.Add(t.accepted)
	d.Add(t.fenced)
	d.Add(t.token)
}
