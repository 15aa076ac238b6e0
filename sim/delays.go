package sim

import (
	"locklab/internal/choice"
	"locklab/worker/wire"
)

// returns is when the reply that is sent at time now is handed to the worker. A declared delay passes at the worker, who has to
// run for it to begin.
func (r *Run) returns(a *actor, now int64) int64 { return r.returnsOn(a, &a.link, &a.network, now) }

// returnsOn is returns for any of the worker's links.
func (r *Run) returnsOn(a *actor, l *link, network *choice.Stream, now int64) int64 {
	return r.handed(a, now+l.back, r.world.delay.Network.Draw(network))
}

// handed is when the worker is handed what is there at the time given.
func (r *Run) handed(a *actor, at, delay int64) int64 {
	if delay > 0 && a.waits&forResume != 0 && at >= a.stands {
		at = max(at, a.stop.at)
	}
	return at + delay
}

// latency draws how long a command takes there, and how long its reply will take back.
func (r *Run) latency(a *actor) (there int64) { return r.latencyOn(a, &a.link, &a.latency) }

// latencyOn is latency for any of the worker's links.
func (r *Run) latencyOn(a *actor, l *link, latency *choice.Stream) (there int64) {
	if r.world.trips != nil {
		return r.tripOn(a, l, latency)
	}
	network := &r.world.profile.Network
	law := &network.AfterReply
	if a.asleep {
		law = &network.AfterSleep
	}
	if network.RoundTrip {
		there = law.Draw(latency)
		l.back = there / 2
		return there - l.back
	}
	there, l.back = law.Pair(latency)
	return there
}

// tripOn is latencyOn where it depends on the command and on what went before.
func (r *Run) tripOn(a *actor, l *link, latency *choice.Stream) (there int64) {
	trip := &r.world.trips[a.after]
	there, l.back = choice.Together(&trip.There, &trip.Back, latency)
	l.back += r.world.more[l.command.Op]
	return there
}

// fires is when a timer that is set for the given time goes off.
func (r *Run) fires(a *actor, now int64, t wire.Timer, at int64) int64 {
	switch {
	case t == wire.TimerStart:
		a.sleeps[t] = r.world.longest
		return at + r.world.profile.Start.Draw(&a.lateness)
	case at <= now:
		a.sleeps[t] = afterReply
		return now
	case r.world.punctual:
		return at
	}
	at += r.world.delay.Timer.Draw(&a.timer)
	if len(r.world.profile.Timers) == 0 {
		return at
	}
	return at + r.late(a, t, at-now)
}

// late draws how late a timer fires that is set for d nanoseconds, and takes note of what sleep that is.
func (r *Run) late(a *actor, t wire.Timer, d int64) int64 {
	p := &r.world.profile
	nearest := p.Nearest(d)
	if r.world.trips != nil {
		a.sleeps[t] = uint8(fromSleep + nearest)
	}
	late := p.Timers[nearest].Late.Draw(&a.lateness)
	if p.Tick > 0 {
		late = ticking(late, d, p.Tick)
	}
	return late
}

// ticking is how late a timer is that waits in whole ticks, if it would be late by the given time after whole ticks. It looks
// whether its time has come after the whole ticks that are in d, being late by half of that, and else after one more.
func ticking(late, d, tick int64) int64 {
	over := d % tick
	switch {
	case over == 0:
		return late
	case late/2 >= over:
		return late/2 - over
	}
	return late + tick - over
}
