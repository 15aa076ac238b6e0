package store

import "locklab/worker/wire"

// What follows are the commands with which a resource is read and written. Their scripts are in realrun/scripts.go, too.

// getVersioned is MGET of a number and its version; what is not there counts as 0.
func (s *Store) getVersioned(us int64, c *wire.Command, r *wire.Reply) {
	r.Value, r.Version = s.number(us, c.Key), s.number(us, c.Key.Beside())
}

// number is the number under a key, or 0 if there is none.
func (s *Store) number(us int64, k wire.Key) int64 {
	if e := s.live(us, k); e != nil && e.kind == number {
		return e.value
	}
	return 0
}

// setVersioned writes a number if its token is accepted.
func (s *Store) setVersioned(us int64, c *wire.Command, r *wire.Reply) {
	if s.accepts(us, c, r) {
		s.replace(us, c.Key, c.Value, r)
	}
}

func (s *Store) setIfVersion(us int64, c *wire.Command, r *wire.Reply) {
	if s.number(us, c.Key.Beside()) != c.Version {
		r.Status = wire.Nil
		return
	}
	s.replace(us, c.Key, c.Value, r)
}

// execSet writes a number in a transaction.
func (s *Store) execSet(us int64, c *wire.Command, r *wire.Reply) {
	aborted := s.aborts(us, c.Worker)
	s.unwatch(c.Worker)
	if aborted {
		r.Status = wire.Nil
		return
	}
	s.replace(us, c.Key, c.Value, r)
}

func (s *Store) addVersioned(us int64, c *wire.Command, r *wire.Reply) {
	sum := s.number(us, c.Key) + c.Value
	if s.replace(us, c.Key, sum, r); !r.Status.Failed() {
		r.Value = sum
	}
}

// replace writes a number, which keeps its deadline, and counts its version on.
func (s *Store) replace(us int64, k wire.Key, value int64, r *wire.Reply) {
	deadline := int64(noDeadline)
	if e := s.live(us, k); e != nil {
		deadline = e.deadline
	}
	s.put(k, entry{kind: number, value: value, deadline: deadline})
	if s.increment(us, k.Beside(), 1, r); !r.Status.Failed() {
		r.Version, r.Value = r.Value, 0
	}
}

// perform counts a job as performed, if its token is accepted.
func (s *Store) perform(us int64, c *wire.Command, r *wire.Reply) {
	if s.accepts(us, c, r) {
		s.increment(us, c.Key, 1, r)
	}
}

func (s *Store) performOnce(us int64, c *wire.Command, r *wire.Reply) {
	if n := s.number(us, c.Key); n > 0 {
		r.Status, r.Value = wire.Nil, n
		return
	}
	s.increment(us, c.Key, 1, r)
}

// accepts checks the token of a command that writes something else than the highest token, and remembers it.
func (s *Store) accepts(us int64, c *wire.Command, r *wire.Reply) bool {
	if c.Blind {
		return true
	}
	check := *c
	check.Key = wire.KeyHighest
	s.write(us, &check, r)
	r.Value = 0
	return r.Status == wire.OK
}

// Number is the number under a key at time t of the run, or 0 if there is none.
func (s *Store) Number(t int64, k wire.Key) int64 { return s.number(s.wall(t), k) }
