package realrun

import (
	"math"
	"time"

	"locklab/worker/wire"
)

// timers are a worker's timers. One timer of the runtime stands for them all: those that are due together, as after a
// stop, come in the order of their times and not, as from several channels, in any.
type timers struct {
	next *time.Timer // goes off when the earliest is due
	all  [wire.NumTimers]alarm
	sets int64 // how often a timer was set so far
}

// alarm is when a timer is due, CLOCK_MONOTONIC in nanoseconds, and which set that was.
type alarm struct {
	at, set int64
}

const notSet = math.MaxInt64

func newTimers() timers {
	t := timers{next: time.NewTimer(time.Hour)}
	t.next.Stop()
	for i := range t.all {
		t.all[i].at = notSet
	}
	return t
}

func (t *timers) set(which wire.Timer, at int64) {
	t.sets++
	t.all[which] = alarm{at, t.sets}
	t.arm()
}

func (t *timers) cancel(which wire.Timer) {
	t.all[which].at = notSet
	t.arm()
}

// take takes the timer that is due first, if one is due.
func (t *timers) take() (which wire.Timer, ok bool) {
	if which = t.earliest(); t.all[which].at <= monotonic() {
		t.all[which].at, ok = notSet, true
	}
	t.arm()
	return which, ok
}

func (t *timers) earliest() wire.Timer {
	first := wire.Timer(0)
	for i := range t.all {
		a, b := &t.all[i], &t.all[first]
		if a.at < b.at || a.at == b.at && a.set < b.set {
			first = wire.Timer(i)
		}
	}
	return first
}

// arm sets the runtime's timer for the earliest.
func (t *timers) arm() {
	if at := t.all[t.earliest()].at; at != notSet {
		t.next.Reset(time.Duration(at - monotonic()))
	} else {
		t.next.Stop()
	}
}
