package calibrate

import (
	"slices"

	"locklab/realrun"
	"locklab/scenarios"
	"locklab/worker/wire"
)

// commands are the samples of commands, from which the trips of a profile are made.
//
// What a trip takes is that of plain commands, which the store executes at once: the acquire, the token, the release. What others take
// longer is the time in which the store executes them; it is added by command.
type commands struct {
	samples []realrun.CommandSample
	split   bool // the store's clock is this machine's, so that the way there can be told
	extra   [wire.Sleep + 1]int64
}

var (
	plain = []wire.Op{wire.SetNX, wire.CompareDelete, wire.Incr}
	other = []wire.Op{wire.SetNXToken, wire.Write, wire.Enter, wire.Leave} // ascending
)

// addTrips adds the latency of commands to a profile, and says how each way was found.
func (c *commands) addTrips(p *scenarios.Profile) string {
	p.Network.Ways = &scenarios.Ways{}
	w := p.Network.Ways
	for _, op := range other {
		if c.extra[op] = c.longer(op); c.extra[op] > 0 {
			w.ByCommand = append(w.ByCommand, scenarios.Extra{Op: op, More: c.extra[op]})
		}
	}
	c.split = c.split && c.plausible()
	w.AfterReply = c.trip(situation{after: realrun.AfterReply})
	w.AfterStop = c.trip(situation{after: realrun.AfterStop})
	for i := range p.Timers {
		p.Timers[i].Trip = c.trip(situation{realrun.AfterSleep, i})
	}
	if c.split {
		return "each way by the clock that client and store share"
	}
	return "round trips, halved: the store may be on another machine"
}

// A situation is what a worker did before it sent a command.
type situation struct {
	after realrun.After
	sleep int // after a sleep: the index of Sleeps
}

// of is a sample's situation. It reports false if the worker slept for another time than Sleeps.
func of(s *realrun.CommandSample) (situation, bool) {
	if s.After != realrun.AfterSleep {
		return situation{after: s.After}, true
	}
	i := nearest(s.Slept)
	return situation{s.After, i}, i >= 0
}

// those gives a number of each command of some kinds that was sent in a situation.
func (c *commands) those(in situation, ops []wire.Op, number func(*realrun.CommandSample) int64) (list []int64) {
	for i := range c.samples {
		s := &c.samples[i]
		if where, ok := of(s); ok && where == in && slices.Contains(ops, s.Op) {
			list = append(list, number(s))
		}
	}
	return list
}

func wholeTrip(s *realrun.CommandSample) int64 { return s.Trip }

// Where a kind of command differs by less than this from the plain ones, in ns, it is taken to be one of them.
const leastExtra = 5_000

// longer is how much longer a command takes than plain ones in the same situation, by the medians: the mean over situations, each
// counting by the samples there are of the rarer kind.
func (c *commands) longer(op wire.Op) int64 {
	const few = 20
	var sum, weight int64
	for _, in := range c.situations() {
		mine, theirs := c.those(in, []wire.Op{op}, wholeTrip), c.those(in, plain, wholeTrip)
		if n := int64(min(len(mine), len(theirs))); n >= few {
			sum += n * (median(mine) - median(theirs))
			weight += n
		}
	}
	if weight == 0 || sum/weight < leastExtra {
		return 0
	}
	return sum / weight
}

func (c *commands) situations() []situation {
	list := []situation{{after: realrun.AfterReply}, {after: realrun.AfterStop}}
	for i := range Sleeps {
		list = append(list, situation{realrun.AfterSleep, i})
	}
	return list
}

// plausible reports whether the store's times lie where they must if its clock is this machine's: between sending and reply,
// but for one in a hundred.
func (c *commands) plausible() bool {
	told, wrong := 0, 0
	for i := range c.samples {
		if s := &c.samples[i]; s.HasThere() {
			const rounding = 1000
			if told++; s.There < -rounding || s.There > s.Trip+rounding {
				wrong++
			}
		}
	}
	return told > 0 && wrong*100 <= told
}

// trip is the trip of plain commands in a situation. The store tells its time only to enter and leave, so the sum of both ways of the
// others is split as theirs is.
func (c *commands) trip(in situation) scenarios.Trip {
	share := c.shareThere(in)
	var there, back []int64
	for _, trip := range someRows(c.those(in, plain, wholeTrip)) {
		ahead := int64(share * float64(trip))
		there, back = append(there, ahead), append(back, trip-ahead)
	}
	return scenarios.Trip{There: law(there), Back: law(back)}
}

// shareThere is the way there as a share of both ways, by the medians of enter and leave without the time that they take
// longer; where there are few of them, of those in all situations.
func (c *commands) shareThere(in situation) float64 {
	const half, few = 0.5, 10
	if !c.split {
		return half
	}
	there, trip := c.refereeWays(in)
	if len(there) < few {
		for _, any := range c.situations() {
			t, both := c.refereeWays(any)
			there, trip = append(there, t...), append(trip, both...)
		}
	}
	if len(there) == 0 {
		return half
	}
	return min(max(float64(median(there))/float64(median(trip)), 0), 1)
}

// refereeWays are, of each enter and leave in a situation, the way there and both ways without the time that it takes longer.
func (c *commands) refereeWays(in situation) (there, trip []int64) {
	referee := []wire.Op{wire.Enter, wire.Leave}
	there = c.those(in, referee, func(s *realrun.CommandSample) int64 { return s.There })
	trip = c.those(in, referee, func(s *realrun.CommandSample) int64 { return max(1, s.Trip-c.extra[s.Op]) })
	return there, trip
}
