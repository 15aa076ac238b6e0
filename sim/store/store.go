// Package store is a typed model of one Redis: the keys and commands that locks use, and its wall clock. Which rules
// it follows, and where they were observed, is said beside them; "rule 1.1" and the like number the facts about
// real servers that docs/redis-rules.md lists.
package store

import (
	"locklab/internal/choice"
	"locklab/worker/wire"
)

// A Store is one server. It executes one command at a time, whole (rule 6.1). Make it with New.
type Store struct {
	phase   int64 // nanoseconds by which its wall clock is ahead of the time of the run
	entries [wire.NumKeys]entry
	referee referee
}

// entry is what is stored under a key. An entry whose deadline has passed stays until a command touches it, but
// every command sees it as absent (rule 1.8).
type entry struct {
	exists   bool
	value    int64
	deadline int64 // wall clock, ms; noDeadline if it does not expire
}

const noDeadline = -1

// New is an empty store for runs of the given number of workers.
func New(workers int) Store { return Store{referee: referee{in: make([]bool, workers)}} }

// Reset empties the store for a new run. phase is the wall clock's lead over the time of the run, in nanoseconds;
// what counts of it is its part below a millisecond.
func (s *Store) Reset(phase int64) {
	s.phase = phase
	s.entries = [wire.NumKeys]entry{}
	s.referee.reset()
}

// Execute carries out a command at time t of the run. The clock is read once, when the execution begins (rules 2.4, 2.5).
func (s *Store) Execute(t int64, c *wire.Command, r *wire.Reply) {
	us := (t + s.phase) / nsPerUS
	*r = wire.Reply{Status: wire.OK}
	switch c.Op {
	case wire.SetNX:
		s.setNX(us, c, r)
	case wire.SetNXToken:
		if s.setNX(us, c, r); r.Status == wire.OK {
			r.Value = s.increment(us, wire.KeyToken)
		}
	case wire.CompareDelete:
		s.compareDelete(us, c, r)
	case wire.Incr:
		r.Value = s.increment(us, c.Key)
	case wire.Write:
		s.write(us, c, r)
	case wire.Enter:
		s.referee.enter(us, c.Worker, r)
	case wire.Leave:
		s.referee.leave(us, c.Worker, r)
	default:
		panic("store: unknown command")
	}
}

const (
	nsPerUS = 1_000
	usPerMS = 1_000
	nsPerMS = nsPerUS * usPerMS
)

// live is the entry under a key, or nil if there is none or its deadline has passed. A key is alive for the whole
// of its deadline's millisecond (rule 1.1).
func (s *Store) live(us int64, k wire.Key) *entry {
	e := &s.entries[k]
	if e.exists && e.deadline != noDeadline && us/usPerMS > e.deadline {
		e.exists = false
	}
	if !e.exists {
		return nil
	}
	return e
}

// setNX is SET NX PX: nothing changes if the key lives, whatever its value (rule 3.3).
func (s *Store) setNX(us int64, c *wire.Command, r *wire.Reply) {
	if s.live(us, c.Key) != nil {
		r.Status = wire.Nil
		return
	}
	s.entries[c.Key] = entry{exists: true, value: c.Value, deadline: us/usPerMS + c.TTL}
}

func (s *Store) compareDelete(us int64, c *wire.Command, r *wire.Reply) {
	e := s.live(us, c.Key)
	if e == nil || e.value != c.Value {
		r.Status = wire.Nil
		return
	}
	e.exists = false
}

// increment is INCR: a missing key counts as 0, a deadline stays (rules 3.4, 3.10).
func (s *Store) increment(us int64, k wire.Key) int64 {
	e := s.live(us, k)
	if e == nil {
		e = &s.entries[k]
		*e = entry{exists: true, deadline: noDeadline}
	}
	e.value++
	return e.value
}

// write is the resource's check: it compares the token with the highest it has accepted.
func (s *Store) write(us int64, c *wire.Command, r *wire.Reply) {
	e := s.live(us, c.Key)
	if e == nil {
		e = &s.entries[c.Key]
		*e = entry{exists: true, deadline: noDeadline}
	}
	switch {
	case c.Blind:
	case c.Token < e.value || c.OrEqual && c.Token == e.value:
		r.Status = wire.Nil
	default:
		e.value = c.Token
	}
	r.Value = e.value
}

// ExpiryOf is the time of the run at which a key set at time t with the given TTL (in ms) ceases to live, if nobody
// deletes it: the first nanosecond of the millisecond after its deadline (rule 1.2).
func (s *Store) ExpiryOf(t, ttl int64) int64 {
	return ((t+s.phase)/nsPerMS+ttl+1)*nsPerMS - s.phase
}

// CopyFrom makes the store the same as another for as many workers.
func (s *Store) CopyFrom(o *Store) {
	in := s.referee.in
	copy(in, o.referee.in)
	*s = *o
	s.referee.in = in
}

// Digest takes all that decides the store's further replies into the digest.
func (s *Store) Digest(d *choice.Digest) {
	for k := range s.entries {
		if e := &s.entries[k]; e.exists {
			d.Add(int64(k))
			d.Add(e.value)
			d.Add(e.deadline)
		}
	}
	d.Add(int64(s.referee.inside))
	for w, in := range s.referee.in {
		if in {
			d.Add(int64(w))
		}
	}
}
