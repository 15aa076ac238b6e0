package realrun

import "locklab/worker/wire"

// A probe collects samples of this machine's delays while a worker runs. All its methods may be called on nil, and
// do nothing then. Times are CLOCK_MONOTONIC in nanoseconds.
type probe struct {
	samples Samples
	timers  [wire.NumTimers]armed
	sends   [maxTags]sending
}

const maxTags = 16 // above any tag that a worker uses

// armed is a timer that was set.
type armed struct {
	sleep, due int64
	spoilt     bool // a stop came in between
}

// sending is a command under way.
type sending struct {
	at         int64
	afterReply bool
	spoilt     bool
}

func (p *probe) set(t wire.Timer, sleep, due int64) {
	if p != nil {
		p.timers[t] = armed{sleep: sleep, due: due}
	}
}

func (p *probe) fired(t wire.Timer, now int64) {
	if p == nil || p.timers[t].spoilt {
		return
	}
	late := max(0, now-p.timers[t].due)
	if t == wire.TimerStart {
		p.samples.Start = append(p.samples.Start, late)
		return
	}
	p.samples.Timers = append(p.samples.Timers, TimerSample{p.timers[t].sleep, late})
}

func (p *probe) sent(tag wire.Tag, after wire.InputKind, now int64) {
	if p != nil {
		p.sends[tag] = sending{at: now, afterReply: after == wire.Replied}
	}
}

func (p *probe) replied(tag wire.Tag, now int64) {
	if p == nil || p.sends[tag].spoilt {
		return
	}
	trip := now - p.sends[tag].at
	if p.sends[tag].afterReply {
		p.samples.AfterReply = append(p.samples.AfterReply, trip)
	} else {
		p.samples.AfterSleep = append(p.samples.AfterSleep, trip)
	}
}

// stopped takes note of a stop of the given length: asked for, in force and over at the given times.
func (p *probe) stopped(asked, stood int64, length, over int64) {
	if p == nil {
		return
	}
	p.samples.Stop = append(p.samples.Stop, max(0, stood-asked))
	p.samples.Continue = append(p.samples.Continue, max(0, over-stood-length))
	for t := range p.timers {
		p.timers[t].spoilt = true
	}
	for tag := range p.sends {
		p.sends[tag].spoilt = true
	}
}
