package lock

import (
	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker/wire"
)

// The tags of the machine's commands. Its owner uses others.
const (
	TagAcquire wire.Tag = iota + 1
	TagRelease
	NumTags // the first tag that is free for the owner
)

// Outcome says where the machine stands after a reply.
type Outcome uint8

// The outcomes.
const (
	Waiting  Outcome = iota // for its retry timer
	Acquired                // it believes that it holds the lock
	GaveUp                  // the acquire ended without it
	Released                // the release was answered
)

// A Machine is one client's side of a lock: plain data, copyable. It lives in a worker, which passes replies and
// its retry timer on to it.
type Machine struct {
	policy *Policy
	me     int32
	round  int32
	value  int64   // the random owner value of this acquisition
	token  int64   // the fencing token that came with the grant; 0 if none did
	asked  int64   // when the first try was sent
	tries  int64   // sent so far
	grown  float64 // factor of the next sleep
	retry  choice.Stream
	owner  choice.Stream
}

// New is the machine of a worker. The policy must outlive it; the streams become its own.
func New(p *Policy, worker int32, retry, owner choice.Stream) Machine {
	return Machine{policy: p, me: worker, retry: retry, owner: owner}
}

// Token is the fencing token that came with the last grant, if the policy has the token inside.
func (m *Machine) Token() int64 { return m.token }

// Acquire sends the first try of a round, with a fresh owner value.
func (m *Machine) Acquire(now int64, round int32, out *wire.Wishes) {
	m.round, m.asked, m.tries, m.grown = round, now, 0, 1
	m.value = int64(m.owner.Next() >> 1)
	m.token = 0
	out.Note(history.Event{Kind: history.Asked, Worker: m.me, Round: round})
	m.try(out)
}

func (m *Machine) try(out *wire.Wishes) {
	m.tries++
	op := wire.SetNX
	if m.policy.TokenInside {
		op = wire.SetNXToken
	}
	out.Send(0, TagAcquire, wire.Command{
		Op: op, Key: wire.KeyLock, Worker: m.me, Value: m.value, TTL: m.policy.TTL / nsPerMS,
	})
}

const nsPerMS = 1_000_000

// Release sends the release: compare and delete, so that only this acquisition's lease can be removed.
func (m *Machine) Release(out *wire.Wishes) {
	out.Note(history.Event{Kind: history.Releasing, Worker: m.me, Round: m.round})
	out.Send(0, TagRelease, wire.Command{Op: wire.CompareDelete, Key: wire.KeyLock, Worker: m.me, Value: m.value})
}

// Retry sends the next try; its timer has fired.
func (m *Machine) Retry(out *wire.Wishes) { m.try(out) }

// Replied takes the reply to one of the machine's commands.
func (m *Machine) Replied(now int64, tag wire.Tag, r *wire.Reply, out *wire.Wishes) Outcome {
	switch {
	case tag == TagRelease:
		m.note(history.Released, history.Lost, r, out)
		return Released
	case r.Status == wire.OK:
		m.token = r.Value
		out.Note(history.Event{Kind: history.Acquired, Worker: m.me, Round: m.round, For: now - m.asked, Token: m.token})
		return Acquired
	default:
		return m.refused(now, out)
	}
}

// note records one of two events, depending on whether the store did what it was asked for.
func (m *Machine) note(done, not history.Kind, r *wire.Reply, out *wire.Wishes) {
	kind := done
	if r.Status != wire.OK {
		kind = not
	}
	out.Note(history.Event{Kind: kind, Worker: m.me, Round: m.round})
}

func (m *Machine) refused(now int64, out *wire.Wishes) Outcome {
	out.Note(history.Event{Kind: history.Refused, Worker: m.me, Round: m.round})
	next := now + m.sleep()
	p := &m.policy.Retry
	if p.Tries > 0 && m.tries >= p.Tries || p.Longest > 0 && next > m.asked+p.Longest {
		out.Note(history.Event{Kind: history.GaveUp, Worker: m.me, Round: m.round, For: now - m.asked})
		return GaveUp
	}
	out.SetTimer(wire.TimerRetry, next)
	return Waiting
}

// sleep draws the sleep before the next try.
func (m *Machine) sleep() int64 {
	p := &m.policy.Retry
	d := p.Every.Draw(&m.retry)
	if p.Factor > 1 {
		d = int64(min(float64(d)*m.grown, longestSleep))
		m.grown = min(m.grown*p.Factor, longestSleep)
	}
	if p.Most > 0 {
		d = min(d, p.Most)
	}
	return d
}

// longestSleep, a day in nanoseconds, keeps a growing sleep without a limit within bounds.
const longestSleep = 24 * 3600 * 1e9

// Digest takes all that decides what the machine does next into the digest.
func (m *Machine) Digest(d *choice.Digest) {
	d.Add(m.value)
	d.Add(m.token)
	d.Add(m.asked)
	d.Add(m.tries)
	d.Add(int64(m.grown))
	m.retry.Digest(d)
	m.owner.Digest(d)
}
