package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/worker/wire"
)

const ms = 1_000_000

func constant(d int64) choice.Law { return choice.Const(d * ms) }

func trip(there, back int64) scenarios.Trip {
	return scenarios.Trip{There: constant(there), Back: constant(back)}
}

// times says when the named events of worker 0 were, in ms, e.g. "entered 2, left 304".
func times(events []history.Event, kinds ...history.Kind) string {
	var all []string
	for _, e := range of(events, 0, kinds...) {
		all = append(all, fmt.Sprintf("%s %v", e.Kind, float64(e.At)/ms))
	}
	return strings.Join(all, ", ")
}

// What a machine's profile and a scenario's own delay add to a run, each law a constant.
func TestProfileAndDelay(t *testing.T) {
	const locked = "workers: 1\nrounds: 2\nwork: 100ms\nthink: 10ms\nlock: {kind: single, ttl: 1s}\n"
	const free = "workers: 1\nrounds: 2\nwork: 100ms\nthink: 10ms\n"
	const several = "workers: 1\nrounds: 1\nwork: 100ms\nlock: {kind: quorum, stores: 3, ttl: 1s}\n"
	const stopped = free + "pauses: [{before: leave, for: 50ms, every: 2}]\n"
	each := func(sleep, reply int64) scenarios.Network {
		return scenarios.Network{AfterSleep: constant(sleep), AfterReply: constant(reply)}
	}
	for _, test := range []struct {
		name     string
		scenario string
		profile  scenarios.Profile
		want     string
	}{
		{"ideal", locked, scenarios.Profile{},
			"acquired 0, entered 0, left 100, released 100, acquired 110, entered 110, left 210, released 210"},
		{"latency each way, after a sleep and after a reply", locked, scenarios.Profile{Network: each(1, 3)},
			"acquired 2, entered 8, left 110, released 116, acquired 128, entered 134, left 236, released 242"},
		{"round trip: the law is of both ways together", locked, func() scenarios.Profile {
			p := scenarios.Profile{Network: each(1, 3)}
			p.Network.RoundTrip = true
			return p
		}(), "acquired 1, entered 4, left 105, released 108, acquired 119, entered 122, left 223, released 226"},
		{"the scenario's own delay of the network, added each way", locked + "delay: {network: 5ms}", scenarios.Profile{Network: each(1, 3)},
			"acquired 12, entered 28, left 140, released 156, acquired 178, entered 194, left 306, released 322"},
		{"a stop that waits until the command has left, and a reply whose delay waits for the end of the stop",
			free + "pauses: [{during: enter, for: 50ms, every: 2}]\ndelay: {network: 5ms}\n", scenarios.Profile{},
			"stopping 0, resumed 55, entered 60, left 170, entered 190, left 300"},
		{"a reply that comes before the process stands", free + "pauses: [{during: enter, for: 50ms, every: 2}]\ndelay: {network: 5ms}\n",
			scenarios.Profile{Stop: constant(1)}, "stopping 0, resumed 56, entered 56, left 166, entered 186, left 296"},
		{"a late start", free, scenarios.Profile{Start: constant(7)}, "entered 7, left 107, entered 117, left 217"},
		{"late timers, by the nearest sleep", free, scenarios.Profile{Timers: []scenarios.TimerLateness{
			{Sleep: 10 * ms, Late: constant(1)}, {Sleep: 200 * ms, Late: constant(4)},
		}}, "entered 0, left 104, entered 115, left 219"},
		{"the scenario's own delay of timers, added", free + "delay: {timer: 2ms}", scenarios.Profile{Timers: []scenarios.TimerLateness{
			{Sleep: 10 * ms, Late: constant(1)},
		}}, "entered 0, left 103, entered 116, left 219"},
		{"stops that bite late and end late", stopped, scenarios.Profile{Stop: constant(3), Continue: constant(4)},
			"entered 0, stopping 100, resumed 157, left 157, entered 167, left 267"},
		{"a command sent on waking from a stop is one after a sleep", locked + "pauses: [{before: enter, for: 50ms, every: 2}]",
			scenarios.Profile{Network: each(1, 3)},
			"acquired 2, stopping 2, resumed 52, entered 54, left 156, released 162, acquired 174, entered 180, left 282, released 288"},
		{"each way, by what went before and by command", locked + "pauses: [{before: release, for: 50ms, every: 2}]", scenarios.Profile{
			Network: scenarios.Network{Ways: &scenarios.Ways{
				AfterReply: trip(1, 2), AfterStop: trip(3, 4), ByCommand: []scenarios.Extra{{Op: wire.Enter, More: 5 * ms}},
			}},
			Timers: []scenarios.TimerLateness{{Sleep: 10 * ms, Trip: trip(6, 7)}, {Sleep: 100 * ms, Trip: trip(8, 9)}},
		}, "acquired 17, entered 25, left 142, stopping 142, resumed 192, released 199, acquired 222, entered 230, left 347, released 350"},
		{"a measured situation that a profile leaves out is as after a reply", locked + "pauses: [{before: release, for: 50ms, every: 2}]", scenarios.Profile{
			Network: scenarios.Network{Ways: &scenarios.Ways{AfterReply: trip(1, 2)}},
		}, "acquired 3, entered 6, left 109, stopping 109, resumed 159, released 162, acquired 175, entered 178, left 281, released 284"},
		{"commands that are sent at once leave one after the other", several, scenarios.Profile{
			Network: scenarios.Network{Ways: &scenarios.Ways{AfterReply: trip(1, 2), Further: 10 * ms}},
		}, "acquired 23, entered 26, left 129, released 152"},
		{"and a stop waits until the last has left", several + "pauses: [{during: acquire, for: 50ms}]", scenarios.Profile{
			Network: scenarios.Network{Ways: &scenarios.Ways{AfterReply: trip(1, 2), Further: 10 * ms}},
		}, "stopping 0, resumed 70, acquired 70, entered 73, left 176, released 199"},
		{"one store is asked after the other's reply", several[:len(several)-2] + ", ask: sequential}\n", scenarios.Profile{
			Network: scenarios.Network{Ways: &scenarios.Ways{AfterReply: trip(1, 2), Further: 10 * ms}},
		}, "acquired 9, entered 12, left 115, released 138"},
		{"timers that wait in ticks: of 100 ms 3 whole ones and another, of 10 ms one; late by all after that", free, scenarios.Profile{
			Tick: 30 * ms, Timers: []scenarios.TimerLateness{{Sleep: 10 * ms, Late: constant(4)}},
		}, "entered 0, left 124, entered 158, left 282"},
		{"or late by half if the time has come after the whole ones", free, scenarios.Profile{
			Tick: 33 * ms, Timers: []scenarios.TimerLateness{{Sleep: 10 * ms, Late: constant(4)}},
		}, "entered 0, left 101, entered 138, left 239"},
		{"no tick is added to whole ones", free, scenarios.Profile{
			Tick: 10 * ms, Timers: []scenarios.TimerLateness{{Sleep: 10 * ms, Late: constant(4)}},
		}, "entered 0, left 104, entered 118, left 222"},
	} {
		kinds := []history.Kind{history.Acquired, history.Entered, history.Stopping, history.Resumed, history.Left, history.Released}
		events, _ := run(parse(t, test.scenario), &test.profile, 1)
		if got := times(events, kinds...); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
}

// A pause of length 0 is none, whatever stopping and continuing a process costs: the run is that without it.
func TestPauseOfNoLength(t *testing.T) {
	busy := scenarios.Lab()
	busy.Stop, busy.Continue = constant(3), constant(4)
	for _, name := range []string{"lesson/d", "lesson/e"} {
		for _, pause := range []string{
			"{before: enter, for: 0ms}", "{during: work, for: 0s, probability: 0.5}", "{during: acquire, for: 0ms}", "{at: 2s, for: 0ms}",
		} {
			none, noneRun := run(builtin(t, name, "pauses=null"), &busy, 5)
			got, gotRun := run(builtin(t, name, "pauses=["+pause+"]"), &busy, 5)
			if !slices.Equal(got, none) || gotRun.Tally != noneRun.Tally || gotRun.Events != noneRun.Events {
				t.Errorf("%s with the pause %s: not the run without it", name, pause)
			}
		}
	}
}

// far is a machine whose store is 10 ms away.
var far = scenarios.Profile{Network: scenarios.Network{AfterSleep: constant(10), AfterReply: constant(10)}}

// What is due while a process stands takes place when it wakes, in the order of its own time.
func TestDueDuringAStop(t *testing.T) {
	kinds := []history.Kind{history.Stopping, history.Resumed, history.Entered, history.WorkBegan, history.WorkEnded}
	for _, test := range []struct {
		name   string
		pauses string
		work   string
		want   string
	}{
		{"the reply first: it was due at 20, the second stop at 50", "{during: enter, for: 100ms}, {at: 50ms, for: 30ms}", "60ms",
			"stopping 0, resumed 100, entered 100, work-began 100, stopping 100, resumed 130, work-ended 160"},
		{"the second stop first: it was due at 5, the reply at 20", "{during: enter, for: 100ms}, {at: 5ms, for: 30ms}", "60ms",
			"stopping 0, resumed 100, stopping 100, resumed 130, entered 130, work-began 130, work-ended 190"},
		{"a sleep whose time passed ends with the stop", "{at: 30ms, for: 100ms}", "60ms",
			"entered 20, work-began 20, stopping 30, resumed 130, work-ended 130"},
		{"a sleep whose time did not pass ends on time", "{at: 30ms, for: 10ms}", "60ms",
			"entered 20, work-began 20, stopping 30, resumed 40, work-ended 80"},
		{"work on the processor is prolonged", "{at: 30ms, for: 100ms}", "{cpu: 60ms}",
			"entered 20, work-began 20, stopping 30, resumed 130, work-ended 180"},
		{"three stops at one time, one after the other", "{at: 30ms, for: 5ms}, {at: 30ms, for: 6ms}, {at: 32ms, for: 7ms}", "60ms",
			"entered 20, work-began 20, stopping 30, resumed 35, stopping 35, resumed 41, stopping 41, resumed 48, work-ended 80"},
	} {
		s := parse(t, "workers: 1\nrounds: 1\nwork: "+test.work+"\npauses: ["+test.pauses+"]\n")
		events, _ := run(s, &far, 1)
		if got := times(events, kinds...); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
}

// The store goes on while a worker stands: a command that was sent reaches it on time.
func TestStoreGoesOnDuringAStop(t *testing.T) {
	const s = "workers: 2\nrounds: 1\nwork: 1ms\npauses: [{during: enter, for: 100ms, workers: [0]}]\n"
	events, _ := run(parse(t, s), &far, 1)
	stopped, other := of(events, 0, history.Entered)[0], of(events, 1, history.Entered)[0]
	if stopped.At != 100*ms || other.At != 20*ms || stopped.ServerUS != other.ServerUS || stopped.Order != 1 {
		t.Errorf("the stopped worker %+v, the other %+v: want one time at the server", stopped, other)
	}
}

// At one instant, the lowest worker comes first.
func TestTiesGoToTheLowestWorker(t *testing.T) {
	ideal := scenarios.Ideal()
	for _, lock := range []string{"none", "{kind: single, ttl: 10s, retry: {every: 25ms}}"} {
		events, _ := run(parse(t, "workers: 5\nrounds: 1\nwork: 20ms\nlock: "+lock+"\n"), &ideal, 1)
		var order []int32
		for _, e := range events {
			if e.Kind == history.Entered {
				order = append(order, e.Worker)
			}
		}
		if want := []int32{0, 1, 2, 3, 4}; !slices.Equal(order, want) {
			t.Errorf("lock %s: entered in the order %v", lock, order)
		}
	}
}

// Events are found in the order of their time, but for the end of a lease, which is found later; none is lost.
func TestEventsComeInOrder(t *testing.T) {
	lab := scenarios.Lab()
	for _, name := range scenarios.Names() {
		events, r := run(builtin(t, name), &lab, 7)
		var last int64
		var tally history.Tally
		for i := range events {
			e := &events[i]
			tally.Add(e)
			if e.Kind != history.Expired && e.At < last {
				t.Errorf("%s: %+v comes after one of %d", name, *e, last)
			}
			last = max(last, e.At)
		}
		if tally.AtEnd = r.Tally.AtEnd; tally != r.Tally {
			t.Errorf("%s: the events count %+v, the run %+v", name, tally, r.Tally)
		}
	}
}

// The overlap that the referee tells step by step is what a plain count over all stays gives.
func TestOverlapAgainstPlainCount(t *testing.T) {
	lab := scenarios.Lab()
	for _, s := range []*scenarios.Scenario{
		builtin(t, "lesson/a", "workers=4", "rounds=10", "start.spread=200ms"), builtin(t, "lesson/c", "workers=3"),
		builtin(t, "lesson/d"), builtin(t, "lesson/e"), builtin(t, "lesson/b"),
	} {
		events, r := run(s, &lab, 3)
		if got, want := r.Tally.Overlap, overlap(events)*1000; got != want || (want == 0) != (s.Name == "lesson/b") {
			t.Errorf("%s: overlap %d, want %d", s.Name, got, want)
		}
	}
}

// overlap is the time, in microseconds, with two or more workers inside: for each stretch between two of the referee's
// times, it counts all stays that contain it.
func overlap(events []history.Event) int64 {
	type stay struct{ from, to int64 }
	var stays []stay
	var times []int64
	open := make(map[int32]int64)
	for _, e := range events {
		switch e.Kind {
		case history.Entered:
			open[e.Worker] = e.ServerUS
		case history.Left:
			stays = append(stays, stay{open[e.Worker], e.ServerUS})
			times = append(times, open[e.Worker], e.ServerUS)
		}
	}
	slices.Sort(times)
	var sum int64
	for i := 1; i < len(times); i++ {
		inside := 0
		for _, s := range stays {
			if s.from <= times[i-1] && s.to >= times[i] {
				inside++
			}
		}
		if inside > 1 {
			sum += times[i] - times[i-1]
		}
	}
	return sum
}
