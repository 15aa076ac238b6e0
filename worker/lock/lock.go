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
	TagExpire     // what gives a lease that was taken without a deadline one
	TagDelete     // what deletes a lease that was found to be its own
	TagRenew      // what prolongs a lease
	TagSubscribe  // what lets it hear of releases
	TagLeaveQueue // what takes it out of the queue of those who wait
	NumTags       // the first tag that is free for the owner
)

// Outcome says where the machine stands after a reply.
type Outcome uint8

// The outcomes.
const (
	Waiting  Outcome = iota // for its retry timer, or the reply to a further command
	Acquired                // it believes that it holds the lock
	GaveUp                  // the acquire ended without it
	Released                // the release was answered
	Holding                 // it goes on to hold the lock, or to release it
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
	waits  bool    // a try was refused, and none was granted since
	grown  float64 // factor of the next sleep
	retry  choice.Stream
	owner  choice.Stream
	vote   vote // of a quorum

	letting  letting
	renewing renewing
	learning learning
	waking   waking
}

// New is the machine of a worker. The policy must outlive it; the streams become its own.
func New(p *Policy, worker int32, retry, owner choice.Stream) Machine {
	return Machine{policy: p, me: worker, retry: retry, owner: owner}
}

// Token is the fencing token that came with the last grant, if the policy has the token inside.
func (m *Machine) Token() int64 { return m.token }

// Acquire sends the first try of a round, with a fresh owner value.
func (m *Machine) Acquire(now int64, round int32, out *wire.Wishes) {
	m.begin(now, round)
	m.note(history.Asked, out)
	m.Retry(now, out)
}

func (m *Machine) begin(now int64, round int32) {
	m.round, m.asked, m.tries, m.grown = round, now, 0, 1
	m.value = int64(m.owner.Next() >> 1)
	m.token, m.waits, m.letting.on = 0, false, false
}

// Begin is Acquire without its wishes: the first try is written into c.
func (m *Machine) Begin(now int64, round int32, c *wire.Command) {
	m.begin(now, round)
	m.tries++
	m.fill(c, m.policy.acquire())
	m.fillTry(c)
}

const nsPerMS = 1_000_000

func (m *Machine) fill(c *wire.Command, op wire.Op) {
	*c = wire.Command{}
	c.Op, c.Key, c.Worker, c.Value = op, wire.KeyLock, m.me, m.value
}

// AskedAt moves the time of the first try that Begin has written.
func (m *Machine) AskedAt(at int64) { m.asked = at }

// End is Release without its wishes: the command is written into c.
func (m *Machine) End(c *wire.Command) { m.fill(c, m.policy.release()) }

// Granted takes the reply that grants the lock, and gives the wait for it, in ns.
func (m *Machine) Granted(now int64, r *wire.Reply) (wait int64) {
	if m.waits = false; m.policy.TokenInside {
		m.token = r.Value
	}
	return now - m.asked
}

// Retry sends the next try to acquire, or to release; its timer has fired.
func (m *Machine) Retry(now int64, out *wire.Wishes) {
	if m.policy.Kind == Quorum {
		m.ask(now, out)
		return
	}
	if m.letting.on {
		m.release(now, out)
		return
	}
	m.tries++
	m.learning.sent = now
	m.fillTry(out.Send(0, TagAcquire, m.policy.acquire(), wire.KeyLock, m.me))
}

// Replied takes the reply to one of the machine's commands.
func (m *Machine) Replied(now int64, tag wire.Tag, r *wire.Reply, out *wire.Wishes) Outcome {
	if tag >= tagStores {
		return m.voted(now, uint8(tag-tagStores), r, out)
	}
	switch {
	case tag == TagRenew:
		m.renewed(now, r, out)
		return Holding
	case tag == TagRelease || tag == TagDelete:
		return m.released(now, tag, r, out)
	case tag == TagAcquire && r.Status != wire.OK && m.policy.Retry.Wakes():
		return m.turnedAway(now, r, out)
	case tag == TagAcquire && r.Status != wire.OK:
		return m.refused(now, out)
	case tag == TagSubscribe:
		m.Retry(now, out)
		return Waiting
	case tag == TagLeaveQueue:
		return GaveUp
	case tag == TagAcquire && m.policy.Acquire == SetNXExpire:
		m.limit(out)
		return Waiting
	default:
		wait := m.Granted(now, r)
		e := m.note(history.Acquired, out)
		e.For, e.Token = wait, m.token
		m.hangUp(out)
		if m.policy.busyHolder() {
			m.hold(now, out)
		}
		return Acquired
	}
}

func (m *Machine) note(k history.Kind, out *wire.Wishes) *history.Event {
	return out.Note(k, m.me, m.round)
}

func (m *Machine) refused(now int64, out *wire.Wishes) Outcome {
	m.note(history.Refused, out)
	m.waits = true
	next, again := m.again(now)
	if !again {
		m.note(history.GaveUp, out).For = now - m.asked
		return GaveUp
	}
	out.SetTimer(wire.TimerRetry, next)
	return Waiting
}

// again draws the time of the next try after a refusal at time now. It reports false if the acquire ends instead.
func (m *Machine) again(now int64) (next int64, again bool) {
	next = now + m.sleep()
	p := &m.policy.Retry
	return next, !(p.Tries > 0 && m.tries >= p.Tries || p.Longest > 0 && next > m.asked+p.Longest)
}

// TryAgain does in one what a refusal at time now (Replied) and the retry timer (Retry) do, but for their wishes: it
// gives the time for which the timer would be set, and counts the try. If the acquire ends instead, it reports false
// and has changed nothing.
func (m *Machine) TryAgain(now int64) (next int64, again bool) {
	retry, grown := m.retry, m.grown
	if next, again = m.again(now); !again {
		m.retry, m.grown = retry, grown
		return 0, false
	}
	m.tries++
	return next, true
}

// Sleeps are dice for the sleeps before the next tries; they may be used if the policy is Steady.
func (m *Machine) Sleeps() choice.Dice { return m.policy.Retry.Every.Dice(&m.retry) }

// Refused does what TryAgain does, n times, for sleeps that were drawn with Sleeps.
func (m *Machine) Refused(n int64) {
	m.tries += n
	m.policy.Retry.Every.Skip(&m.retry, n)
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
	if m.waits {
		d.Add(1)
	}
	m.letting.digest(d)
	m.renewing.digest(d)
	d.Add(m.learning.sent)
	d.Add(m.learning.ends)
	m.retry.Digest(d)
	m.owner.Digest(d)
	if m.policy.Kind == Quorum {
		m.vote.digest(d)
	}
	if m.policy.Retry.Wakes() {
		m.waking.digest(d)
	}
}
