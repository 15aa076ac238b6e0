package sim

import (
	"locklab/history"
	"locklab/worker/wire"
)

// learnOfForm takes note of what a command did to the lock that only some forms of an acquire or a release have.
func (r *Run) learnOfForm(now int64, c *wire.Command, reply *wire.Reply) {
	if c.Key != wire.KeyLock {
		return
	}
	switch c.Op {
	case wire.Set:
		if r.closeHold(now); reply.Status == wire.OK {
			r.setBy(now, c)
		}
	case wire.CompareExpire, wire.CompareExpireOrSet:
		r.closeHold(now)
		switch {
		case reply.Status != wire.OK:
		case reply.Value == 1:
			r.granted(now, c, r.leaseEnd(now, c))
		default:
			r.prolonged(now, c)
		}
	case wire.Del:
		if r.closeHold(now); r.truth.open {
			r.deleted(now, c.Worker)
		}
	case wire.PExpire:
		if r.closeHold(now); r.truth.open {
			r.prolonged(now, c)
		}
	}
}

// setBy takes note of SET: a renewal by SET XX of the open hold, or a new one.
func (r *Run) setBy(now int64, c *wire.Command) {
	if c.Options&wire.XX != 0 && r.truth.open && r.truth.holder == int(c.Worker) {
		r.prolonged(now, c)
		return
	}
	end := r.leaseEnd(now, c)
	r.granted(now, c, end)
	if end <= now {
		r.overAtOnce(now)
	}
}

// leaseEnd is when a lease ends that is set at time now by a command: never without a TTL.
func (r *Run) leaseEnd(now int64, c *wire.Command) int64 {
	if c.TTL == 0 && c.Options&wire.ForDeadline == 0 {
		return never
	}
	return r.store.EndOf(now, c)
}

// overAtOnce ends a hold that was granted although its deadline had passed.
func (r *Run) overAtOnce(now int64) {
	r.truth.holds[r.truth.holder].end = now
	r.closeHold(now)
}

// overwritten ends the open hold: its lease was taken by somebody else.
func (r *Run) overwritten(now int64) {
	r.truth.open = false
	r.truth.holds[r.truth.holder].end = now
	r.tell(history.Overwritten, now, int32(r.truth.holder), 0)
}

// deleted ends the open hold, whoever has deleted its lease.
func (r *Run) deleted(now int64, by int32) {
	holder := int32(r.truth.holder)
	if by == holder {
		r.freed(now, by)
		return
	}
	r.truth.open = false
	h := &r.truth.holds[holder]
	h.end = now
	if r.silent {
		return
	}
	r.event = history.Event{Kind: history.FreedByOther, At: now, Worker: by, Round: r.actors[by].worker.Round(), Order: h.order}
	r.emit(&r.event)
}

// prolonged moves the end of the open hold.
func (r *Run) prolonged(now int64, c *wire.Command) {
	h := &r.truth.holds[r.truth.holder]
	h.end = max(r.store.EndOf(now, c), now)
	r.tell(history.Prolonged, now, int32(r.truth.holder), h.end-now)
}
