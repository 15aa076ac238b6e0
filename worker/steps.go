package worker

import (
	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker/lock"
	"locklab/worker/wire"
)

// tagStep is the tag of the one command of any step but acquire and release, which are the lock's.
const tagStep = lock.NumTags

// do does the current step.
func (w *Worker) do(now int64, out *wire.Wishes) {
	switch w.step() {
	case history.Acquire:
		w.lock.Acquire(now, w.round, out)
	case history.Token:
		w.send(wire.Command{Op: wire.Incr, Key: wire.KeyToken}, out)
	case history.Enter:
		w.send(wire.Command{Op: wire.Enter, Key: wire.KeyReferee}, out)
	case history.Check, history.Commit:
		w.send(w.write(), out)
	case history.Work:
		w.note(history.Event{Kind: history.WorkBegan}, out)
		w.spend(now, &w.program.plan.Work, &w.work, out)
		return
	case history.Think:
		w.spend(now, &w.program.plan.Think, &w.think, out)
		return
	case history.Leave:
		w.send(wire.Command{Op: wire.Leave, Key: wire.KeyReferee}, out)
	case history.Release:
		w.lock.Release(out)
	}
	w.pausing.next = 0
	w.proceed(now, duringStep, out)
}

// write is the write of the current step. At the commit it is blind if the token is not checked there.
func (w *Worker) write() wire.Command {
	f := &w.program.plan.Fencing
	return wire.Command{
		Op: wire.Write, Key: wire.KeyHighest, Token: w.token, OrEqual: f.OrEqual,
		Blind: w.step() == history.Commit && f.Check&CheckCommit == 0,
	}
}

func (w *Worker) send(c wire.Command, out *wire.Wishes) {
	c.Worker = w.id
	out.Send(0, tagStep, c)
}

// spend lets the time of work or think pass.
func (w *Worker) spend(now int64, law *choice.Law, s *choice.Stream, out *wire.Wishes) {
	d := law.Draw(s)
	if d == 0 {
		w.timeUp(now, out)
		return
	}
	w.timing = timing{begin: now, takes: d}
	out.SetTimer(wire.TimerStep, now+d)
	w.pausing.within = within{index: -1}
	w.armWithin(out)
}

// timeUp ends work or think.
func (w *Worker) timeUp(now int64, out *wire.Wishes) {
	if w.step() == history.Work {
		w.note(history.Event{Kind: history.WorkEnded}, out)
	}
	out.Cancel(wire.TimerPause)
	w.next(now, out)
}

// replied takes the reply to the command of the current step.
func (w *Worker) replied(now int64, tag wire.Tag, r *wire.Reply, out *wire.Wishes) {
	if tag != tagStep {
		w.lockReplied(now, tag, r, out)
		return
	}
	switch w.step() {
	case history.Token:
		w.token = r.Value
		w.note(history.Event{Kind: history.TokenDrawn, Token: r.Value}, out)
	case history.Enter:
		w.noteReferee(history.Entered, r, out)
	case history.Leave:
		w.noteReferee(history.Left, r, out)
	case history.Check, history.Commit:
		w.written(now, r, out)
		return
	}
	w.next(now, out)
}

func (w *Worker) lockReplied(now int64, tag wire.Tag, r *wire.Reply, out *wire.Wishes) {
	switch w.lock.Replied(now, tag, r, out) {
	case lock.Acquired:
		if w.program.plan.Fencing.Token == TokenInside {
			w.token = w.lock.Token()
		}
		w.next(now, out)
	case lock.GaveUp:
		w.skipTo(now, history.Think, out)
	case lock.Released:
		w.next(now, out)
	}
}

// written takes the answer to a checked write. A worker that is refused leaves; before its work it does not begin it.
func (w *Worker) written(now int64, r *wire.Reply, out *wire.Wishes) {
	accepted := r.Status == wire.OK
	kind := history.Accepted
	if !accepted {
		kind = history.Rejected
	}
	w.note(history.Event{Kind: kind, Step: w.step(), Token: w.token}, out)
	if !accepted {
		w.skipTo(now, history.Leave, out)
		return
	}
	w.next(now, out)
}

func (w *Worker) noteReferee(k history.Kind, r *wire.Reply, out *wire.Wishes) {
	w.note(history.Event{Kind: k, Order: r.Order, ServerUS: r.At, Inside: r.Inside, Overlap: r.Overlap}, out)
}
