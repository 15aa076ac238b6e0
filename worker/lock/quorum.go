package lock

import (
	"math/bits"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker/wire"
)

// A QuorumPolicy is what a policy of the kind Quorum says beyond the others: the lease is kept at several stores, and whoever has it
// at more than half of them has the lock. As in "Distributed Locks with Redis" (the Redlock algorithm) of Redis's
// documentation, and its libraries.
type QuorumPolicy struct {
	Stores     int     // from 1 to wire.MaxStores
	Sequential bool    // a try asks one store after the other; else all at once
	Timeout    int64   // nanoseconds, for how long a store's answer is waited for; 0 for as long as it takes
	Early      bool    // a try, and a release, end as soon as more answers cannot change what comes of them
	Drift      float64 // the share of the TTL that is left for clocks that run at different rates
	Plus       int64   // nanoseconds, left for a store's precision
	Unchecked  bool    // a majority is enough, however long the try took
	Keep       bool    // what a refused try was granted is kept for the next, and released only when the acquire ends
	OwnCounts  bool    // a store that has the lease already grants it again, with a new deadline; else it refuses
}

// Majority is how many stores decide: more than half.
func (q *QuorumPolicy) Majority() int { return q.Stores/2 + 1 }

// Validity is how long a try may take, in ns: a lock that was acquired later is not believed in.
func (p *Policy) Validity() int64 {
	return p.TTL - int64(float64(p.Quorum.Drift*float64(p.TTL))) - p.Quorum.Plus
}

// tagStores is the first of the tags that tell from which store a reply comes.
const tagStores wire.Tag = 16

// IsOwn reports whether the tag is of one of the machine's commands.
func IsOwn(tag wire.Tag) bool { return tag < NumTags || tag >= tagStores }

// phase is what a machine waits for its stores to do.
type phase uint8

const (
	idle      phase = iota
	asking          // to grant a try
	clearing        // to delete what a refused try left, before the next
	ending          // the same, but there is no next
	releasing       // to delete the lease
	extending       // to prolong the lease, while the machine holds the lock
)

// A vote is how far a machine has come with several stores. Sets of stores have a bit for each.
type vote struct {
	phase phase
	next  uint8  // the first store that was not asked yet
	open  uint16 // whose answer is waited for
	yes   uint16 // who did it
	no    uint16 // whose answer to a renewal was that the lease is not the client's
	may   uint16 // who may have the lease, or is about to
	owed  [wire.MaxStores]uint8
	began int64 // when the try began
}

// mostOwed is how many answers a store may owe and still be asked. One that owes more counts as one that gave no answer in
// time. So there are never more than three commands of the lock on the way to a store, a deletion included.
const mostOwed = 1

// ask begins a try.
func (m *Machine) ask(now int64, out *wire.Wishes) {
	m.tries++
	v := &m.vote
	v.phase, v.began, v.next, v.open, v.yes = asking, now, 0, 0, 0
	if !m.askMore(now, out) {
		m.await(now, out)
	}
}

// askMore asks all stores, or the next one. It reports false if there was none to be asked.
func (m *Machine) askMore(now int64, out *wire.Wishes) bool {
	q, v := &m.policy.Quorum, &m.vote
	op := wire.SetNX
	switch {
	case q.OwnCounts:
		op = wire.SetOwn
	case m.policy.EndsByClock():
		op, m.learning.sent = wire.Set, now
	}
	for ; int(v.next) < q.Stores && !(q.Sequential && v.open != 0); v.next++ {
		if v.owed[v.next] <= mostOwed {
			m.fillTry(m.send(v.next, op, out))
			v.may |= 1 << v.next
		}
	}
	if v.open != 0 {
		m.await(now, out)
	}
	return v.open != 0
}

// send sends a command to a store whose answer is waited for.
func (m *Machine) send(store uint8, op wire.Op, out *wire.Wishes) *wire.Command {
	v := &m.vote
	v.open |= 1 << store
	v.owed[store]++
	c := out.Send(store, tagStores+wire.Tag(store), op, wire.KeyLock, m.me)
	c.Value = m.value
	return c
}

// await lets the wait for answers end.
func (m *Machine) await(now int64, out *wire.Wishes) {
	if t := m.policy.Quorum.Timeout; t > 0 {
		out.SetTimer(wire.TimerTimeout, now+t)
	}
}

// deleteAll lets all stores that may have the lease delete it, at once.
func (m *Machine) deleteAll(now int64, p phase, out *wire.Wishes) {
	v := &m.vote
	v.phase, v.open, v.yes = p, 0, 0
	for set := v.may; set != 0; set &= set - 1 {
		m.send(uint8(bits.TrailingZeros16(set)), wire.CompareDelete, out)
	}
	v.may = 0
	m.await(now, out)
}

// voted takes a store's answer. One to a command that was given up is late, and counts for nothing.
func (m *Machine) voted(now int64, store uint8, r *wire.Reply, out *wire.Wishes) Outcome {
	v, bit := &m.vote, uint16(1)<<store
	v.owed[store]--
	if v.owed[store] > 0 || v.open&bit == 0 {
		return Waiting
	}
	v.open &^= bit
	switch {
	case r.Status == wire.OK:
		v.yes |= bit
	case v.phase == extending:
		v.no |= bit
	}
	return m.proceed(now, out)
}

// TimedOut ends the wait for the stores that have not answered; its timer has fired.
func (m *Machine) TimedOut(now int64, out *wire.Wishes) Outcome {
	m.vote.open = 0
	return m.proceed(now, out)
}

// proceed goes on if there is nothing left to wait for.
func (m *Machine) proceed(now int64, out *wire.Wishes) Outcome {
	q, v := &m.policy.Quorum, &m.vote
	if v.phase == idle {
		return Waiting
	}
	if certain := q.Early && m.certain(); !certain && (v.open != 0 || v.phase == asking && m.askMore(now, out)) {
		return Waiting
	}
	if q.Timeout > 0 {
		out.Cancel(wire.TimerTimeout)
	}
	v.open = 0
	switch v.phase {
	case asking:
		return m.decide(now, out)
	case extending:
		m.extended(now, out)
		return Holding
	case releasing:
		m.deleted(out)
		return Released
	}
	return m.cleared(now, out)
}

// deleted takes what came of a release.
func (m *Machine) deleted(out *wire.Wishes) {
	m.vote.phase = idle
	kind := history.Lost
	switch {
	case bits.OnesCount16(m.vote.yes) >= m.policy.Quorum.Majority():
		kind = history.Released
	case m.renewing.lost:
		kind = history.LostAgain
	}
	m.noteVote(kind, out)
}

// certain reports whether the answers that are missing cannot change what comes of a try or a release.
func (m *Machine) certain() bool {
	q, v := &m.policy.Quorum, &m.vote
	missing := bits.OnesCount16(v.open)
	switch v.phase {
	case asking:
		missing += q.Stores - int(v.next)
	case clearing, ending:
		return false
	}
	yes := bits.OnesCount16(v.yes)
	return yes >= q.Majority() || yes+missing < q.Majority()
}

// decide ends a try.
func (m *Machine) decide(now int64, out *wire.Wishes) Outcome {
	q, v := &m.policy.Quorum, &m.vote
	if bits.OnesCount16(v.yes) >= q.Majority() && (q.Unchecked || now-v.began < m.policy.Validity()) {
		v.phase = idle
		m.noteVote(history.Acquired, out).For = now - m.asked
		if m.policy.busyHolder() {
			m.hold(now, out)
		}
		return Acquired
	}
	m.noteVote(history.Refused, out)
	if !q.Keep {
		return m.clear(now, clearing, out)
	}
	next, again := m.again(now)
	if !again {
		return m.clear(now, ending, out)
	}
	v.phase = idle
	out.SetTimer(wire.TimerRetry, next)
	return Waiting
}

// noteVote notes what came of the stores' answers.
func (m *Machine) noteVote(k history.Kind, out *wire.Wishes) *history.Event {
	e := m.note(k, out)
	e.Stores = uint8(bits.OnesCount16(m.vote.yes))
	return e
}

// clear deletes what the try that was refused, or all, left.
func (m *Machine) clear(now int64, p phase, out *wire.Wishes) Outcome {
	m.deleteAll(now, p, out)
	return m.proceed(now, out)
}

// cleared goes on when nothing is left of the refused tries: with a sleep, if the acquire goes on.
func (m *Machine) cleared(now int64, out *wire.Wishes) Outcome {
	next, again := int64(0), m.vote.phase == clearing
	m.vote.phase = idle
	if again {
		next, again = m.again(now)
	}
	if !again {
		m.note(history.GaveUp, out).For = now - m.asked
		return GaveUp
	}
	out.SetTimer(wire.TimerRetry, next)
	return Waiting
}

func (v *vote) digest(d *choice.Digest) {
	d.Add(int64(v.phase)<<48 | int64(v.next)<<40 | int64(v.open)<<24 | int64(v.yes))
	d.Add(int64(v.no)<<16 | int64(v.may))
	d.Add(v.began)
	for _, n := range v.owed {
		d.Add(int64(n))
	}
}
