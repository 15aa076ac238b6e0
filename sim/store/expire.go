package store

import (
	"math"

	"locklab/worker/wire"
)

// expire is PEXPIRE, and with base 0 PEXPIREAT: the deadline is the command's TTL after base, in ms. One that has
// come, now included, deletes the key at once: the boundary is not that of rule 1.1 (rules 1.4, 3.8).
func (s *Store) expire(us int64, c *wire.Command, base int64, r *wire.Reply) {
	switch {
	case contradictory(c.Options):
		r.Status = wire.BadOptions
		return
	case c.TTL > math.MaxInt64-base:
		r.Status = wire.BadExpiry
		return
	}
	e := s.live(us, c.Key)
	deadline := base + c.TTL
	if e == nil || !e.admits(deadline, c.Options) {
		return
	}
	r.Value = 1
	if deadline <= (us+s.busy)/usPerMS {
		s.remove(e, c.Key)
		return
	}
	e.deadline = deadline
	s.touch(c.Key)
}

func contradictory(o wire.Options) bool {
	return o&wire.NX != 0 && o&(wire.XX|wire.GT|wire.LT) != 0 || o&wire.GT != 0 && o&wire.LT != 0
}

// admits tells whether an entry may get the deadline under the options of PEXPIRE. No deadline counts as one that
// never comes; an equal one neither prolongs nor shortens (rule 3.8).
func (e *entry) admits(deadline int64, o wire.Options) bool {
	eternal := e.deadline == noDeadline
	switch {
	case o&wire.NX != 0 && !eternal, o&wire.XX != 0 && eternal:
		return false
	case o&wire.GT != 0 && (eternal || deadline <= e.deadline):
		return false
	case o&wire.LT != 0 && !eternal && deadline >= e.deadline:
		return false
	}
	return true
}

// left is PTTL: 0 in the deadline's own millisecond (rules 1.1, 1.7), and also while a script or transaction still
// sees a key whose deadline has passed (rule 2.7).
func (s *Store) left(us int64, k wire.Key) int64 {
	e := s.live(us, k)
	switch {
	case e == nil:
		return -2
	case e.deadline == noDeadline:
		return -1
	}
	return max(0, e.deadline-(us+s.busy)/usPerMS)
}

// persist takes a key's deadline away, and tells whether there was one.
func (s *Store) persist(us int64, k wire.Key) int64 {
	e := s.live(us, k)
	if e == nil || e.deadline == noDeadline {
		return 0
	}
	e.deadline = noDeadline
	s.touch(k)
	return 1
}
