package store

import (
	"math"

	"locklab/worker/wire"
)

// setNX is SET NX PX: nothing changes if the key lives, whatever its value (rule 3.3).
func (s *Store) setNX(us int64, c *wire.Command, r *wire.Reply) {
	deadline := (us+s.busy)/usPerMS + c.TTL
	if c.TTL <= 0 || deadline <= 0 {
		r.Status = wire.BadExpiry
		return
	}
	if s.live(us, c.Key) != nil {
		r.Status = wire.Nil
		return
	}
	s.put(c.Key, entry{kind: number, value: c.Value, deadline: deadline})
}

// set is SET with its options, for a value of a kind. Without an option for the deadline, the key gets none (rule 3.4).
func (s *Store) set(us int64, c *wire.Command, k kind, r *wire.Reply) {
	if c.Options&wire.NX != 0 && c.Options&wire.XX != 0 {
		r.Status = wire.BadOptions
		return
	}
	deadline, valid := s.newDeadline(us, c)
	if !valid {
		r.Status = wire.BadExpiry
		return
	}
	e := s.live(us, c.Key)
	if c.Options&wire.GetOld != 0 {
		if e.show(r); r.Status.Failed() {
			return
		}
	}
	if c.Options&wire.NX != 0 && e != nil || c.Options&wire.XX != 0 && e == nil {
		if c.Options&wire.GetOld == 0 {
			r.Status = wire.Nil // with GetOld it is the other way round (rule 3.5)
		}
		return
	}
	switch {
	case deadline != noDeadline && s.Rules.PastSetDeletes && deadline <= (us+s.busy)/usPerMS:
		s.remove(e, c.Key)
		return
	case c.Options&wire.ForDeadline == wire.KeepTTL && e != nil:
		deadline = e.deadline
	}
	s.put(c.Key, entry{kind: k, value: c.Value, deadline: deadline})
}

// newDeadline is what SET's options make of the TTL: noDeadline without one. A TTL that is not above 0, or that
// reaches beyond the end of time, is not valid (rule 3.2).
func (s *Store) newDeadline(us int64, c *wire.Command) (deadline int64, valid bool) {
	unit, at := c.Options&wire.ForDeadline, c.TTL
	switch unit {
	case 0, wire.KeepTTL:
		return noDeadline, true
	case wire.AtRun:
		return s.deadlineAt(c.TTL), true
	}
	if unit == wire.EX || unit == wire.EXAT {
		if at > math.MaxInt64/1000 {
			return 0, false
		}
		at *= 1000
	}
	if at > 0 && (unit == wire.EX || unit == wire.PX) {
		at += (us + s.busy) / usPerMS // below 0 if that overflows
	}
	return at, c.TTL > 0 && at > 0
}

// show replies with an entry's value; a list has none, and nil is fine.
func (e *entry) show(r *wire.Reply) {
	switch {
	case e == nil:
		r.Status = wire.Nil
	case e.kind == list:
		r.Status = wire.WrongType
	default:
		r.Value, r.Text = e.value, e.kind == text
	}
}

func (s *Store) get(us int64, k wire.Key, r *wire.Reply) { s.live(us, k).show(r) }

// increment is INCRBY: a missing key counts as 0, a deadline stays, and on any error nothing changes (rules 3.4, 3.10).
func (s *Store) increment(us int64, k wire.Key, by int64, r *wire.Reply) {
	e := s.live(us, k)
	if e == nil {
		e = s.entry(k)
		*e = entry{deadline: noDeadline}
	}
	switch e.kind {
	case list:
		r.Status = wire.WrongType
		return
	case text:
		r.Status = wire.NotInteger
		return
	}
	sum := e.value + by
	if (sum > e.value) != (by > 0) && by != 0 {
		r.Status = wire.Overflow
		return
	}
	e.kind, e.value = number, sum
	s.touch(k)
	r.Value = sum
}

// push is RPUSH of one element.
func (s *Store) push(us int64, k wire.Key, r *wire.Reply) {
	e := s.live(us, k)
	switch {
	case e == nil:
		s.put(k, entry{kind: list, value: 1, deadline: noDeadline})
		r.Value = 1
	case e.kind != list:
		r.Status = wire.WrongType
	default:
		e.value++
		s.touch(k)
		r.Value = e.value
	}
}
