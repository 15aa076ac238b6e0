package store_test

import (
	"fmt"
	"strings"
	"testing"

	"locklab/sim/store"
	"locklab/worker/wire"

	"pgregory.net/rapid"
)

// Times of the run are nanoseconds.
const (
	nsUS = 1_000
	nsMS = 1_000 * nsUS
)

// A model is a store as its tests talk to it.
type model struct{ store.Store }

// newModel is an empty store whose wall clock is the given number of nanoseconds into a millisecond at time 0.
func newModel(phase int64) *model {
	r := &model{store.New(4, 0)}
	r.Reset(phase, store.Begin{})
	return r
}

func (r *model) do(t int64, c wire.Command) wire.Reply {
	var reply wire.Reply
	r.Execute(t, &c, &reply)
	return reply
}

// setNX is SET lock value NX PX ttl: whether it was set.
func (r *model) setNX(t, value, ttl int64) bool {
	return r.do(t, wire.Command{Op: wire.SetNX, Key: wire.KeyLock, Value: value, TTL: ttl}).Status == wire.OK
}

func (r *model) compareDelete(t, value int64) bool {
	return r.do(t, wire.Command{Op: wire.CompareDelete, Key: wire.KeyLock, Value: value}).Status == wire.OK
}

func (r *model) incr(t int64, k wire.Key) int64 {
	return r.do(t, wire.Command{Op: wire.Incr, Key: k}).Value
}

// phases are interesting places of the wall clock within its millisecond.
var phases = []int64{0, 1, 999, nsUS, 500 * nsUS, nsMS - nsUS, nsMS - 1}

// A key is alive for the whole of its deadline's millisecond: expired iff now > when, never at now == when.
func TestRule1_1_AliveAtTheMillisecondOfItsDeadline(t *testing.T) {
	for offset, alive := range map[int64]bool{
		99 * nsMS: true, 100 * nsMS: true, 100*nsMS + 999*nsUS: true, 101*nsMS - 1: true, 101 * nsMS: false, 102 * nsMS: false,
	} {
		r := newModel(0)
		r.setNX(0, 1, 100)
		if got := !r.setNX(offset, 2, 100); got != alive {
			t.Errorf("PX 100, %d ns later: alive is %v, want %v", offset, got, alive)
		}
	}
}

// The life of SET PX n is n+1 nsMS less the sub-millisecond phase of the clock when it was set: above n, at most n+1.
func TestRule1_2_LifeIsBetweenNAndNPlus1(t *testing.T) {
	for _, phase := range phases {
		r := newModel(phase)
		r.setNX(0, 1, 100)
		end := 101*nsMS - phase
		if got := r.ExpiryOf(0, 100); got != end {
			t.Errorf("phase %d: ExpiryOf says %d, want %d", phase, got, end)
		}
		if r.setNX(end-1, 2, 100) || !r.setNX(end, 3, 100) {
			t.Errorf("phase %d: the key does not live to exactly %d ns", phase, end)
		}
	}
}

// A second SET NX, sent all the time, succeeds n to n+1 nsMS after the first.
func TestRule1_3_NextGrantIsAfterNToNPlus1(t *testing.T) {
	for _, phase := range phases {
		r := newModel(phase)
		at := int64(12_345_678)
		r.setNX(at, 1, 20)
		next := at
		for next += nsUS; !r.setNX(next, 2, 20); next += nsUS {
		}
		if life := next - at; life <= 20*nsMS || life > 21*nsMS+nsUS {
			t.Errorf("phase %d: granted again after %d ns", phase, life)
		}
	}
}

// ExpiryOf says when Execute begins to grant again, whatever the time, the phase and the TTL.
func TestExpiryOfAgreesWithExecute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		phase := rapid.Int64Range(0, nsMS-1).Draw(t, "phase")
		at := rapid.Int64Range(0, 1<<50).Draw(t, "at")
		ttl := rapid.Int64Range(1, 100_000).Draw(t, "ttl")
		r := newModel(phase)
		r.setNX(at, 1, ttl)
		end := r.ExpiryOf(at, ttl)
		if end <= at+ttl*nsMS || end > at+(ttl+1)*nsMS {
			t.Fatalf("set at %d for %d nsMS, ends at %d", at, ttl, end)
		}
		if r.setNX(end-1, 2, ttl) || !r.setNX(end, 2, ttl) {
			t.Fatalf("set at %d for %d nsMS: not granted first at %d", at, ttl, end)
		}
	})
}

// Only the owner value of this very grant deletes it, once.
func TestCompareDeleteTakesOnlyItsOwn(t *testing.T) {
	r := newModel(0)
	if r.compareDelete(0, 0) {
		t.Error("a key that never was has been deleted")
	}
	r.setNX(0, 1, 10)
	if r.compareDelete(1, 2) || !r.compareDelete(1, 1) || r.compareDelete(1, 1) {
		t.Error("not exactly the owner has deleted, and once")
	}
	if !r.setNX(2, 2, 10) {
		t.Error("the key is still there")
	}
}

func TestCheckedWrite(t *testing.T) {
	for _, test := range []struct {
		reject  string
		orEqual bool
		writes  string // token, and whether it is accepted
	}{
		{"below", false, "1 yes, 1 yes, 3 yes, 2 no, 3 yes, 4 yes, 1 no"},
		{"below-or-equal", true, "1 yes, 1 no, 3 yes, 2 no, 3 no, 4 yes, 1 no"},
		{"below", false, "0 yes, 0 yes"},
	} {
		r := newModel(0)
		var got []string
		var highest int64
		for write := range strings.SplitSeq(test.writes, ", ") {
			var token int64
			fmt.Sscan(write, &token)
			reply := r.do(0, wire.Command{Op: wire.Write, Key: wire.KeyHighest, Token: token, OrEqual: test.orEqual})
			answer := "no"
			if reply.Status == wire.OK {
				answer, highest = "yes", token
			}
			got = append(got, fmt.Sprintf("%d %s", token, answer))
			if reply.Value != highest {
				t.Errorf("reject %s: highest is %d after %v, want %d", test.reject, reply.Value, got, highest)
			}
		}
		if g := strings.Join(got, ", "); g != test.writes {
			t.Errorf("reject %s: got %s, want %s", test.reject, g, test.writes)
		}
	}
}

// Commands execute one at a time, whole, in the order in which they come: also at one instant, and whoever sends them.
func TestRule6_1_RefereeOrdersAllCommands(t *testing.T) {
	r := newModel(500)
	for i, step := range []struct {
		at      int64 // microseconds
		op      wire.Op
		worker  int32
		inside  int32
		overlap int64 // microseconds
	}{
		{0, wire.Enter, 3, 1, 0},
		{10, wire.Enter, 0, 2, 0}, // a conflict
		{10, wire.Enter, 1, 3, 0}, // at the same instant
		{25, wire.Leave, 3, 2, 15},
		{26, wire.Leave, 3, 2, 1}, // was outside
		{30, wire.Enter, 0, 2, 4}, // was inside
		{40, wire.Leave, 0, 1, 10},
		{50, wire.Leave, 1, 0, 0}, // alone: no overlap
		{60, wire.Leave, 1, 0, 0},
		{70, wire.Enter, 1, 1, 0},
	} {
		want := wire.Reply{Status: wire.OK, Order: int64(i) + 1, At: step.at, Inside: step.inside, Overlap: step.overlap * nsUS}
		if got := r.do(step.at*nsUS, wire.Command{Op: step.op, Key: wire.KeyReferee, Worker: step.worker}); got != want {
			t.Errorf("step %d: %+v, want %+v", i, got, want)
		}
	}
}

func TestResetForgetsEverything(t *testing.T) {
	r := newModel(0)
	r.setNX(0, 1, 1000)
	r.incr(0, wire.KeyToken)
	r.do(0, wire.Command{Op: wire.Enter, Worker: 1})
	r.Reset(7*nsUS, store.Begin{})
	if !r.setNX(0, 2, 10) || r.incr(0, wire.KeyToken) != 1 {
		t.Error("keys are left")
	}
	want := wire.Reply{Status: wire.OK, Order: 1, At: 7, Inside: 1}
	if got := r.do(0, wire.Command{Op: wire.Enter, Worker: 2}); got != want {
		t.Errorf("the referee says %+v, want %+v", got, want)
	}
}

func TestUnknownCommandPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	newModel(0).do(0, wire.Command{})
}
