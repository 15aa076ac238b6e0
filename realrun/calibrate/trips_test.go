package calibrate

import (
	"slices"
	"testing"

	"locklab/realrun"
	"locklab/scenarios"
	"locklab/worker/wire"
)

// sent are n commands of a kind that took so long, and of which the store told a time or not.
func sent(n int, op wire.Op, after realrun.After, slept, trip, there int64) []realrun.CommandSample {
	return slices.Repeat([]realrun.CommandSample{{Op: op, After: after, Slept: slept, Trip: trip, There: there}}, n)
}

// knownSamples are samples in which plain commands take 60 µs after a reply and 100 µs after a sleep, two thirds of it there, and
// enter takes 90 µs longer.
func knownSamples() []realrun.CommandSample {
	const us, untold = 1000, -1 << 62
	return slices.Concat(
		sent(40, wire.CompareDelete, realrun.AfterReply, 0, 60*us, untold),
		sent(40, wire.Enter, realrun.AfterReply, 0, 150*us, 40*us),
		sent(40, wire.Write, realrun.AfterReply, 0, 64*us, untold),
		sent(40, wire.SetNX, realrun.AfterSleep, 25*ms, 100*us, untold),
		sent(10, wire.Leave, realrun.AfterSleep, 25*ms, 400*us, 70*us),
		sent(10, wire.SetNX, realrun.AfterSleep, 17*ms, 900*us, untold),
	)
}

func TestTrips(t *testing.T) {
	for _, test := range []struct {
		name         string
		local        bool
		there, back  int64 // after a reply
		wrong        int   // times that cannot be
		shareOfSleep int64 // there after a sleep
	}{
		{"a store of this machine", true, 40_000, 20_000, 0, 17_500},
		{"a store elsewhere", false, 30_000, 30_000, 0, 50_000},
		{"a store whose clock is not ours", true, 30_000, 30_000, 5, 50_000},
	} {
		c := commands{samples: knownSamples(), split: test.local}
		for i := range c.samples {
			if s := &c.samples[i]; s.HasThere() && test.wrong > 0 {
				test.wrong--
				s.There = s.Trip + 1_000_000
			}
		}
		p := &scenarios.Profile{}
		for _, sleep := range Sleeps {
			p.Timers = append(p.Timers, scenarios.TimerLateness{Sleep: sleep})
		}
		c.addTrips(p)
		w := p.Network.Ways
		if want := []scenarios.Extra{{Op: wire.Enter, More: 90_000}}; !slices.Equal(w.ByCommand, want) {
			t.Errorf("%s: %+v, want %+v", test.name, w.ByCommand, want)
		}
		got := w.AfterReply
		if len(got.There.Samples) != 40 || got.There.Max() != test.there || got.Back.Max() != test.back {
			t.Errorf("%s: after a reply %d of %d there, %d back", test.name, len(got.There.Samples), got.There.Max(), got.Back.Max())
		}
		slept := p.Timers[3].Trip
		if sum := slept.There.Max() + slept.Back.Max(); len(slept.There.Samples) != 40 || slept.There.Max() != test.shareOfSleep || sum != 100_000 {
			t.Errorf("%s: after a sleep %d of %d there, %d both ways", test.name, len(slept.There.Samples), slept.There.Max(), sum)
		}
		if !w.AfterStop.IsZero() {
			t.Errorf("%s: a trip after a stop that was not measured", test.name)
		}
	}
}

// What further commands cost is told from groups of commands that were sent at once, in the order in which workers got the
// replies.
func TestFurther(t *testing.T) {
	del := func(trip int64) realrun.CommandSample {
		return realrun.CommandSample{Op: wire.CompareDelete, After: realrun.AfterReply, Trip: trip}
	}
	var single, at []realrun.CommandSample
	for i := range int64(100) {
		single = append(single, del(100_000+1000*i), realrun.CommandSample{Op: wire.CompareDelete, After: realrun.AfterStop, Trip: 9_000_000})
		for k := range int64(5) {
			at = append(at, realrun.CommandSample{Op: wire.SetNX, Trip: 1}, del(100_000+40_000*k))
		}
		at = append(at, realrun.CommandSample{Op: wire.Enter, Trip: 1})
	}
	// Of 5 independent ones the slowest is below 187 us as often as not; the last of a group takes 260 us.
	if got := further(single, at, 5); got != (260_000-187_000)/4 {
		t.Errorf("each further command is %d ns later, want %d", got, (260_000-187_000)/4)
	}
	if got := further(at, single, 5); got != 0 {
		t.Errorf("%d ns where those at once are faster", got)
	}
	if got := further(single[:20], at, 5); got != 0 {
		t.Errorf("%d ns from few samples", got)
	}
}
