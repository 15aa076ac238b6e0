package realrun_test

import (
	"fmt"
	"slices"
	"testing"

	"locklab/history"
	"locklab/realrun"
	"locklab/scenarios"
)

// waiting are five workers that wait for each other, with a lease that outlives the run by far: without messages it would take
// many times as long.
const waiting = `scenario: waiting
workers: 5
rounds: 6
start: {apart: 15ms}
work: 20ms
think: 40ms
lock: {kind: single, ttl: 60s, retry: {wake: %s}}
`

func parsed(t *testing.T, format string, args ...any) *scenarios.Scenario {
	t.Helper()
	sc, err := scenarios.Parse("test.yaml", fmt.Appendf(nil, format, args...))
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// Messages arrive: nobody waits for the end of a lease.
func TestWaitersAreWoken(t *testing.T) {
	t.Parallel()
	s := open(t, realrun.Auto)
	for _, wake := range []string{"publish", "fifo"} {
		t.Run(wake, func(t *testing.T) {
			t.Parallel()
			o := measure(t, s, parsed(t, waiting, wake))
			wellFormed(t, o)
			equal(t, "entries", o.Tally.Entries, 30)
			equal(t, "conflicts", o.Tally.Conflicts, 0)
			if n := count(o.Events, history.Refused); n < 20 {
				t.Errorf("%d refusals are not much of a test", n)
			}
			if wake == "fifo" {
				inOrder(t, o.Events)
			}
		})
	}
}

// inOrder checks that the workers of a run entered in the order in which they asked. Who asked within so short a time of another
// that the store may have met them the other way round is let pass.
func inOrder(t *testing.T, events []history.Event) {
	t.Helper()
	const near = 20_000_000
	var asked []history.Event
	entered := make(map[string]int64) // the order of the entry
	name := func(e *history.Event) string { return fmt.Sprint(e.Worker, " in round ", e.Round) }
	for i := range events {
		switch events[i].Kind {
		case history.Asked:
			asked = append(asked, events[i])
		case history.Entered:
			entered[name(&events[i])] = events[i].Order
		}
	}
	for i := range asked {
		for k := range asked[:i] {
			if asked[i].At-asked[k].At > near && entered[name(&asked[i])] < entered[name(&asked[k])] {
				t.Errorf("worker %s asked %d ns after %s, and was first", name(&asked[i]), asked[i].At-asked[k].At, name(&asked[k]))
			}
		}
	}
}

// A lease that ends by itself publishes nothing: whose holder has crashed is waited for until then.
func TestWaitersOfACrashedHolder(t *testing.T) {
	t.Parallel()
	s := open(t, realrun.Auto)
	for _, wake := range []string{"publish", "fifo"} {
		t.Run(wake, func(t *testing.T) {
			t.Parallel()
			o := measure(t, s, parsed(t, `scenario: crash
workers: 2
rounds: 1
start: {apart: 50ms}
work: 10ms
lock: {kind: single, ttl: 400ms, retry: {wake: %s}}
crashes: [{before: enter, round: 0, workers: [0]}]
`, wake))
			i := slices.IndexFunc(o.Events, func(e history.Event) bool { return e.Kind == history.Acquired && e.Worker == 1 })
			if i < 0 {
				t.Fatal("worker 1 never acquired")
			}
			const ms = 1_000_000
			if wait := o.Events[i].For; wait < 300*ms || wait > 1000*ms {
				t.Errorf("worker 1 waited for %d ns, want the rest of the lease", wait)
			}
		})
	}
}

// All messages lost is as if there were none.
func TestLostMessages(t *testing.T) {
	t.Parallel()
	s := open(t, realrun.Auto)
	const text = "scenario: lost\nworkers: 2\nrounds: 1\nstart: {apart: 20ms}\nwork: 50ms\nlock: {kind: single, ttl: 300ms, retry: {wake: publish, lost: %d}}\n"
	const ms = 1_000_000
	for lost, want := range map[int][2]int64{0: {20 * ms, 200 * ms}, 1: {250 * ms, 1000 * ms}} {
		o := measure(t, s, parsed(t, text, lost))
		if got := o.Tally.WaitMax; got < want[0] || got > want[1] {
			t.Errorf("lost %d: the longer wait is %d ns, want %d to %d", lost, got, want[0], want[1])
		}
	}
}
