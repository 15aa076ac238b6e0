package sim

import (
	"locklab/history"
	"locklab/worker/wire"
)

// crash ends a worker's process. A command that is under way still arrives; its reply goes nowhere. When nothing of the
// worker's is under way any more, the referee is told that it is outside.
func (r *Run) crash(a *actor, id int, now int64) {
	a.dead = true
	a.silence()
	a.link.queue = 0
	r.others.hangUp(id)
	if a.waits&forStore != 0 {
		return
	}
	a.waits = 0
	a.link.command.Worker = int32(id)
	if !r.others.busy(id) {
		r.remove(a, now)
	}
}

// testify tells what the last command of a dead worker did at the referee or the resource, since it cannot.
func (r *Run) testify(a *actor, now int64) {
	reply := &a.link.reply
	r.event = history.Event{At: now, Worker: a.link.command.Worker, Round: a.worker.Round()}
	e := &r.event
	switch a.link.command.Op {
	case wire.Enter, wire.Leave:
		e.Kind = history.Entered
		if a.link.command.Op == wire.Leave {
			e.Kind = history.Left
		}
		e.Order, e.ServerUS, e.Inside, e.Overlap = reply.Order, reply.At, reply.Inside, reply.Overlap
	case wire.Write:
		e.Kind, e.Step, e.Token = history.Rejected, a.worker.CurrentStep(), a.link.command.Token
		if reply.Status == wire.OK {
			e.Kind = history.Accepted
		}
	default:
		return
	}
	r.emit(e)
}

func (r *Run) remove(a *actor, now int64) {
	leave := wire.Command{Op: wire.Leave, Key: wire.KeyReferee, Worker: a.link.command.Worker}
	var reply wire.Reply
	r.store.Execute(now, &leave, &reply)
	r.event = history.Event{
		Kind: history.Removed, At: now, Worker: leave.Worker, Round: a.worker.Round(),
		Order: reply.Order, ServerUS: reply.At, Inside: reply.Inside, Overlap: reply.Overlap,
	}
	r.emit(&r.event)
}
