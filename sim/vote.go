package sim

import (
	"locklab/history"
	"locklab/worker/wire"
)

// The truth about a lock at several stores: a worker holds it while a majority of them hold the value of one of its
// acquires.

// A lease is what a store holds of a worker: the value of an acquire, and when that ends if nobody deletes it. The zero
// value is none.
type lease struct{ value, end int64 }

// leasesOf are a worker's leases by store.
func (r *Run) leasesOf(worker int32) []lease {
	n := r.others.n + 1
	return r.others.leases[int(worker)*n : (int(worker)+1)*n]
}

// learnOfVote takes note of what a command did to the lock at a store, or at the resource.
func (r *Run) learnOfVote(now int64, store int, c *wire.Command, reply *wire.Reply) {
	switch c.Op {
	case wire.SetNX, wire.SetOwn, wire.Set:
		if reply.Status == wire.OK && c.Key == wire.KeyLock {
			r.leasesOf(c.Worker)[store] = lease{c.Value, r.storeAt(store).EndOf(now, c)}
			r.votedFor(now, c)
		}
	case wire.CompareExpire, wire.CompareExpireOrSet:
		if reply.Status == wire.OK {
			r.leasesOf(c.Worker)[store] = lease{c.Value, r.storeAt(store).EndOf(now, c)}
			r.extended(now, c)
		}
	case wire.CompareDelete:
		if reply.Status == wire.OK {
			r.leasesOf(c.Worker)[store] = lease{}
		}
		r.withdrawn(now, c)
	default:
		if store == 0 && telling(c.Op) {
			r.learn(now, c, reply)
		}
	}
}

// votedFor takes note of a grant of one store.
func (r *Run) votedFor(now int64, c *wire.Command) {
	t := &r.truth
	h := &t.holds[c.Worker]
	end := r.endOf(c)
	if t.open && t.holder == int(c.Worker) && h.value == c.Value && h.end > now {
		h.end = max(h.end, end)
		return
	}
	if end > now {
		r.granted(now, c, end)
	}
}

// extended takes note of a lease that one store has prolonged, or set anew.
func (r *Run) extended(now int64, c *wire.Command) {
	r.closeHold(now)
	t := &r.truth
	h := &t.holds[c.Worker]
	if !t.open || t.holder != int(c.Worker) || h.value != c.Value {
		r.votedFor(now, c)
		return
	}
	switch end := r.endOf(c); {
	case end <= now:
		r.freed(now, c.Worker)
	case end != h.end:
		h.end = end
		r.tell(history.Prolonged, now, c.Worker, end-now)
	}
}

// withdrawn takes note of a deletion at one store, whether there was something to delete or not.
func (r *Run) withdrawn(now int64, c *wire.Command) {
	r.closeHold(now)
	t := &r.truth
	if !t.open || t.holder != int(c.Worker) || t.holds[c.Worker].value != c.Value {
		return
	}
	if end := r.endOf(c); end > now {
		t.holds[c.Worker].end = end
	} else {
		r.freed(now, c.Worker)
	}
}

// endOf is when fewer than a majority of the stores will hold the value of a command, if nobody deletes it: the end of the
// last lease but so many as are one fewer than a majority. It is some time that has passed if they do not hold it now.
func (r *Run) endOf(c *wire.Command) (end int64) {
	leases := r.leasesOf(c.Worker)
	for i := range leases {
		if leases[i].value != c.Value || leases[i].end <= end {
			continue
		}
		longer := 0
		for k := range leases {
			if leases[k].value == c.Value && leases[k].end >= leases[i].end {
				longer++
			}
		}
		if longer >= r.world.quorum {
			end = leases[i].end
		}
	}
	return end
}
