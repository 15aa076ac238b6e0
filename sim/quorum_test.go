package sim_test

import (
	"slices"
	"testing"

	"locklab/history"
	"locklab/scenarios"
	"locklab/sim"
)

// More stores do not help a client that is stopped after its check of the validity: the conflicts are those of one store.
func TestQuorumDoesNotHelpAfterTheCheck(t *testing.T) {
	lab := scenarios.Lab()
	one, _, _ := spread(records(t, builtin(t, "lesson/d"), &lab, 1000), conflicts)
	five, _, _ := spread(records(t, builtin(t, "lesson/redlock-pause"), &lab, 300), conflicts)
	if five < 0.9*one || five > 1.1*one {
		t.Errorf("%.2f conflicts with five stores, %.2f with one; want about as many", five, one)
	}
}

// A pause before the check is noticed by the check, and by nothing else.
func TestPauseBeforeTheCheckOfTheValidity(t *testing.T) {
	lab := scenarios.Lab()
	for _, r := range records(t, builtin(t, "lesson/redlock-check"), &lab, 200) {
		if r.Entries != 80 || r.Conflicts != 0 || r.LostHolds != 0 || *r.FalseBeliefNS != 0 || r.Refused < 20 {
			t.Fatalf("%d entries, %d conflicts, %d lost holds, false belief %d ns, %d refused tries", r.Entries, r.Conflicts, r.LostHolds, *r.FalseBeliefNS, r.Refused)
		}
	}
	unchecked := records(t, builtin(t, "lesson/redlock-check", "lock.validity.check=false"), &lab, 200)
	if mean, least, _ := spread(unchecked, conflicts); least == 0 {
		t.Errorf("%.2f conflicts without the check, in one run %d; want some in each", mean, least)
	}
}

// split is a scenario in which three workers ask three stores at about the same time, with the retry of node-redlock 5:
// up to ten more tries, 100 to 300 ms apart.
func split(t *testing.T, partial string) *scenarios.Scenario {
	return builtin(t, "lesson/redlock-pause", "workers=3", "rounds=1", "pauses=null", "start.spread=0ms", "lock.stores=3", "lock.ttl=30s",
		"lock.retry={every: {uniform: [100ms, 300ms]}, tries: 11}", "lock.partial="+partial)
}

// Three workers that got one of three stores each keep each other out until they give up, unless they release what a
// refused try was granted.
func TestSplitVote(t *testing.T) {
	splits := 0
	for seed := range uint64(200) {
		kept, blocked := afterSplit(t, split(t, "keep"), seed)
		if !blocked {
			continue
		}
		splits++
		if kept < 1000*ms || kept > 3010*ms {
			t.Errorf("seed %d: the split was over after %d ms; want 1 to 3 s", seed, kept/ms)
		}
		// Two rounds of tries are over after 600 ms and the time that their commands take.
		if released, again := afterSplit(t, split(t, "release"), seed); !again || released > 610*ms {
			t.Errorf("seed %d: with partial grants released the split (%v) was over after %d ms; want at most 600", seed, again, released/ms)
		}
	}
	if splits < 20 {
		t.Errorf("%d splits in 200 runs are not much of a test", splits)
	}
}

// afterSplit is when somebody acquired first, or if nobody did, gave up last. It reports false if the first tries were no
// split.
func afterSplit(t *testing.T, s *scenarios.Scenario, seed uint64) (at int64, splits bool) {
	t.Helper()
	lab := scenarios.Lab()
	events, _ := run(s, &lab, seed)
	first := make(map[int32]uint8)
	for i := range events {
		e := &events[i]
		if _, known := first[e.Worker]; !known && (e.Kind == history.Refused || e.Kind == history.Acquired) {
			first[e.Worker] = e.Stores
		}
		if e.Kind == history.Acquired || e.Kind == history.GaveUp {
			at = e.At
		}
		if e.Kind == history.Acquired {
			break
		}
	}
	return at, first[0] == 1 && first[1] == 1 && first[2] == 1
}

// Whatever happens, a run of a quorum ends, leaves nobody waiting, and is the same when it is repeated.
func TestQuorumOfAnySort(t *testing.T) {
	profile := scenarios.Lab()
	for _, set := range [][]string{
		{"lock.stores=1"}, {"lock.stores=2"}, {"lock.stores=4", "lock.early=true"}, {"lock.stores=9"},
		{"lock.ask=sequential"}, {"lock.ask=sequential", "lock.early=true"}, {"lock.partial=keep", "lock.own_key=counts"},
		{"lock.timeout=300us"}, {"lock.timeout=300us", "lock.ask=sequential"}, {"lock.timeout=300us", "lock.partial=keep", "lock.early=true"},
		{"lock.timeout=20ms", "delay.network={exponential: 10ms}"}, {"lock.timeout=5ms", "delay.network=40ms"},
		{"lock.timeout=20ms", "delay.network={exponential: 30ms}", "lock.ask=sequential", "lock.partial=keep"},
		{"lock.early=true", "delay.network={exponential: 10ms}"}, {"crashes=[{during: acquire, round: 3, workers: [1]}]"},
		{"fencing={token: after, check: both}"}, {"fencing={token: before, check: start}"},
		{"lock.renew={every: 50ms}", "lock.early=true"}, {"lock.renew={every: 5ms, timeout: 1ms, on_error: retry}", "delay.network={exponential: 10ms}"},
		{"lock.renew={every: 20ms, extend: touch-or-set, on_error: stop}", "lock.timeout=5ms", "delay.network={exponential: 2ms}", "lock.loss={learn: cancel, then: stop}"},
		{"lock.renew={every: 300ms, at_most: 1s}", "lock.loss={learn: deadline, then: stop}", "lock.acquire=set-nx-pxat", "lock.clock={behind: 400ms, workers: [1]}"},
	} {
		for _, name := range []string{"lesson/redlock-pause", "lesson/redlock-check"} {
			s := builtin(t, name, append([]string{"workers=3", "rounds=8", "lock.retry.longest=4s"}, set...)...)
			for seed := range uint64(20) {
				events, r := run(s, &profile, seed)
				again, _ := run(s, &profile, seed)
				if r.Bounded || !slices.Equal(events, again) {
					t.Fatalf("%v, seed %d: cut short %v, or not the same again", set, seed, r.Bounded)
				}
				over := 0
				for i := range events {
					if events[i].Kind == history.Finished || events[i].Kind == history.Removed {
						over++
					}
				}
				if over != 3 {
					t.Fatalf("%v, seed %d: %d workers came to an end, want 3", set, seed, over)
				}
			}
		}
	}
}

// A quorum costs nothing per event but its stores' own commands.
func TestQuorumAllocatesNothing(t *testing.T) {
	lab := scenarios.Lab()
	r := sim.NewWorld(builtin(t, "lesson/redlock-pause"), &lab).NewRun()
	if n := testing.AllocsPerRun(5, func() { r.Do(1) }); n > 0 {
		t.Errorf("%v allocations per run", n)
	}
}
