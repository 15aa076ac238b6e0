package store

import (
	"math"

	"locklab/worker/wire"
)

// The scripts that workers use, as realrun/scripts.go has them in Lua. A script is atomic, but not undone: what it did
// before an error stays (rule 4.1).

func (s *Store) setNXToken(us int64, c *wire.Command, r *wire.Reply) {
	if s.setNX(us, c, r); r.Status == wire.OK {
		s.increment(us, wire.KeyToken, 1, r)
		r.Value = throughLua(r.Value)
	}
}

// setOwn gives the command's value a new life, unless another value is there.
func (s *Store) setOwn(us int64, c *wire.Command, r *wire.Reply) {
	if s.live(us, c.Key) != nil && s.owned(us, c, r) == nil {
		return
	}
	deadline := (us+s.busy)/usPerMS + c.TTL
	if c.TTL <= 0 || deadline <= 0 {
		r.Status = wire.BadExpiry
		return
	}
	s.put(c.Key, entry{kind: number, value: c.Value, deadline: deadline})
}

func (s *Store) compareDelete(us int64, c *wire.Command, r *wire.Reply) {
	if e := s.owned(us, c, r); e != nil {
		s.remove(e, c.Key)
	}
}

func (s *Store) compareExpire(us int64, c *wire.Command, r *wire.Reply) {
	if s.owned(us, c, r) == nil {
		return
	}
	switch c.Options & wire.ForDeadline {
	case wire.PXAT:
		s.expire(us, c, 0, r)
	case wire.AtRun:
		s.expireAtRun(us, c, r)
	default:
		s.expire(us, c, (us+s.busy)/usPerMS, r)
	}
	r.Value = 0
}

func (s *Store) compareExpireOrSet(us int64, c *wire.Command, r *wire.Reply) {
	if s.live(us, c.Key) != nil {
		s.compareExpire(us, c, r)
		return
	}
	if s.setNX(us, c, r); r.Status == wire.OK {
		r.Value = 1
	}
}

// owned is the entry under the command's key if it holds the command's value, byte for byte (rule 4.7); else nil, and
// the reply says why.
func (s *Store) owned(us int64, c *wire.Command, r *wire.Reply) *entry {
	e := s.live(us, c.Key)
	switch {
	case e != nil && e.kind == list:
		r.Status = wire.WrongType
	case e == nil || e.value != c.Value || e.kind != number:
		r.Status = wire.Nil
	default:
		return e
	}
	return nil
}

// write is the resource's check: it compares the token with the highest it has accepted, both as Lua's numbers
// (rule 4.3). Without a highest there is nothing to compare with, and the script fails (rule 4.2).
func (s *Store) write(us int64, c *wire.Command, r *wire.Reply) {
	e := s.live(us, c.Key)
	switch {
	case e == nil || e.kind == text:
		r.Status = wire.Raised
		return
	case e.kind == list:
		r.Status = wire.WrongType
		return
	}
	if c.Blind {
		r.Value = throughLua(e.value)
		return
	}
	token, highest := float64(c.Token), float64(e.value)
	if token < highest || c.OrEqual && token == highest {
		r.Status = wire.Nil
	} else {
		e.value = c.Token
		s.touch(c.Key)
	}
	r.Value = throughLua(e.value)
}

// throughLua is what is left of an integer that a script returns: Lua's numbers are doubles (rule 4.4). 2^63 does not
// fit into the reply and becomes what x86 makes of it.
func throughLua(n int64) int64 {
	if f := float64(n); f < 1<<63 {
		return int64(f)
	}
	return math.MinInt64
}
