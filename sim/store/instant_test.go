package store_test

import (
	"math"
	"testing"

	"locklab/worker/wire"

	"pgregory.net/rapid"
)

// An instant of the run is PXAT of what the wall clock shows then, cut to milliseconds; and one before the clock began is a deadline
// that has passed, whatever the time is.
func TestInstantOfTheRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		phase, now := rapid.Int64Range(0, nsMS-1).Draw(t, "phase"), rapid.Int64Range(1, 20*nsMS).Draw(t, "now")
		at := now + rapid.Int64Range(-25*nsMS, 10*nsMS).Draw(t, "life")
		ms := int64(math.Floor(float64(at+phase) / nsMS))
		byRun, byWall := newModel(phase), newModel(phase)
		set := wire.Command{Op: wire.Set, Key: wire.KeyLock, Value: 7, Options: wire.NX | wire.AtRun, TTL: at}
		renew := wire.Command{Op: wire.CompareExpire, Key: wire.KeyLock, Value: 7, Options: wire.AtRun, TTL: at}
		renewing := rapid.Bool().Draw(t, "renewal")
		do := func(s *model, c wire.Command) {
			if renewing {
				s.setNX(now, 7, 1000)
				c = renew
				c.TTL, c.Options = set.TTL, set.Options&^wire.NX
			}
			if r := s.do(now, c); r.Status != wire.OK {
				t.Fatalf("the command was answered %+v", r)
			}
		}
		do(byRun, set)
		if end := byRun.LivesUntil(wire.KeyLock); ms >= 0 && !renewing && end != byRun.EndOf(now, &set) {
			t.Fatalf("the key lives until %d, not %d", end, byRun.EndOf(now, &set))
		}
		if ms > 0 {
			set.TTL, set.Options = ms, wire.NX|wire.PXAT
			do(byWall, set)
		}
		for _, after := range []int64{0, 1, nsMS / 2, nsMS, 5 * nsMS, 12 * nsMS} {
			look := wire.Command{Op: wire.Exists, Key: wire.KeyLock}
			alive, want := byRun.do(now+after, look).Value, byWall.do(now+after, look).Value
			if ms <= 0 { // a wall clock that began at 0 has no such deadline
				want = 0
				if ms == 0 && !renewing && now+after+phase < nsMS {
					want = 1
				}
			}
			if alive != want {
				t.Fatalf("after %d ns: exists %d, want %d", after, alive, want)
			}
		}
	})
}
