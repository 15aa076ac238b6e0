package sim

import (
	"locklab/worker/lock"
	"locklab/worker/wire"
)

// Workers meet at the store alone. So a run needs the order of the commands that arrive there, and what happens at a
// worker in between (replies, timers, stops) can be done at once, ahead of the others. And while the lease is held, the
// tries of those who wait for it are refused, which changes nothing for anyone: one worker's are drawn in a row, up to the
// first instant that may matter. Nothing of this can be told from the outcome.

// mayRunAhead reports whether nobody can see the order in which events are found, no worker does anything to the store
// but by a command, and nobody ends the hold of another, which a belief is measured against: the referee is told of a crash.
// Only where workers crash may a wait have no end. And a store
// tells nobody anything unasked.
func (r *Run) mayRunAhead() bool {
	return r.world.quorum == 0 && r.Observe == nil && r.Flights == nil && !r.source.IsScripted() && !r.world.program.Crashes() &&
		!r.world.meddling && !r.world.wakes
}

// runAhead carries out the run. It reports false if the run has to be cut short.
func (r *Run) runAhead() bool {
	r.silent = !r.Hashing
	done := r.visits()
	r.silent = false
	return done
}

// visits lets one actor after the other go on, until its next command arrives after another's.
func (r *Run) visits() bool {
	for id := range r.actors {
		a := &r.actors[id]
		r.toArrival(a, id)
		r.queue(a, id)
	}
	for {
		id, now := r.order.next()
		if now > maxTime || r.Events >= maxEvents {
			return now == never && r.Events <= maxEvents
		}
		a := &r.actors[id]
		r.visit(a, id, min(r.order.rival(id), maxTime))
		r.queue(a, id)
	}
}

// visit lets an actor's next command arrive at the store, and those after it that arrive before others' do.
func (r *Run) visit(a *actor, id int, before int64) {
	w, l := r.world, &a.link
	for {
		if !a.tries() || !r.refuse(a, id) {
			at := a.next.at
			r.store.Execute(at, &l.command, &l.reply)
			if w.locked && telling(l.command.Op) {
				r.learn(at, &l.command, &l.reply)
			}
			r.Events++
			r.Tally.Commands += l.command.Op.Sent()
			if w.delay.Network.IsZero() {
				at += l.back
			} else {
				at = r.returns(a, at)
			}
			if a.waits == forStore {
				r.answer(a, id, max(at, a.awake))
			} else {
				a.waits ^= forStore | forReply
				l.due = a.due(at)
				r.toArrival(a, id)
			}
		}
		if a.next.at >= before || r.Events >= maxEvents {
			return
		}
	}
}

// answer hands a worker that waits for nothing else the reply, and lets happen all that happens before its next command
// arrives. If nobody looks, the worker glides where it can.
func (r *Run) answer(a *actor, id int, now int64) {
	w, l := r.world, &a.link
	r.Events++
	tag, sleep := wire.Tag(0), int64(0)
	if r.silent && l.queue == 0 {
		tag, sleep = a.worker.Glide(now, &l.reply, &r.Tally, &l.command)
	}
	switch {
	case tag == 0:
		a.waits = 0
		r.replied(a, id, now)
		r.toArrival(a, id)
		return
	case tag == lock.TagRelease:
		r.unbelieve(now, int32(id))
	case l.tag == lock.TagAcquire:
		r.truth.holds[id].believed = now
	}
	each := &w.afterReply
	a.after = afterReply
	if a.asleep = sleep > 0; a.asleep {
		r.Events++
		now = r.fires(a, now, wire.TimerStep, now+sleep)
		a.after = a.sleeps[wire.TimerStep]
		if tag == lock.TagAcquire {
			a.worker.Lock().AskedAt(now)
		}
		each = &w.afterSleep
	}
	if w.flat {
		now += each.Draw(&a.latency)
		l.back = each.Draw(&a.latency)
	} else {
		now += r.latency(a)
	}
	now += w.delay.Network.Draw(&a.network)
	l.tag, l.due.at, a.next.at = tag, now, now
}

// queue says when the actor's next command arrives.
func (r *Run) queue(a *actor, id int) {
	firm := a.next.at
	if a.tries() {
		firm = never
	}
	r.order.put(id, a.next.at, firm)
}

// toArrival lets happen all that happens at a worker before its next command arrives.
func (r *Run) toArrival(a *actor, id int) {
	a.find()
	for a.next.what != arrival && a.next.at <= maxTime {
		r.happen(a, id)
		a.find()
	}
}

// refuse lets the tries of a worker be refused, from the one that arrives next, until one arrives when the lock may be
// free. It reports false if that is so of the first, or if something else may happen to the worker in between; then
// nothing has happened yet.
func (r *Run) refuse(a *actor, id int) bool {
	until := r.store.LivesUntil(wire.KeyLock)
	if a.next.at >= until || a.waits != forStore || a.link.queue > 0 || r.world.learns {
		return false
	}
	if until = min(until, r.order.firmRival(id), maxTime); a.next.at >= until {
		return false
	}
	a.asleep = true
	if r.world.steady {
		return r.refuseSteadily(a, until)
	}
	return r.refuseOneByOne(a, until)
}

// refuseSteadily is for tries of which nothing varies but by dice.
func (r *Run) refuseSteadily(a *actor, until int64) bool {
	law := &r.world.profile.Network.AfterSleep
	ways, sleeps := law.Dice(&a.latency), a.worker.Lock().Sleeps()
	now, back, replied := a.next.at, a.link.back, int64(0)
	// As many tries as are left until the run is cut short take at least so long.
	until = min(until, now+r.world.leastTry*((maxEvents-r.Events)/3+1))
	var n, sleep, there int64
	for ; now < until; n++ {
		replied = now + back
		sleeps, sleep = sleeps.Roll()
		ways, there = ways.Roll()
		ways, back = ways.Roll()
		now = replied + sleep + there
	}
	law.Skip(&a.latency, 2*n)
	a.worker.Lock().Refused(n)
	a.link.back = back
	r.refused(a, n, replied, now)
	return true
}

// refuseOneByOne is for all others. It reports false if the first refusal ends the acquire.
func (r *Run) refuseOneByOne(a *actor, until int64) bool {
	network := &r.world.delay.Network
	now, replied, n := a.next.at, int64(0), int64(0)
	for now < until && r.Events+3*n <= maxEvents {
		answered := now + a.link.back + network.Draw(&a.network)
		next, again := a.worker.Lock().TryAgain(answered)
		if !again {
			network.Skip(&a.network, -1)
			break
		}
		wakes := r.fires(a, answered, wire.TimerRetry, next)
		a.after = a.sleeps[wire.TimerRetry]
		now = wakes + r.latency(a) + network.Draw(&a.network)
		replied = answered
		n++
	}
	r.refused(a, n, replied, now)
	return n > 0
}

// refused counts refused tries of a worker, each an arrival, a reply and a timer; the last reply came at the time given,
// the next try arrives at time now.
func (r *Run) refused(a *actor, n, replied, now int64) {
	a.link.due.at, a.next.at = now, now
	r.Events += 3 * n
	r.Tally.Refused += n
	r.Tally.Commands += n
	r.Tally.End = max(r.Tally.End, replied)
	r.Hash.AddRefused(n)
}
