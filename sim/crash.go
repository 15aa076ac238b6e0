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
	r.hangUp(id)
	if a.waits&forStore != 0 {
		return
	}
	a.waits = 0
	a.link.command.Worker = int32(id)
	if !r.others.busy(id) {
		r.remove(a, now)
	}
}

// testify tells what the last command of a dead worker did at the referee or the resource, since it cannot: what it would have
// noted of that.
func (r *Run) testify(a *actor, now int64) {
	r.wishes.Reset()
	a.worker.Replied(now, a.link.tag, &a.link.reply, &r.wishes)
	notes := r.wishes.Notes()
	for i := range notes {
		e := &notes[i]
		e.At = now
		switch e.Kind {
		case history.Committed:
			e.Kind, e.For = history.Accepted, 0
		case history.Entered, history.Left, history.Accepted, history.Rejected, history.LostUpdate, history.DoneTwice:
			e.For = 0
		default:
			continue
		}
		r.emit(e)
	}
}

func (r *Run) remove(a *actor, now int64) {
	leave := wire.Command{
		Op: wire.Leave, Key: wire.KeyReferee, Worker: a.link.command.Worker, Own: r.world.program.Plan().OwnSections(),
	}
	var reply wire.Reply
	r.store.Execute(now, &leave, &reply)
	r.event = history.Event{
		Kind: history.Removed, At: now, Worker: leave.Worker, Round: a.worker.Round(),
		Order: reply.Order, ServerUS: reply.At, Inside: reply.Inside, Overlap: reply.Overlap,
	}
	r.emit(&r.event)
}
