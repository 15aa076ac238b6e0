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
	if a.link.state == toStore {
		return
	}
	a.link.state = idle
	a.link.command.Worker = int32(id)
	r.remove(a, now)
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
