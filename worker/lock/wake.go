package lock

import (
	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker/wire"
)

// Wake is what ends the wait of a client whose try was refused.
type Wake uint8

// The ways. BySleep is the zero value. In the others a client that was refused subscribes to a channel, tries once more, and then
// waits for a message, or for the end of the lease as the refusal told it, whichever comes first: what Redisson's RLock and
// RFairLock do. A lease that ends by itself publishes nothing.
const (
	BySleep   Wake = iota // a sleep of its own, see Retry
	ByMessage             // the release's message, which all who wait hear
	InTurn                // the same, but only who has waited longest is told, and may acquire
)

// Wakes reports whether who waits is told of releases.
func (r *Retry) Wakes() bool { return r.Wake != BySleep }

// waking is what a machine that is woken has to keep.
type waking struct {
	listens bool // it has subscribed, or is about to
	sleeps  bool // until its timer fires or a message comes
	told    bool // a message came since the last try was sent
	lost    choice.Stream
}

// Listen gives the machine the stream that says which messages it loses. It needs one if its policy loses any.
func (m *Machine) Listen(lost choice.Stream) { m.waking.lost = lost }

// Hears reports whether a message that has come is heard: the machine listens, and the message is not lost.
func (m *Machine) Hears() bool { return m.waking.listens && !m.loses() }

// Told takes a message that is heard. One that comes while a try is under way ends the wait after that try.
func (m *Machine) Told(now int64, out *wire.Wishes) Outcome {
	if w := &m.waking; !w.sleeps {
		w.told = w.listens
		return Waiting
	}
	out.Cancel(wire.TimerRetry)
	return m.RetryDue(now, out)
}

// loses draws whether a message is lost.
func (m *Machine) loses() bool {
	p := m.policy.Retry.Lost
	return p > 0 && uint64(float64(p*(1<<53))) > m.waking.lost.Next()>>11
}

// RetryDue is what follows the end of a wait: the next try, or the end of the acquire if it has taken its longest.
func (m *Machine) RetryDue(now int64, out *wire.Wishes) Outcome {
	w := &m.waking
	if w.sleeps {
		w.sleeps = false
		if m.tooLate(now) {
			return m.giveUp(now, out)
		}
	}
	w.told = false
	m.Retry(now, out)
	return Waiting
}

// turnedAway takes a refusal, which says how long the lease lasts.
func (m *Machine) turnedAway(now int64, r *wire.Reply, out *wire.Wishes) Outcome {
	m.note(history.Refused, out)
	m.waits = true
	p, w := &m.policy.Retry, &m.waking
	switch {
	case p.Tries > 0 && m.tries >= p.Tries || m.tooLate(now):
		return m.giveUp(now, out)
	case !w.listens:
		w.listens, w.told = true, false
		c := out.Send(0, TagSubscribe, wire.Subscribe, wire.KeyLock, m.me)
		if p.Wake == InTurn {
			c.Value = m.value
		}
		return Waiting
	case w.told:
		return m.RetryDue(now, out)
	}
	w.sleeps = true
	until := now + max(r.Value, leastLeft)*nsPerMS
	if p.Longest > 0 {
		until = min(until, m.asked+p.Longest)
	}
	out.SetTimer(wire.TimerRetry, until)
	return Waiting
}

// leastLeft, in ms, is what a client takes for the rest of a lease that ends within the millisecond, which the store tells as 0.
// Redisson does not sleep then, and tries again and again until the millisecond is over.
const leastLeft = 1

// tooLate reports whether the acquire has taken its longest.
func (m *Machine) tooLate(now int64) bool {
	longest := m.policy.Retry.Longest
	return longest > 0 && now >= m.asked+longest
}

// giveUp ends the acquire without the lock. A client that has a place in the queue takes itself out first.
func (m *Machine) giveUp(now int64, out *wire.Wishes) Outcome {
	m.note(history.GaveUp, out).For = now - m.asked
	m.hangUp(out)
	if m.policy.Retry.Wake != InTurn {
		return GaveUp
	}
	m.waits = false
	out.Send(0, TagLeaveQueue, wire.LeaveQueue, wire.KeyLock, m.me).Value = m.value
	return Waiting
}

// hangUp ends the subscription, if there is one.
func (m *Machine) hangUp(out *wire.Wishes) {
	if m.waking.listens {
		m.waking.listens = false
		out.Unsubscribe()
	}
}

func (w *waking) digest(d *choice.Digest) {
	flags := int64(0)
	for i, set := range [...]bool{w.listens, w.sleeps, w.told} {
		if set {
			flags |= 1 << i
		}
	}
	d.Add(flags)
	w.lost.Digest(d)
}
