package scenarios

import (
	"locklab/internal/choice"
	"locklab/worker/wire"
)

// A Profile says what a machine does. All laws are in nanoseconds. The zero value is the ideal machine: no
// latency, timers to the point, stops that bite at once.
type Profile struct {
	Name     string
	About    map[string]string // notes: machine, store, date, as its writer likes; nil for none
	Carries  int               // runs side by side that the machine carries without distorting them; 0 if not known
	Network  Network
	Tick     int64           // a timer goes off a whole number of ticks after it was set, as Timers are late for whole ones; 0 for no ticks
	Timers   []TimerLateness // ascending by Sleep; empty for none
	Start    choice.Law      // how late a worker starts after its drawn start
	Stop     choice.Law      // from the wish for a stop until the process stands
	Continue choice.Law      // from the end of the stop's duration until the process runs again
	Watch    Watch           // of no effect on a simulated run
}

// Watch is what the supervisor of real runs notices while nothing disturbs them. A run during which it notices more is no
// measurement of the machine that the profile describes. A law that is zero says that it was not measured.
type Watch struct {
	Late   choice.Law // how much later than it wanted it wakes
	Answer choice.Law // how long the store takes to answer it
}

// Network is the latency of a command. Each way is drawn apart, or, if RoundTrip, the sum is drawn and halved; or there is
// more to say about it: Ways.
type Network struct {
	RoundTrip  bool
	AfterSleep choice.Law // a command sent on waking from a sleep or a stop
	AfterReply choice.Law // a command sent right after a reply
	Ways       *Ways      // if not nil, instead of all others
}

// Ways is the latency of a command where more was measured: how long it takes depends on what its sender did before, and on
// the command. After a sleep it is that of the timer, see TimerLateness.
type Ways struct {
	AfterReply Trip
	AfterStop  Trip    // on waking from a stop
	ByCommand  []Extra // ascending by Op
	Further    int64   // ns by which each further one leaves later, of the commands that a worker sends at once to several stores
}

// A Trip is the way of a command to the store and that of its reply. Where both laws are sequences of one length they are drawn
// together: sample i of one belongs to sample i of the other.
type Trip struct {
	There, Back choice.Law
}

// IsZero reports whether the trip takes no time.
func (t *Trip) IsZero() bool { return t.There.IsZero() && t.Back.IsZero() }

// Extra is how much longer than the others a command is under way, in ns: the time in which the store executes it. It belongs
// to the way back.
type Extra struct {
	Op   wire.Op
	More int64
}

// TimerLateness is how late a timer fires that was set for about Sleep nanoseconds, and, with Network.Ways, how long a command
// takes that is sent then.
type TimerLateness struct {
	Sleep int64
	Late  choice.Law
	Trip  Trip
}

// Nearest is the index in Timers of the sleep that is nearest to d nanoseconds, by ratio. Timers must not be empty.
func (p *Profile) Nearest(d int64) int {
	last := len(p.Timers) - 1
	for i := range last {
		// Between sleeps a < b the border is their geometric mean: d < sqrt(a b) if d/a < b/d.
		if float64(d)/float64(p.Timers[i].Sleep) < float64(p.Timers[i+1].Sleep)/float64(d) {
			return i
		}
	}
	return last
}

// Ideal is the machine that adds nothing. Ties are common there; the lowest worker wins them.
func Ideal() Profile { return Profile{Name: "ideal"} }

// Lab is what the lesson's lab looked like: 0.1 to 0.3 ms each way, timers late by 0.5 ms on average.
func Lab() Profile {
	const ms = 1_000_000
	each := choice.Law{Kind: choice.Uniform, A: ms / 10, B: 3 * ms / 10}
	return Profile{
		Name:    "lab",
		Network: Network{AfterSleep: each, AfterReply: each},
		Timers:  []TimerLateness{{Sleep: ms, Late: choice.Law{Kind: choice.Exponential, A: ms / 2}}},
	}
}
