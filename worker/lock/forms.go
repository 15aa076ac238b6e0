package lock

import (
	"locklab/history"
	"locklab/worker/wire"
)

// AcquireForm says with which commands a client takes the lease.
type AcquireForm uint8

// The forms of an acquire. SetNXPX is the zero value.
const (
	SetNXPX     AcquireForm = iota // SET NX PX: taken if nobody has it, with a deadline, at once
	SetPX                          // SET PX: taken whoever has it
	SetNX                          // SET NX: without a deadline
	SetNXExpire                    // SET NX, and after the reply PEXPIRE
	SetNXPXAT                      // SET NX PXAT: as SetNXPX, but the client's own wall clock says when the lease ends
)

// ReleaseForm says with which commands a client gives the lease back.
type ReleaseForm uint8

// The forms of a release. Compare is the zero value.
const (
	Compare     ReleaseForm = iota // deleted if it holds the owner value, in one script
	PlainDelete                    // DEL: deleted whoever has it
	GetDelete                      // GET, and after the reply, if that is the owner value, DEL
)

// Expires reports whether every lease has a deadline from its beginning.
func (p *Policy) Expires() bool { return p.Acquire != SetNX && p.Acquire != SetNXExpire }

// HasTTL reports whether the lock has a TTL at all.
func (p *Policy) HasTTL() bool { return p.Acquire != SetNX }

// AcquiresAtOnce reports whether the reply to the first command of an acquire says whether it succeeded,
// and the client then has nothing to do but what comes next in its round.
func (p *Policy) AcquiresAtOnce() bool {
	return p.Acquire != SetNXExpire && !p.busyHolder()
}

// ReleasesAtOnce reports whether the reply to the first command of a release ends it, and its status says whether the lock was
// the client's own.
func (p *Policy) ReleasesAtOnce() bool {
	return p.Release == Compare && p.ReleaseTries <= 1 && !p.busyHolder()
}

// fillTry writes what is particular to a try to acquire into its command.
func (m *Machine) fillTry(c *wire.Command) {
	c.Value, c.TTL = m.value, m.policy.TTL/nsPerMS
	switch m.policy.Acquire {
	case SetNXPX:
	case SetPX:
		c.Options = wire.PX
	case SetNX, SetNXExpire:
		c.Options, c.TTL = wire.NX, 0
	case SetNXPXAT:
		c.Options = wire.NX
		m.byClock(m.learning.sent, c)
	}
	if m.policy.Retry.Wake == InTurn {
		c.Place = m.policy.Retry.Place / nsPerMS
	}
}

// limit sends what gives the lease that was just taken its deadline.
func (m *Machine) limit(out *wire.Wishes) {
	m.waits = false
	out.Send(0, TagExpire, wire.PExpire, wire.KeyLock, m.me).TTL = m.policy.TTL / nsPerMS
}

// Waits reports whether the machine waits for a lock that was refused to it.
func (m *Machine) Waits() bool { return m.waits }

// Value is the random owner value of the last acquisition.
func (m *Machine) Value() int64 { return m.value }

// Abandon ends an acquire that can never succeed.
func (m *Machine) Abandon(now int64, out *wire.Wishes) {
	m.waits = false
	m.note(history.Never, out).For = now - m.asked
}
