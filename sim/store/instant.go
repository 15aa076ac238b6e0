package store

import "locklab/worker/wire"

// Instants of the run that a client's wall clock has shown (wire.AtRun). The stores' wall clocks agree with those of the clients
// but for what the scenario declares, which is in the instant; a client cuts what is below a millisecond.

// beforeAll is a deadline before the wall clock began. A real one began long ago, so that it is no error.
const beforeAll = -2

// deadlineAt is the deadline of a key that is to live until an instant of the run.
func (s *Store) deadlineAt(run int64) int64 {
	if ms := s.shownAt(run); ms >= 0 {
		return ms
	}
	return beforeAll
}

// shownAt is what the wall clock shows at an instant of the run, in whole ms; below 0 before it began.
func (s *Store) shownAt(run int64) int64 {
	run += s.phase
	if run < 0 {
		run -= nsPerMS - 1
	}
	return run / nsPerMS
}

// expireAtRun is PEXPIREAT for an instant of the run.
func (s *Store) expireAtRun(us int64, c *wire.Command, r *wire.Reply) {
	at := *c
	at.TTL = s.deadlineAt(c.TTL)
	s.expire(us, &at, 0, r)
}

// EndOf is the time of the run at which a key ceases to live whose deadline was set by a command that was executed at time t, with
// a TTL in ms or an instant of the run, if nobody touches it. It may have passed.
func (s *Store) EndOf(t int64, c *wire.Command) int64 {
	if c.Options&wire.ForDeadline == wire.AtRun {
		return (s.shownAt(c.TTL)+1)*nsPerMS - s.phase
	}
	return s.ExpiryOf(t, c.TTL)
}
