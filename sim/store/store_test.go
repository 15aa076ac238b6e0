package store_test

import (
	"fmt"
	"strings"
	"testing"

	"locklab/sim/store"
	"locklab/worker/wire"

	"pgregory.net/rapid"
)

const (
	us = 1_000
	ms = 1_000 * us
)

// A redis is a store as its tests talk to it.
type redis struct{ store.Store }

// newRedis is an empty store whose wall clock is the given number of nanoseconds into a millisecond at time 0.
func newRedis(phase int64) *redis {
	r := &redis{store.New(4)}
	r.Reset(phase)
	return r
}

func (r *redis) do(t int64, c wire.Command) wire.Reply {
	var reply wire.Reply
	r.Execute(t, &c, &reply)
	return reply
}

// setNX is SET lock value NX PX ttl: whether it was set.
func (r *redis) setNX(t, value, ttl int64) bool {
	return r.do(t, wire.Command{Op: wire.SetNX, Key: wire.KeyLock, Value: value, TTL: ttl}).Status == wire.OK
}

func (r *redis) compareDelete(t, value int64) bool {
	return r.do(t, wire.Command{Op: wire.CompareDelete, Key: wire.KeyLock, Value: value}).Status == wire.OK
}

func (r *redis) incr(t int64, k wire.Key) int64 {
	return r.do(t, wire.Command{Op: wire.Incr, Key: k}).Value
}

// phases are interesting places of the wall clock within its millisecond.
var phases = []int64{0, 1, 999, us, 500 * us, ms - us, ms - 1}

// A key is alive for the whole of its deadline's millisecond: expired iff now > when, never at now == when.
func TestRule1_1_AliveAtTheMillisecondOfItsDeadline(t *testing.T) {
	for offset, alive := range map[int64]bool{
		99 * ms: true, 100 * ms: true, 100*ms + 999*us: true, 101*ms - 1: true, 101 * ms: false, 102 * ms: false,
	} {
		r := newRedis(0)
		r.setNX(0, 1, 100)
		if got := !r.setNX(offset, 2, 100); got != alive {
			t.Errorf("PX 100, %d ns later: alive is %v, want %v", offset, got, alive)
		}
	}
}

// The life of SET PX n is n+1 ms less the sub-millisecond phase of the clock when it was set: above n, at most n+1.
func TestRule1_2_LifeIsBetweenNAndNPlus1(t *testing.T) {
	for _, phase := range phases {
		r := newRedis(phase)
		r.setNX(0, 1, 100)
		end := 101*ms - phase
		if got := r.ExpiryOf(0, 100); got != end {
			t.Errorf("phase %d: ExpiryOf says %d, want %d", phase, got, end)
		}
		if r.setNX(end-1, 2, 100) || !r.setNX(end, 3, 100) {
			t.Errorf("phase %d: the key does not live to exactly %d ns", phase, end)
		}
	}
}

// A second SET NX, sent all the time, succeeds n to n+1 ms after the first.
func TestRule1_3_NextGrantIsAfterNToNPlus1(t *testing.T) {
	for _, phase := range phases {
		r := newRedis(phase)
		at := int64(12_345_678)
		r.setNX(at, 1, 20)
		next := at
		for next += us; !r.setNX(next, 2, 20); next += us {
		}
		if life := next - at; life <= 20*ms || life > 21*ms+us {
			t.Errorf("phase %d: granted again after %d ns", phase, life)
		}
	}
}

// ExpiryOf says when Execute begins to grant again, whatever the time, the phase and the TTL.
func TestExpiryOfAgreesWithExecute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		phase := rapid.Int64Range(0, ms-1).Draw(t, "phase")
		at := rapid.Int64Range(0, 1<<50).Draw(t, "at")
		ttl := rapid.Int64Range(1, 100_000).Draw(t, "ttl")
		r := newRedis(phase)
		r.setNX(at, 1, ttl)
		end := r.ExpiryOf(at, ttl)
		if end <= at+ttl*ms || end > at+(ttl+1)*ms {
			t.Fatalf("set at %d for %d ms, ends at %d", at, ttl, end)
		}
		if r.setNX(end-1, 2, ttl) || !r.setNX(end, 2, ttl) {
			t.Fatalf("set at %d for %d ms: not granted first at %d", at, ttl, end)
		}
	})
}

// What has expired is absent to every command, whether or not one has touched it since.
func TestRule1_8_ExpiredIsAbsentToEveryCommand(t *testing.T) {
	expired := func() *redis {
		r := newRedis(0)
		r.setNX(0, 1, 10)
		return r
	}
	if expired().compareDelete(11*ms, 1) {
		t.Error("an expired key was deleted")
	}
	if !expired().setNX(11*ms, 2, 10) {
		t.Error("an expired key was in the way")
	}
	if got := expired().incr(11*ms, wire.KeyLock); got != 1 {
		t.Errorf("INCR of an expired key is %d, want 1: a fresh counter", got)
	}
}

// Commands on a logically expired key act as on an absent one: SET NX sets, DEL finds nothing, INCR begins anew without
// a deadline.
func TestRule1_9_CommandsOnAnExpiredKey(t *testing.T) {
	r := newRedis(0)
	r.setNX(0, 1, 10)
	if r.compareDelete(20*ms, 1) || !r.setNX(20*ms, 2, 10) || r.compareDelete(21*ms, 1) || !r.compareDelete(21*ms, 2) {
		t.Error("the second owner's key is not its own")
	}
	r.setNX(30*ms, 5, 10)
	for i, at := range []int64{50 * ms, 51 * ms, 10_000 * ms} {
		if got := r.incr(at, wire.KeyLock); got != int64(i)+1 {
			t.Errorf("INCR %d after the end is %d", i, got)
		}
	}
}

// The clock is read once for every command, when it executes, and a script is one command: it grants and issues the
// token by the same instant, whole.
func TestRule2_4And2_5_OneInstantForEachCommand(t *testing.T) {
	r := newRedis(0)
	try := func(at int64) wire.Reply {
		return r.do(at, wire.Command{Op: wire.SetNXToken, Key: wire.KeyLock, Value: at, TTL: 10})
	}
	for _, test := range []struct {
		at   int64
		want wire.Reply
	}{
		{0, wire.Reply{Status: wire.OK, Value: 1}},
		{11*ms - 1, wire.Reply{Status: wire.Nil}}, // refused: no token is used up
		{11 * ms, wire.Reply{Status: wire.OK, Value: 2}},
	} {
		if got := try(test.at); got != test.want {
			t.Errorf("at %d: %+v, want %+v", test.at, got, test.want)
		}
	}
	if got := r.incr(12*ms, wire.KeyToken); got != 3 {
		t.Errorf("INCR after two tokens from the script is %d, want 3", got)
	}
}

// SET NX on a living key changes nothing, not even for the same value; the deadline stays.
func TestRule3_3_SetNXOnALivingKeyChangesNothing(t *testing.T) {
	r := newRedis(0)
	r.setNX(0, 1, 10)
	for _, value := range []int64{1, 2} {
		if r.setNX(5*ms, value, 1000) {
			t.Errorf("SET NX of value %d was granted", value)
		}
	}
	if r.compareDelete(5*ms, 2) {
		t.Error("the refused value was stored")
	}
	if !r.setNX(11*ms, 3, 10) {
		t.Error("a refused SET NX has moved the deadline")
	}
}

func TestRule3_10_IncrCountsFrom1AndNeverExpires(t *testing.T) {
	r := newRedis(0)
	for want := int64(1); want <= 3; want++ {
		if got := r.incr(want*1_000_000*ms, wire.KeyToken); got != want {
			t.Errorf("INCR is %d, want %d", got, want)
		}
	}
}

// Only the owner value of this very grant deletes it, once.
func TestCompareDeleteTakesOnlyItsOwn(t *testing.T) {
	r := newRedis(0)
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
		r := newRedis(0)
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
	r := newRedis(500)
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
		want := wire.Reply{Status: wire.OK, Order: int64(i) + 1, At: step.at, Inside: step.inside, Overlap: step.overlap * us}
		if got := r.do(step.at*us, wire.Command{Op: step.op, Key: wire.KeyReferee, Worker: step.worker}); got != want {
			t.Errorf("step %d: %+v, want %+v", i, got, want)
		}
	}
}

func TestResetForgetsEverything(t *testing.T) {
	r := newRedis(0)
	r.setNX(0, 1, 1000)
	r.incr(0, wire.KeyToken)
	r.do(0, wire.Command{Op: wire.Enter, Worker: 1})
	r.Reset(7 * us)
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
	newRedis(0).do(0, wire.Command{})
}
