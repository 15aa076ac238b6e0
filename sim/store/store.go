// Package store is a typed model of one Redis: the keys and commands that locks use, and its wall clock. Which rules
// it follows is said beside them; "rule 1.1" and the like number the facts about real servers that
// docs/redis-rules.md lists, each with the test that holds model and server against each other.
//
// Command texts are not modelled: a command is typed, and what cannot be typed (EX beside PX) cannot be asked.
package store

import (
	"math"

	"locklab/internal/choice"
	"locklab/worker/wire"
)

// A Store is one server. It executes one command at a time, whole (rule 6.1). Make it with New; copy it with CopyFrom.
type Store struct {
	Rules Rules // which product and version it is; Redis 7.0 if nothing is set

	phase   int64 // nanoseconds by which its wall clock is ahead of the time of the run
	within  bool  // a script or transaction is running
	busy    int64 // microseconds that it has slept, if its deadlines notice (rule 2.7); else 0
	entries [wire.NumKeys]entry
	further []entry // under the keys of wire.Numbered
	watches []watch // in the order in which they were begun
	dirty   []bool  // by connection: what it watches was changed
	referee referee
	waiters waiters
}

// entry is what is stored under a key. An entry whose deadline has passed stays until a command touches it, but
// every command sees it as absent (rule 1.8).
type entry struct {
	kind     kind
	value    int64 // the number; the number of the text; the length of the list
	deadline int64 // wall clock, ms; noDeadline if it does not expire
}

type kind uint8

const (
	absent kind = iota
	number
	text
	list
)

const noDeadline = -1

// New is an empty store for runs of the given number of workers, with room for so many numbered keys.
func New(workers, numbered int) Store {
	return Store{dirty: make([]bool, workers), further: make([]entry, numbered), referee: referee{in: make([]bool, workers)}, waiters: newWaiters(workers)}
}

// Begin is what a store holds when a run begins, as realrun makes it. The zero value is no resource, and tokens from 1 on.
type Begin struct {
	Token    int64 // the fencing token before the first
	Balance  int64 // of the account, and of the Accounts
	Accounts int32 // of one worker each, under the keys numbered 0, 2, 4 …
}

// Reset makes the store ready for a new run. The highest token that was accepted is 0. phase is the wall clock's lead over the
// time of the run, in nanoseconds; what counts of it is its part below a millisecond.
func (s *Store) Reset(phase int64, b Begin) {
	s.phase = phase
	s.entries = [wire.NumKeys]entry{}
	s.entries[wire.KeyToken] = entry{kind: number, value: b.Token, deadline: noDeadline}
	s.entries[wire.KeyHighest] = entry{kind: number, deadline: noDeadline}
	if b.Balance != 0 {
		s.entries[wire.KeyBalance] = entry{kind: number, value: b.Balance, deadline: noDeadline}
	}
	clear(s.further)
	for i := range b.Accounts {
		s.further[2*i] = entry{kind: number, value: b.Balance, deadline: noDeadline}
	}
	s.watches = s.watches[:0]
	clear(s.dirty)
	s.referee.reset()
	s.waiters.reset()
}

// CopyFrom makes the store equal to another one for as many workers. They share nothing.
func (s *Store) CopyFrom(o *Store) {
	watches, dirty, further, in, waiters := append(s.watches[:0], o.watches...), s.dirty, s.further, s.referee.in, s.waiters
	copy(dirty, o.dirty)
	copy(further, o.further)
	copy(in, o.referee.in)
	waiters.copyFrom(&o.waiters)
	*s = *o
	s.watches, s.dirty, s.further, s.referee.in, s.waiters = watches, dirty, further, in, waiters
}

// Execute carries out a command at time t of the run. The clock is read once, when the execution begins (rules 2.4, 2.5).
func (s *Store) Execute(t int64, c *wire.Command, r *wire.Reply) { s.execute(s.wall(t), c, r) }

// wall is the store's wall clock at time t of the run, in microseconds.
func (s *Store) wall(t int64) int64 { return (t + s.phase) / nsPerUS }

func (s *Store) execute(us int64, c *wire.Command, r *wire.Reply) {
	*r = wire.Reply{Status: wire.OK}
	switch c.Op {
	case wire.SetNX:
		s.setNX(us, c, r)
	case wire.SetNXToken:
		s.setNXToken(us, c, r)
	case wire.SetOwn:
		s.setOwn(us, c, r)
	case wire.CompareDelete:
		s.compareDelete(us, c, r)
	case wire.CompareExpire:
		s.compareExpire(us, c, r)
	case wire.CompareExpireOrSet:
		s.compareExpireOrSet(us, c, r)
	case wire.Write:
		s.write(us, c, r)
	case wire.Enter:
		s.referee.enter(us, c, r)
	case wire.Leave:
		s.referee.leave(us, c, r)
	case wire.GetVersioned:
		s.getVersioned(us, c, r)
	case wire.SetVersioned:
		s.setVersioned(us, c, r)
	case wire.SetIfVersion:
		s.setIfVersion(us, c, r)
	case wire.ExecSet:
		s.execSet(us, c, r)
	case wire.AddVersioned:
		s.addVersioned(us, c, r)
	case wire.Perform:
		s.perform(us, c, r)
	case wire.PerformOnce:
		s.performOnce(us, c, r)
	case wire.Set:
		s.set(us, c, number, r)
	case wire.SetText:
		s.set(us, c, text, r)
	case wire.Get:
		s.get(us, c.Key, r)
	case wire.Del:
		r.Value = s.remove(s.live(us, c.Key), c.Key)
	case wire.Exists:
		r.Value = one(s.live(us, c.Key) != nil)
	case wire.Incr:
		s.increment(us, c.Key, 1, r)
	case wire.IncrBy:
		s.increment(us, c.Key, c.Value, r)
	case wire.Decr:
		s.increment(us, c.Key, -1, r)
	case wire.PExpire:
		s.expire(us, c, (us+s.busy)/usPerMS, r)
	case wire.PExpireAt:
		s.expire(us, c, 0, r)
	case wire.PTTL:
		r.Value = s.left(us, c.Key)
	case wire.Persist:
		r.Value = s.persist(us, c.Key)
	case wire.Push:
		s.push(us, c.Key, r)
	case wire.Size:
		r.Value = s.size()
	case wire.Watch:
		s.watch(us, c.Worker, c.Key)
	case wire.Unwatch:
		s.unwatch(c.Worker)
	case wire.Sleep:
		s.sleep(c.Value)
	default:
		s.executeForWaiters(us, c, r)
	}
}

const (
	nsPerUS = 1_000
	usPerMS = 1_000
	nsPerMS = nsPerUS * usPerMS
)

// due tells whether there is an entry whose deadline has passed. A key is alive for the whole of its deadline's
// millisecond (rule 1.1).
func (e *entry) due(us int64) bool {
	return e.kind != absent && e.deadline != noDeadline && us/usPerMS > e.deadline
}

// live is the entry under a key, or nil if there is none or its deadline has passed: then it is deleted now, which
// those who watch it notice (rules 1.8, 1.9).
func (s *Store) live(us int64, k wire.Key) *entry {
	e := s.entry(k)
	if e.kind == absent {
		return nil
	}
	if e.due(us) {
		e.kind = absent
		s.touch(k)
		return nil
	}
	return e
}

// entry is what is stored under a key, its time over or not.
func (s *Store) entry(k wire.Key) *entry {
	if k < wire.NumKeys {
		return &s.entries[k]
	}
	return &s.further[k-wire.NumKeys]
}

// put stores what becomes of a key, and lets those who watch it know.
func (s *Store) put(k wire.Key, e entry) {
	*s.entry(k) = e
	s.touch(k)
}

// remove deletes an entry; nil is fine. It tells (1 or 0) whether there was one.
func (s *Store) remove(e *entry, k wire.Key) int64 {
	if e == nil {
		return 0
	}
	e.kind = absent
	s.touch(k)
	return 1
}

func one(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// size counts the entries, those whose deadline has passed included (rule 1.8).
func (s *Store) size() int64 {
	var n int64
	for k := range s.entries {
		n += one(s.entries[k].kind != absent)
	}
	for k := range s.further {
		n += one(s.further[k].kind != absent)
	}
	return n
}

// ExpiryOf is the time of the run at which a key set at time t with the given TTL (in ms) ceases to live, if nobody
// deletes it: the first nanosecond of the millisecond after its deadline (rule 1.2).
func (s *Store) ExpiryOf(t, ttl int64) int64 {
	return ((t+s.phase)/nsPerMS+ttl+1)*nsPerMS - s.phase
}

// LivesUntil is the time of the run at which a key ceases to live if nobody touches it: one that has passed if it does
// not live, the end of time if it has no deadline.
func (s *Store) LivesUntil(k wire.Key) int64 {
	switch e := s.entry(k); {
	case e.kind == absent:
		return math.MinInt64
	case e.deadline == noDeadline || e.deadline >= math.MaxInt64/nsPerMS:
		return math.MaxInt64
	default:
		return (e.deadline+1)*nsPerMS - s.phase
	}
}

// Digest takes all that decides the store's further replies into the digest.
func (s *Store) Digest(d *choice.Digest) {
	for k := range wire.Numbered(int32(len(s.further))) {
		if e := s.entry(k); e.kind != absent {
			d.Add(int64(k)<<8 | int64(e.kind))
			d.Add(e.value)
			d.Add(e.deadline)
		}
	}
	for _, w := range s.watches {
		d.Add(int64(w.connection)<<32 | int64(w.key))
	}
	for c, dirty := range s.dirty {
		if dirty {
			d.Add(int64(c))
		}
	}
	d.Add(int64(s.referee.inside))
	for w, in := range s.referee.in {
		if in {
			d.Add(int64(w))
		}
	}
	s.waiters.digest(d)
}
