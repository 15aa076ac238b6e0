package sim

import (
	"math"
	"math/bits"

	"locklab/internal/choice"
	"locklab/worker"
	"locklab/worker/wire"
)

// never is the time of what is not going to happen.
const never = math.MaxInt64

// An actor is one worker with what surrounds it: its link to the store, its timers, and whether its process stands.
type actor struct {
	worker worker.Worker
	waits  waits
	next   pending
	link   link
	timers [wire.NumTimers]moment
	sleeps [wire.NumTimers]uint8 // what after will be when they fire
	stop   moment                // the end of the stop that is under way
	stands int64                 // the beginning of it
	awake  int64                 // the end of the last stop: nothing happened at the worker before
	asleep bool                  // what the worker handles now it handles on waking, not right after a reply
	after  uint8                 // and on waking from what: an index of the world's trips, if it has any
	dead   bool
	seq    uint32

	latency, lateness, stopping, resuming choice.Stream
	network, timer                        choice.Stream
}

// waits is the set of what an actor waits for: a bit for each timer that is set, and these.
type waits uint16

const (
	forStore  waits = 1 << (wire.NumTimers + iota) // its command is on the way to the store
	forReply                                       // the reply is on the way to it
	forResume                                      // its process is stopped

	forStep = waits(1 << wire.TimerStep)
	forLink = forStore | forReply
)

// A moment is when something is due, and its number among the actor's own.
type moment struct {
	at  int64
	seq uint32
}

// before orders moments of one actor. One that was due while the process stood takes place when it wakes, in the
// order of its own time.
func (m moment) before(o moment, awake int64) bool {
	a, b := max(m.at, awake), max(o.at, awake)
	if a != b {
		return a < b
	}
	return m.at < o.at || m.at == o.at && m.seq < o.seq
}

// what says what an actor's next event is.
type what uint8

const (
	arrival what = iota + 1 // its command reaches the store
	reply                   // the store's reply reaches it
	resumption
	firing // plus the timer's number

	message = firing + what(wire.NumTimers)
)

// pending is an actor's next event.
type pending struct {
	at   int64
	what what
}

// find looks for the actor's next event.
func (a *actor) find() {
	a.next = pending{at: never}
	if a.waits&forStore != 0 {
		a.next = pending{a.link.due.at, arrival}
	}
	if a.waits&forResume != 0 {
		if a.stop.at < a.next.at {
			a.next = pending{a.stop.at, resumption}
		}
		return
	}
	own, kind := moment{at: never}, what(0)
	if a.waits&forReply != 0 {
		own, kind = a.link.due, reply
	}
	for set := a.waits &^ forLink; set != 0; set &= set - 1 {
		t := bits.TrailingZeros16(uint16(set))
		if m := a.timers[t]; m.before(own, a.awake) {
			own, kind = m, firing+what(t)
		}
	}
	if at := max(own.at, a.awake); own.at != never && at < a.next.at {
		a.next = pending{at, kind}
	}
}

// arm sets a timer for a time of the run.
func (a *actor) arm(t wire.Timer, at int64) {
	a.timers[t] = a.due(at)
	a.waits |= 1 << t
}

// disarm takes a timer back.
func (a *actor) disarm(t wire.Timer) { a.waits &^= 1 << t }

// silence takes back all timers.
func (a *actor) silence() { a.waits &= forLink | forResume }

// tries reports whether the command that is under way is a try to acquire.
func (a *actor) tries() bool { return a.link.command.Op <= wire.SetNXToken }

// due numbers a moment.
func (a *actor) due(at int64) moment {
	a.seq++
	return moment{at, a.seq}
}

// A link is a worker's connection to the store: one command at a time. A further one waits for the reply.
type link struct {
	due     moment // when the command, or the reply to it, arrives
	back    int64  // the latency of the reply
	leaves  int64  // when the command leaves its worker, if the scenario delays it; else some time before that
	tag     wire.Tag
	command wire.Command
	reply   wire.Reply
	waiting [maxQueue]queued
	queue   int
}

// maxQueue is the most commands that wait on one link.
const maxQueue = 3

type queued struct {
	tag     wire.Tag
	command wire.Command
}

// push adds a command that has to wait.
func (l *link) push(tag wire.Tag, c *wire.Command) {
	l.waiting[l.queue] = queued{tag, *c}
	l.queue++
}

// pop takes the command that has waited longest.
func (l *link) pop() queued {
	first := l.waiting[0]
	l.queue--
	copy(l.waiting[:], l.waiting[1:l.queue+1])
	return first
}
