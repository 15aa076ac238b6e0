package lock

import (
	"math/bits"

	"locklab/history"
	"locklab/worker/wire"
)

// extensionDue is what follows the renewal timer of a quorum: a renewal is to be sent, or the stores that have not answered the one
// under way are waited for no longer.
func (m *Machine) extensionDue(now int64, out *wire.Wishes) {
	if m.vote.phase != extending {
		m.extend(now, out)
		return
	}
	m.vote.open = 0
	m.proceed(now, out)
}

// extend asks all stores that may have the lease to prolong it, at once. If too few can be asked for a majority, since they owe
// answers, that is left to the next period.
func (m *Machine) extend(now int64, out *wire.Wishes) {
	v := &m.vote
	var ask uint16
	for set := v.may; set != 0; set &= set - 1 {
		if store := bits.TrailingZeros16(set); v.owed[store] <= mostOwed {
			ask |= 1 << store
		}
	}
	if bits.OnesCount16(ask) < m.policy.Quorum.Majority() {
		m.nextRenewal(now, out)
		return
	}
	v.phase, v.open, v.yes, v.no = extending, 0, 0, 0
	for ; ask != 0; ask &= ask - 1 {
		m.fillRenewal(now, m.send(uint8(bits.TrailingZeros16(ask)), renewals[m.policy.Renew.Extend], out))
	}
	m.renewing.sent = now
	m.await(now, out)
	if t := m.policy.Renew.Timeout; t > 0 {
		out.SetTimer(wire.TimerRenew, now+t)
	}
}

// extended takes what came of a renewal. A majority has to have prolonged the lease, within the validity if that is checked. If so
// many said that it was not the client's that no majority can, the lock is lost.
func (m *Machine) extended(now int64, out *wire.Wishes) {
	q, v := &m.policy.Quorum, &m.vote
	v.phase = idle
	switch {
	case bits.OnesCount16(v.yes) >= q.Majority() && (q.Unchecked || now-m.renewing.sent < m.policy.Validity()):
		m.noteVote(history.Renewed, out)
		m.prolonged(now, out)
	case bits.OnesCount16(v.may&^v.no) < q.Majority():
		m.noteVote(history.RenewalLost, out)
		m.foundLost(now, out)
	default:
		m.noteVote(history.RenewalFailed, out)
		out.Cancel(wire.TimerRenew)
		m.renewalFailed(now, out)
	}
}
