package oracle

import (
	"testing"

	"locklab/history"
	"locklab/scenarios"
	"locklab/worker"
	"locklab/worker/lock"
	"locklab/worker/wire"

	"pgregory.net/rapid"
)

// overStores makes the lock of a scenario one at several stores, of any sort. Its acquires end, since tries of which each
// blocks the others need not.
func overStores(t *rapid.T, s *scenarios.Scenario) {
	flag := func(what string) bool { return rapid.Bool().Draw(t, what) }
	s.Lock.Kind = lock.Quorum
	s.Lock.Quorum = lock.QuorumPolicy{
		Stores:     rapid.IntRange(1, wire.MaxStores).Draw(t, "stores"),
		Sequential: flag("sequential"), Early: flag("early"), Unchecked: flag("unchecked"), Keep: flag("keep"), OwnCounts: flag("own"),
		Timeout: rapid.SampledFrom([]int64{0, 0, ms, 5 * ms, 30 * ms}).Draw(t, "timeout"),
		Drift:   0.01, Plus: 2 * ms,
	}
	if s.Lock.Retry.Tries == 0 {
		s.Lock.Retry.Tries = 30
	}
	if s.Fencing.Token == worker.TokenInside {
		s.Fencing.Token, s.Lock.TokenInside = worker.TokenAfter, false
	}
}

// Runs of a quorum end, too, whatever its stores owe.
func TestRunsOfAQuorumEnd(t *testing.T) {
	crashes := 0
	rapid.Check(t, func(t *rapid.T) {
		s, p := troubled(t), machine(t)
		fence(t, s)
		overStores(t, s)
		crashes += ends(t, s, p)
	})
	if !testing.Short() && crashes < 15 {
		t.Errorf("only %d crashes came up", crashes)
	}
}

// No two holds of a quorum overlap, since any two majorities have a store in common: each has one end, and the next begins no
// earlier.
func TestHoldsOfAQuorumNeverOverlap(t *testing.T) {
	holds := 0
	rapid.Check(t, func(t *rapid.T) {
		s, p := troubled(t), machine(t)
		fence(t, s)
		overStores(t, s)
		events, _ := observed(s, p, rapid.Uint64().Draw(t, "seed"))
		var before int64
		granted := int64(count(events, history.Granted))
		for order := int64(1); order <= granted; order++ {
			hold := ofHold(events, order)
			if order == granted && len(hold) == 1 {
				continue // nobody has asked for the lock since
			}
			if len(hold) != 2 || hold[0].Kind != history.Granted || hold[1].Worker != hold[0].Worker {
				t.Fatalf("hold %d: %+v", order, hold)
			}
			if begin, over := hold[0].At, hold[1].At; begin < before || over < begin {
				t.Fatalf("after %d: hold %d: %+v", before, order, hold)
			}
			before = hold[1].At
			holds++
		}
	})
	if !testing.Short() && holds < 100 {
		t.Errorf("only %d holds came up", holds)
	}
}
