package store

import "locklab/worker/wire"

// A watch is a connection's interest in a key: if the key is changed, the connection's next transaction is not
// carried out.
type watch struct {
	connection int32
	key        wire.Key
	expired    bool // the key's deadline had passed when the watch began: its deletion is no change
}

func (s *Store) watch(us int64, connection int32, k wire.Key) {
	if s.dirty[connection] {
		return
	}
	for i := range s.watches {
		if s.watches[i].connection == connection && s.watches[i].key == k {
			return
		}
	}
	s.watches = append(s.watches, watch{connection, k, s.entry(k).due(us)})
}

// unwatch ends all of a connection's watches, and forgets what they saw.
func (s *Store) unwatch(connection int32) {
	s.dirty[connection] = true
	s.sweep()
	s.dirty[connection] = false
}

// touch lets the watches of a key know that it was changed.
func (s *Store) touch(k wire.Key) {
	if len(s.watches) > 0 {
		s.spoil(k)
	}
}

// spoil marks the connections that watch a key, in the order of their watches. A watch that began when the key's
// deadline had passed is not spoilt by the deletion. If the clock went back, such a key can also be changed without
// having been deleted: then real servers stop there, and neither this connection nor those after it are marked.
func (s *Store) spoil(k wire.Key) {
	for i := range s.watches {
		w := &s.watches[i]
		if w.key != k {
			continue
		}
		if !w.expired {
			s.dirty[w.connection] = true
			continue
		}
		if s.entry(k).kind != absent {
			break
		}
		w.expired = false
	}
	s.sweep()
}

// sweep drops the watches of connections that are marked: they need none any more.
func (s *Store) sweep() {
	kept := s.watches[:0]
	for _, w := range s.watches {
		if !s.dirty[w.connection] {
			kept = append(kept, w)
		}
	}
	s.watches = kept
}

// Exec carries out a transaction (MULTI … EXEC) at time t of the run, if nothing that its connection watches was
// changed or has expired since (rule 2.6); else it replies to nothing and returns false. Expiry sees one timestamp
// throughout. A command that fails does not stop the others (rule 3.11). replies has room for all commands; Watch is
// not allowed among them.
func (s *Store) Exec(t int64, connection int32, commands []wire.Command, replies []wire.Reply) bool {
	us := s.wall(t)
	aborted := s.aborts(us, connection)
	s.unwatch(connection)
	if aborted {
		return false
	}
	s.within = true
	for i := range commands {
		s.queued(us, &commands[i], &replies[i])
	}
	s.within, s.busy = false, 0
	return true
}

// aborts reports whether something that a connection watches was changed, or has expired since.
func (s *Store) aborts(us int64, connection int32) bool {
	aborted := s.dirty[connection]
	for _, w := range s.watches {
		if w.connection == connection && !w.expired && s.entry(w.key).due(us) {
			aborted = true
		}
	}
	return aborted
}

// queued carries out a command of a transaction. Where only the comparison is frozen, a script inside has a timestamp
// of its own.
func (s *Store) queued(us int64, c *wire.Command, r *wire.Reply) {
	if !scripted(c.Op) || s.busy == 0 {
		s.execute(us, c, r)
		return
	}
	busy := s.busy
	s.busy = 0
	s.execute(us+busy, c, r)
	s.busy = busy
}

func scripted(op wire.Op) bool {
	switch op {
	case wire.SetNXToken, wire.SetOwn, wire.CompareDelete, wire.CompareExpire, wire.CompareExpireOrSet, wire.Write, wire.SetVersioned, wire.SetIfVersion,
		wire.AddVersioned, wire.Perform, wire.PerformOnce, wire.Enter, wire.Leave,
		wire.SetNXOrLeft, wire.SetNXTokenOrLeft, wire.CompareDeletePublish, wire.SetInTurn, wire.DeleteInTurn, wire.LeaveQueue:
		return true
	}
	return false
}

// Script carries out plain commands as a script that calls one after the other: one timestamp for all (rule 2.5), the
// first error ends it, what was done before stays (rule 4.1), and its numbers are Lua's (rule 4.4). It returns how
// many commands were carried out, the failed one included.
func (s *Store) Script(t int64, commands []wire.Command, replies []wire.Reply) int {
	us, done := s.wall(t), 0
	s.within = true
	for i := range commands {
		r := &replies[i]
		s.execute(us, &commands[i], r)
		done++
		if r.Status.Failed() {
			break
		}
		if op := commands[i].Op; op != wire.Get && op != wire.Set && op != wire.SetText {
			r.Value = throughLua(r.Value)
		}
	}
	s.within, s.busy = false, 0
	return done
}

// sleep makes the rest of a script or transaction late. By itself it changes nothing: the next command comes later.
func (s *Store) sleep(us int64) {
	if s.within && !s.Rules.FrozenDeadlines {
		s.busy += us
	}
}
