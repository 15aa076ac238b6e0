package lock

import (
	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker/wire"
)

// letting is what a machine that releases has to keep.
type letting struct {
	on    bool
	kept  bool  // the lease is left to end by itself
	tries int64 // sent so far
}

func (l *letting) digest(d *choice.Digest) {
	flags := l.tries << 2
	if l.on {
		flags |= 1
	}
	if l.kept {
		flags |= 2
	}
	d.Add(flags)
}

// Release sends the release, or the first command of it.
func (m *Machine) Release(now int64, out *wire.Wishes) {
	m.letGo(out)
	m.note(history.Releasing, out)
	if m.policy.Kind == Quorum {
		m.deleteAll(now, releasing, out)
		return
	}
	m.letting, m.grown = letting{on: true}, 1
	m.release(now, out)
}

// release sends a try to release.
func (m *Machine) release(now int64, out *wire.Wishes) {
	m.letting.tries++
	rest := m.renewing.granted + m.policy.MinHold - now
	if m.letting.kept = m.policy.MinHold > 0 && rest > 0; m.letting.kept {
		m.shorten(rest, out)
		return
	}
	out.Send(0, TagRelease, m.policy.release(), wire.KeyLock, m.me).Value = m.value
}

// shorten leaves the lease to end by itself after what is left of the least hold, in ns.
func (m *Machine) shorten(rest int64, out *wire.Wishes) {
	op, options := wire.CompareExpire, wire.Options(0)
	if m.policy.Release == PlainDelete {
		op, options = wire.Set, wire.XX|wire.PX
	}
	c := out.Send(0, TagRelease, op, wire.KeyLock, m.me)
	c.Value, c.TTL, c.Options = m.value, (rest+nsPerMS-1)/nsPerMS, options
}

// released takes the reply to a command of a release.
func (m *Machine) released(now int64, tag wire.Tag, r *wire.Reply, out *wire.Wishes) Outcome {
	own := r.Status == wire.OK
	switch {
	case m.letting.kept:
	case tag == TagDelete || m.policy.Release == PlainDelete:
		own = r.Value == 1 // the server tells no more than whether there was a key
	case m.policy.Release == GetDelete && own:
		if own = r.Value == m.value && !r.Text; own {
			out.Send(0, TagDelete, wire.Del, wire.KeyLock, m.me)
			return Waiting
		}
	}
	if !own && m.letting.tries < m.policy.ReleaseTries {
		out.SetTimer(wire.TimerRetry, now+m.sleep())
		return Waiting
	}
	kind := history.Released
	switch {
	case !own && m.renewing.lost:
		kind = history.LostAgain
	case !own:
		kind = history.Lost
	}
	m.note(kind, out)
	return Released
}
