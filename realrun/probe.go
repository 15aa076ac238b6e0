package realrun

import "locklab/worker/wire"

// A probe collects samples of this machine's delays while a worker runs. All its methods may be called on nil, and
// do nothing then. Times are CLOCK_MONOTONIC in nanoseconds.
type probe struct {
	samples Samples
	timers  [wire.NumTimers]armed
	sends   [maxTags]sending
	slept   int64 // what the worker has just waked from: the duration of a timer
}

const maxTags = 32 // above any tag that a worker uses

// armed is a timer that was set.
type armed struct {
	sleep, due int64
	spoilt     bool // a stop came in between
}

// sending is a command under way.
type sending struct {
	at     int64
	sample CommandSample // but for what is known when it ends
	spoilt bool
}

func (p *probe) set(t wire.Timer, sleep, due int64) {
	if p != nil {
		p.timers[t] = armed{sleep: sleep, due: due}
	}
}

func (p *probe) fired(t wire.Timer, now int64) {
	if p == nil {
		return
	}
	p.slept = max(0, p.timers[t].sleep)
	if p.timers[t].spoilt {
		return
	}
	late := max(0, now-p.timers[t].due)
	if t == wire.TimerStart {
		p.samples.Start = append(p.samples.Start, late)
		return
	}
	p.samples.Timers = append(p.samples.Timers, TimerSample{p.timers[t].sleep, late})
}

// sent takes note of a command that the worker wishes for when it handles an input of the given kind at time now.
func (p *probe) sent(tag wire.Tag, op wire.Op, input wire.InputKind, now int64) {
	if p == nil {
		return
	}
	sample := CommandSample{Op: op, After: AfterSleep, Slept: p.slept}
	switch {
	case input == wire.Resumed:
		sample.After, sample.Slept = AfterStop, 0
	case input == wire.Replied || input == wire.Told || p.slept == 0:
		sample.After, sample.Slept = AfterReply, 0
	}
	p.sends[tag] = sending{at: now, sample: sample}
}

func (p *probe) replied(tag wire.Tag, r *wire.Reply, now int64) {
	if p == nil || p.sends[tag].spoilt {
		return
	}
	s := p.sends[tag].sample
	s.Trip = now - p.sends[tag].at
	s.There = unknown
	if s.Op == wire.Enter || s.Op == wire.Leave {
		s.There = executedAt(r.At) - p.sends[tag].at
	}
	p.samples.Commands = append(p.samples.Commands, s)
}

// executedAt is the time at which a server of this machine read its wall clock, from the whole microseconds that it told.
func executedAt(wallUS int64) int64 {
	const half = 500
	return wallUS*1000 + half - (realtime() - monotonic())
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
