// Package sim predicts one run: workers, links and a store on a virtual clock of whole nanoseconds. It is pure: the
// same world and seed give the same events, on every machine. Many runs side by side are sim/batch's business.
//
// Order is total and intrinsic: events take place by time, at one time by actor (the lowest worker first), and for
// one actor in the order in which it caused them.
package sim

import (
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim/store"
	"locklab/worker"
	"locklab/worker/lock"
	"locklab/worker/wire"
)

// A World is what a run takes place in: who does what on which machine. It is shared by runs and never changes.
type World struct {
	program     *worker.Program
	profile     scenarios.Profile
	delay       scenarios.Delay
	locked      bool // there is a lock, and so a truth about who holds it
	meddling    bool // a worker may end the hold of another
	endless     bool // a lease may have no deadline, and who waits for one does so without a limit
	wakes       bool // who waits is told of releases
	quorum      int  // how many stores have to hold it together; 0 if one store is all there is to it
	stores      int
	tokenBefore bool        // a token belongs to the hold that follows
	punctual    bool        // no timer is ever late
	flat        bool        // latencies are constant or uniform
	afterSleep  choice.Flat // and then these
	afterReply  choice.Flat
	learns      bool  // a worker has to know when it sent a try
	steady      bool  // of the tries to acquire nothing varies but sleep and latency, and these by dice
	leastTry    int64 // ns from a try to the next, at least so long
	phase       choice.Name
	begin       store.Begin // what the store holds when a run begins
	numbered    int         // keys of wire.Numbered
	actors      []actorNames
	others      otherNames
	lines       []lineNames
	trips       []scenarios.Trip      // by what the sender did before: afterReply, afterStop, fromSleep and on; nil if latencies are simple
	longest     uint8                 // of trips: after the longest sleep
	more        [wire.Sleep + 1]int64 // how much longer a command is under way, by its Op
	further     int64                 // how much later each further one leaves, of commands that are sent at once
}

// actorNames are the names of the streams of one worker's surroundings.
type actorNames struct {
	latency, lateness, stop, resume choice.Name // the profile's
	network, timer                  choice.Name // the scenario's own delay
}

// NewWorld is the world of a scenario on a machine.
func NewWorld(s *scenarios.Scenario, p *scenarios.Profile) *World {
	w := &World{
		program: worker.NewProgram(s.Plan, s.Workers),
		profile: *p, delay: s.Delay,
		locked: s.Lock.Kind != lock.None, tokenBefore: s.Fencing.Token == worker.TokenBefore,
		meddling: s.Lock.Meddles(),
		endless:  s.Lock.Kind != lock.None && !s.Lock.Expires() && s.Lock.Retry.Endless(),
		learns:   s.Lock.Loss.Learn != lock.LearnNever,
		phase:    choice.NameOf("store", 0, "phase"), stores: s.Lock.Stores(),
	}
	if s.Lock.Kind == lock.Quorum {
		w.quorum = s.Lock.Quorum.Majority()
		w.nameOthers(s.Workers)
	}
	if w.wakes = s.Lock.Retry.Wakes(); w.wakes {
		w.nameLines(s.Workers)
	}
	w.prepare(s)
	w.measureTrips(p)
	w.flat = w.trips == nil && p.Network.AfterSleep.IsFlat() && p.Network.AfterReply.IsFlat() && !p.Network.RoundTrip
	w.afterSleep, w.afterReply = p.Network.AfterSleep.Flat(), p.Network.AfterReply.Flat()
	w.punctual = len(p.Timers) == 0 && s.Delay.Timer.IsZero()
	const enough = 1 << 32 // ns; more would only make the time of many tries overflow
	w.leastTry = min(s.Lock.Retry.Every.Min()+2*p.Network.AfterSleep.Min(), enough)
	w.steady = s.Lock.Retry.Steady() && w.leastTry > 0 && w.flat && w.punctual && s.Delay.Network.IsZero()
	for id := range s.Workers {
		network, timer := worker.DelayStreams(id)
		w.actors = append(w.actors, actorNames{
			latency:  choice.NameOf("link", id, "latency"),
			lateness: choice.NameOf("worker", id, "lateness"),
			stop:     choice.NameOf("worker", id, "stop"),
			resume:   choice.NameOf("worker", id, "continue"),
			network:  network,
			timer:    timer,
		})
	}
	return w
}

// prepare says what the store holds when a run begins.
func (w *World) prepare(s *scenarios.Scenario) {
	w.numbered = s.Resource.Numbered(s.Workers, s.Rounds)
	w.begin = store.Begin{Token: max(s.Fencing.First, 1) - 1, Balance: s.Resource.Opening}
	if s.Resource.Kind == worker.Balance && s.Resource.Update == worker.Partition {
		w.begin.Accounts = int32(s.Workers)
	}
}

// What a sender did before it sends a command: indexes of the world's trips.
const (
	afterReply = iota
	afterStop
	fromSleep // plus the index of the nearest of the profile's timers
)

// measureTrips makes the trips of a profile ready that tells them apart. What it leaves out is as after a reply.
func (w *World) measureTrips(p *scenarios.Profile) {
	ways := p.Network.Ways
	if ways == nil {
		return
	}
	w.trips = append(w.trips, ways.AfterReply, ways.AfterStop)
	for i := range p.Timers {
		w.trips = append(w.trips, p.Timers[i].Trip)
	}
	for i := range w.trips {
		if w.trips[i].IsZero() {
			w.trips[i] = ways.AfterReply
		}
	}
	w.longest = uint8(len(w.trips) - 1)
	w.further = ways.Further
	for _, e := range ways.ByCommand {
		w.more[e.Op] = e.More
	}
}
