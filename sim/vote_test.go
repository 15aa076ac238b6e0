package sim

import (
	"testing"

	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim/store"
	"locklab/worker/wire"
)

// The truth about a quorum is what its stores hold, at every moment: between any two events, the worker that holds the lock is the one
// whose value a majority of them has.
func TestTruthOfAQuorumIsWhatItsStoresHold(t *testing.T) {
	profile := scenarios.Lab()
	held, moments := 0, 0
	for _, set := range [][]string{
		{}, {"lock.stores=4", "lock.early=true"}, {"lock.partial=keep", "lock.own_key=counts"}, {"lock.timeout=350us", "lock.own_key=counts"},
		{"lock.timeout=20ms", "delay.network={exponential: 8ms}"}, {"lock.timeout=20ms", "delay.network={exponential: 8ms}", "lock.partial=keep", "lock.stores=3"},
		{"crashes=[{during: release, round: 1, workers: [0]}]"}, {"lock.ask=sequential", "lock.stores=1"},
		{"lock.acquire=set-nx-pxat", "lock.clock={behind: 250ms, workers: [0, 1]}"}, {"lock.renew={every: 90ms}", "work=500ms"},
		{"lock.renew={every: 90ms, timeout: 5ms, on_error: retry}", "work=500ms", "lock.timeout=4ms", "delay.network={exponential: 3ms}"},
		{"lock.renew={every: 150ms, extend: touch-or-set}", "lock.partial=keep", "delay.network={exponential: 20ms}"},
		{"lock.renew={every: 150ms}", "lock.acquire=set-nx-pxat", "lock.clock={behind: 370ms}", "delay.network={exponential: 20ms}"},
	} {
		s, err := scenarios.Builtin("lesson/redlock-pause")
		if err != nil {
			t.Fatal(err)
		}
		set = append([]string{"workers=3", "rounds=4", "lock.retry={every: {uniform: [5ms, 30ms]}, longest: 3s}", "lock.ttl=400ms", "pauses[0].for={uniform: [300ms, 500ms]}"}, set...)
		if s, _, err = scenarios.SetAll(s, set); err != nil {
			t.Fatal(err)
		}
		r := NewWorld(s, &profile).NewRun()
		look := store.New(s.Workers, 0)
		for seed := range uint64(8) {
			r.Start(choice.Seeded(seed))
			for at, _, ok := r.Next(); ok; at, _, ok = r.Next() {
				if now := at - 1; r.majority(&look, now) != r.believed(now) {
					t.Fatalf("%v, seed %d: before the event at %d ns the stores' value is %d, the truth's %d", set, seed, at, r.majority(&look, now), r.believed(now))
				}
				r.Step()
				moments++
				value := r.majority(&look, at)
				if value != r.believed(at) {
					t.Fatalf("%v, seed %d: after the event at %d ns the stores' value is %d, the truth's %d", set, seed, at, value, r.believed(at))
				}
				if value != 0 {
					held++
				}
			}
		}
	}
	if held == 0 || held == moments {
		t.Errorf("held at %d of %d moments: not much of a test", held, moments)
	}
}

// majority is the value that a majority of the stores hold at time now; 0 if there is none.
func (r *Run) majority(look *store.Store, now int64) int64 {
	votes := make(map[int64]int)
	for s := range r.others.n + 1 {
		look.CopyFrom(r.storeAt(s))
		var reply wire.Reply
		if look.Execute(now, &wire.Command{Op: wire.Get, Key: wire.KeyLock}, &reply); reply.Status != wire.OK {
			continue
		}
		if votes[reply.Value]++; votes[reply.Value] == r.world.quorum {
			return reply.Value
		}
	}
	return 0
}

// believed is the value of the hold that the truth knows of at time now; 0 if there is none.
func (r *Run) believed(now int64) int64 {
	h := &r.truth.holds[r.truth.holder]
	if !r.truth.open || h.end <= now {
		return 0
	}
	return h.value
}
