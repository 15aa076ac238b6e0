package lock

import (
	"locklab/history"
	"locklab/worker/wire"
)

// Loss is how a client that holds the lock learns that it does so no longer, before it releases it. The zero value is that it
// does not.
type Loss struct {
	Learn   Learn
	Every   int64 // LearnByPolling: nanoseconds between two looks
	Latency int64 // LearnByCancel: nanoseconds from the renewal's failure to learning of it
	Stops   bool  // it then ends its work, commits nothing and leaves; else it goes on
}

// Learn is a way of learning of a loss.
type Learn uint8

// The ways. LearnNever is the zero value. Known is the end of the lease by the client's own clock, if the last acquire or
// renewal that succeeded had been executed when it was sent; of a quorum, the end of the validity of the try or renewal.
const (
	LearnNever      Learn = iota
	LearnByPolling        // it looks now and then whether a renewal has found the lock lost, or the known end has come
	LearnByDeadline       // a timer is set for the known end
	LearnByCancel         // it is told by a renewal that has failed for good
)

// learning is what a machine that may learn of a loss has to keep.
type learning struct {
	sent int64 // when the last try was sent, if it was not the first
	ends int64 // the known end of the lease
}

// beginLearning begins to watch over the lease that was just granted.
func (m *Machine) beginLearning(now int64, out *wire.Wishes) {
	p := &m.policy.Loss
	if p.Learn == LearnNever {
		return
	}
	m.learning.ends = m.knownEnd()
	switch p.Learn {
	case LearnByPolling:
		out.SetTimer(wire.TimerLearn, now+p.Every)
	case LearnByDeadline:
		out.SetTimer(wire.TimerLearn, m.learning.ends)
	}
}

// knownEnd is the end of the lease that was just granted, by the client's own clock.
func (m *Machine) knownEnd() int64 {
	switch {
	case m.policy.Kind == Quorum:
		return m.vote.began + m.policy.lasts()
	case m.tries > 1:
		return m.learning.sent + m.policy.lasts()
	}
	return m.asked + m.policy.lasts()
}

// lasts is for how long a client knows that it has the lock, in ns from when it sent what succeeded.
func (p *Policy) lasts() int64 {
	if p.Kind == Quorum {
		return p.Validity()
	}
	return p.TTL
}

// endLearning ends it.
func (m *Machine) endLearning(out *wire.Wishes) {
	if m.policy.Loss.Learn != LearnNever {
		out.Cancel(wire.TimerLearn)
	}
}

// prolong takes note of a renewal that succeeded, and of when it was sent.
func (m *Machine) prolong(sent int64, out *wire.Wishes) {
	m.learning.ends = sent + m.policy.lasts()
	if m.policy.Loss.Learn == LearnByDeadline {
		out.SetTimer(wire.TimerLearn, m.learning.ends)
	}
}

// hearOfLoss lets a renewal's failure be heard of, if that is how the client learns.
func (m *Machine) hearOfLoss(now int64, out *wire.Wishes) {
	if m.policy.Loss.Learn == LearnByCancel {
		out.SetTimer(wire.TimerLearn, now+m.policy.Loss.Latency)
	}
}

// LearnDue is what follows the timer of learning. It reports whether the client has learned that the lock is no longer its own.
func (m *Machine) LearnDue(now int64, out *wire.Wishes) bool {
	if m.policy.Loss.Learn == LearnByPolling && !m.renewing.lost && now < m.learning.ends {
		out.SetTimer(wire.TimerLearn, now+m.policy.Loss.Every)
		return false
	}
	m.note(history.Learned, out)
	return true
}
