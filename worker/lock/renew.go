package lock

import (
	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker/wire"
)

// Renew is how a client prolongs its lease while it holds the lock, beside whatever else it does. The zero value is that it
// does not.
type Renew struct {
	Every   int64 // nanoseconds from the grant, and from the reply to a renewal, to the next; 0 for no renewal
	Timeout int64 // nanoseconds after which a renewal without a reply has failed; 0 for never
	OnError OnError
	Extend  Extend
	AtMost  int64 // nanoseconds from the grant after which no renewal is sent; 0 for no limit
}

// OnError is what follows a renewal that has failed.
type OnError uint8

// What may follow. NextPeriod is the zero value.
const (
	NextPeriod   OnError = iota // another one after the period
	RetryAtOnce                 // another one at once
	StopRenewing                // none
)

// Extend says what a renewal does at the store.
type Extend uint8

// The forms of a renewal. Touch is the zero value.
const (
	Touch      Extend = iota // a script: PEXPIRE if the key holds the owner value
	TouchOrSet               // and SET PX if there is no key
	SetXX                    // SET XX PX, whoever has it
)

// renewals are the commands of a renewal.
var renewals = [...]wire.Op{Touch: wire.CompareExpire, TouchOrSet: wire.CompareExpireOrSet, SetXX: wire.Set}

// renewing is what a machine that renews has to keep.
type renewing struct {
	on      bool
	lost    bool  // a renewal has found the lock not its own
	flying  uint8 // renewals without a reply
	failed  uint8 // those of them that are too late
	granted int64 // when the client learned of the grant
	sent    int64 // when the last renewal was
}

func (r *renewing) digest(d *choice.Digest) {
	flags := int64(r.flying)<<8 | int64(r.failed)
	if r.on {
		flags |= 1 << 16
	}
	if r.lost {
		flags |= 1 << 17
	}
	d.Add(flags)
	d.Add(r.granted)
	d.Add(r.sent)
}

// mostFlying is the most renewals that are under way at once: one, and one that is sent because it is late.
const mostFlying = 2

// hold begins what goes on while the machine holds the lock: it has just learned of the grant.
func (m *Machine) hold(now int64, out *wire.Wishes) {
	m.renewing = renewing{flying: m.renewing.flying, failed: m.renewing.failed, granted: now}
	if m.renewing.on = m.policy.Renew.Every > 0; m.renewing.on {
		m.nextRenewal(now, out)
	}
	m.beginLearning(now, out)
}

// letGo ends what goes on while the machine holds the lock.
func (m *Machine) letGo(out *wire.Wishes) {
	if m.policy.Renew.Every > 0 {
		m.renewing.on = false
		out.Cancel(wire.TimerRenew)
	}
	m.endLearning(out)
}

// nextRenewal sets the timer for the renewal after this instant, if there is to be another.
func (m *Machine) nextRenewal(now int64, out *wire.Wishes) {
	p := &m.policy.Renew
	if next := now + p.Every; p.AtMost == 0 || next <= m.renewing.granted+p.AtMost {
		out.SetTimer(wire.TimerRenew, next)
	} else {
		out.Cancel(wire.TimerRenew)
	}
}

// RenewalDue is what follows the renewal timer: a renewal is to be sent, or the one under way is too late.
func (m *Machine) RenewalDue(now int64, out *wire.Wishes) {
	if m.policy.Kind == Quorum {
		m.extensionDue(now, out)
		return
	}
	r := &m.renewing
	if r.flying == r.failed {
		m.renew(now, out)
		return
	}
	r.failed++
	m.note(history.RenewalFailed, out)
	m.renewalFailed(now, out)
}

// renewalFailed does what the policy has follow a renewal that has failed.
func (m *Machine) renewalFailed(now int64, out *wire.Wishes) {
	switch m.policy.Renew.OnError {
	case StopRenewing:
		m.renewing.on = false
		m.hearOfLoss(now, out)
	case RetryAtOnce:
		m.renew(now, out)
	default:
		m.nextRenewal(now, out)
	}
}

// renew sends a renewal, or leaves it to the next period if too many are under way.
func (m *Machine) renew(now int64, out *wire.Wishes) {
	if m.policy.Kind == Quorum {
		m.extend(now, out)
		return
	}
	r := &m.renewing
	if r.flying == mostFlying {
		m.nextRenewal(now, out)
		return
	}
	m.fillRenewal(now, out.Send(0, TagRenew, renewals[m.policy.Renew.Extend], wire.KeyLock, m.me))
	r.flying++
	r.sent = now
	if m.policy.Renew.Timeout > 0 {
		out.SetTimer(wire.TimerRenew, now+m.policy.Renew.Timeout)
	}
}

// fillRenewal writes what is particular to a renewal that is sent at time now into its command.
func (m *Machine) fillRenewal(now int64, c *wire.Command) {
	c.Value, c.TTL = m.value, m.policy.TTL/nsPerMS
	deadline := wire.PX
	if m.policy.EndsByClock() {
		m.byClock(now, c)
		deadline = wire.AtRun
	}
	if m.policy.Renew.Extend == SetXX {
		c.Options = wire.XX | deadline
	}
}

// renewed takes the reply to a renewal. One that is too late, or comes when the lock is being released, makes no difference.
func (m *Machine) renewed(now int64, reply *wire.Reply, out *wire.Wishes) {
	r := &m.renewing
	r.flying--
	switch {
	case r.failed > 0:
		r.failed--
	case !r.on:
	case reply.Status == wire.OK:
		m.note(history.Renewed, out)
		m.prolonged(now, out)
	default:
		m.note(history.RenewalLost, out)
		m.foundLost(now, out)
	}
}

// prolonged goes on after a renewal that succeeded.
func (m *Machine) prolonged(now int64, out *wire.Wishes) {
	m.nextRenewal(now, out)
	m.prolong(m.renewing.sent, out)
}

// foundLost ends the renewals: one has found the lock not its own.
func (m *Machine) foundLost(now int64, out *wire.Wishes) {
	m.renewing.on, m.renewing.lost = false, true
	if m.policy.Renew.Timeout > 0 {
		out.Cancel(wire.TimerRenew)
	}
	m.hearOfLoss(now, out)
}
