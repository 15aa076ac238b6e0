package sim

import (
	"locklab/history"
	"locklab/worker/wire"
)

// truth is what nobody in the run knows: who holds the lock according to the store, and since when no longer.
type truth struct {
	holds    []hold // the last of each worker
	grants   int64  // so far
	holder   int    // whose hold is open; meaningful if open
	open     bool   // a hold was granted, and neither freed nor found expired
	accepted int64  // the latest hold of which a write was accepted
	fenced   int64  // the latest hold that has a token
	token    int64  // the highest token of a hold
}

// A hold is from the store executing the acquire to it executing the release, or to the end of the lease.
type hold struct {
	order    int64 // its number among the grants of the run, from 1; 0 for none yet
	token    int64 // the fencing token that goes with it; 0 for none yet
	value    int64 // the owner value
	round    int32
	end      int64 // never if its lease has no deadline
	believed int64 // since when the worker believes in it
}

func (t *truth) reset() {
	clear(t.holds)
	t.grants, t.holder, t.open, t.accepted, t.fenced, t.token = 0, 0, false, 0, 0, 0
}

// telling reports whether a command of the kind may do something to the lock or at the resource.
func telling(op wire.Op) bool { return op < wire.Enter || op > wire.Leave }

// learn takes note of what a command did to the lock or at the resource.
func (r *Run) learn(now int64, c *wire.Command, reply *wire.Reply) {
	switch c.Op {
	case wire.SetNX, wire.SetNXToken, wire.SetNXOrLeft, wire.SetNXTokenOrLeft, wire.SetInTurn:
		if reply.Status == wire.OK {
			r.granted(now, c, r.store.ExpiryOf(now, c.TTL))
			if c.Op == wire.SetNXToken || c.Op == wire.SetNXTokenOrLeft {
				r.tokenIssued(now, c.Worker, reply.Value)
			}
		}
	case wire.Incr:
		r.tokenIssued(now, c.Worker, reply.Value)
	case wire.CompareDelete, wire.CompareDeletePublish, wire.DeleteInTurn:
		if reply.Status == wire.OK {
			r.freed(now, c.Worker)
		} else {
			r.closeHold(now)
		}
	case wire.Write, wire.SetVersioned, wire.SetIfVersion, wire.ExecSet, wire.AddVersioned, wire.IncrBy, wire.Perform, wire.PerformOnce:
		r.wrote(now, c.Worker, reply.Status == wire.OK)
	default:
		r.learnOfForm(now, c, reply)
	}
}

// granted begins a hold that ends at the time given if nobody ends it before.
func (r *Run) granted(now int64, c *wire.Command, end int64) {
	if r.truth.open {
		r.closeHold(now)
	}
	if r.truth.open {
		r.overwritten(now)
	}
	h := &r.truth.holds[c.Worker]
	r.truth.grants++
	r.truth.holder, r.truth.open = int(c.Worker), true
	h.order, h.value, h.end = r.truth.grants, c.Value, end
	h.round = r.actors[c.Worker].worker.Round()
	life := end - now
	if end == never {
		life = 0
	}
	r.tell(history.Granted, now, c.Worker, life)
	if r.world.tokenBefore {
		r.fence(now, c.Worker)
	}
}

// tokenIssued takes note of a token that a worker drew: for the hold that it has, or for the one that it is about to
// ask for.
func (r *Run) tokenIssued(now int64, worker int32, token int64) {
	r.truth.holds[worker].token = token
	if !r.world.tokenBefore {
		r.fence(now, worker)
	}
}

// fence judges the token of a worker's hold. Until now the tokens followed the order of grants, so it is enough to hold
// the new one against the latest hold and the highest token.
func (r *Run) fence(now int64, worker int32) {
	h := &r.truth.holds[worker]
	if (h.order < r.truth.fenced) != (h.token < r.truth.token) {
		r.reveal(history.TokenDisorder, now, worker, 0)
	}
	r.truth.fenced, r.truth.token = max(r.truth.fenced, h.order), max(r.truth.token, h.token)
}

func (r *Run) freed(now int64, worker int32) {
	r.truth.holds[worker].end = now
	r.truth.open = false
	r.tell(history.Freed, now, worker, 0)
}

// closeHold ends the open hold if its lease is over.
func (r *Run) closeHold(now int64) {
	if !r.truth.open || r.truth.holds[r.truth.holder].end > now {
		return
	}
	r.truth.open = false
	r.tell(history.Expired, r.truth.holds[r.truth.holder].end, int32(r.truth.holder), 0)
}

// wrote judges a write that reached the resource.
func (r *Run) wrote(now int64, worker int32, accepted bool) {
	h := &r.truth.holds[worker]
	if now >= h.end {
		r.reveal(history.LateWrite, now, worker, 0)
	}
	if h.order < r.truth.accepted {
		r.reveal(history.StaleWrite, now, worker, 0)
		if accepted {
			r.reveal(history.StaleAccepted, now, worker, 0)
		}
	}
	if accepted {
		r.truth.accepted = max(r.truth.accepted, h.order)
	}
}

// unbelieve takes note of the end of a worker's belief, and of how long it has been wrong.
func (r *Run) unbelieve(now int64, worker int32) {
	h := &r.truth.holds[worker]
	if wrong := now - max(h.end, h.believed); wrong > 0 {
		r.reveal(history.FalseBelief, now, worker, wrong)
	}
}

// tell reveals an event that adds to no tally, if anybody looks.
func (r *Run) tell(k history.Kind, at int64, worker int32, d int64) {
	if !r.silent {
		r.reveal(k, at, worker, d)
	}
}

// reveal shows an event that only the simulator can see.
func (r *Run) reveal(k history.Kind, at int64, worker int32, d int64) {
	h := &r.truth.holds[worker]
	r.event = history.Event{Kind: k, At: at, Worker: worker, Round: h.round, Order: h.order, For: d}
	switch k {
	case history.TokenDisorder:
		r.event.Token = h.token
	case history.Granted, history.Freed:
		r.event.Stores = uint8(r.world.quorum)
	}
	r.emit(&r.event)
}
