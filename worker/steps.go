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
func (w *Worker) do(s *step, now int64, out *wire.Wishes) {
	switch s.is {
	case history.Acquire:
		w.lock.Acquire(now, w.round, out)
	case history.Release:
		w.lock.Release(now, out)
	case history.Work:
		w.note(history.WorkBegan, out)
		w.begins(now)
		w.spend(now, &w.program.plan.Work, &w.work, out)
		return
	case history.Think:
		w.spend(now, &w.program.plan.Think, &w.think, out)
		return
	default:
		w.fill(now, s, out.Send(0, tagStep, s.op, s.key, w.id))
	}
	if !s.smooth && !w.again() {
		w.pausing.next = 0
		w.proceed(now, duringStep, out)
	}
}

// begins takes note of when the current try of the round's work begins, if nothing was read before it.
func (w *Worker) begins(now int64) {
	if !w.program.plan.Resource.reads() {
		w.updating.since = now
	}
}

// fill says what the command of the current step is, as far as its op and key do not.
func (w *Worker) fill(now int64, s *step, c *wire.Command) {
	switch s.is {
	case history.Enter, history.Leave:
		c.Own = w.program.plan.OwnSections()
	case history.Read:
		w.fillRead(now, c)
	case history.Check, history.Commit:
		w.fillWrite(c)
	}
}

// fillWrite says what the write of the current step is. At the commit it is blind if the token is not checked there.
func (w *Worker) fillWrite(c *wire.Command) {
	f := &w.program.plan.Fencing
	c.Token, c.OrEqual = w.token, f.OrEqual
	if w.step() == history.Check {
		return
	}
	c.Blind = f.Check&CheckCommit == 0
	if c.Op != wire.Write {
		w.fillUpdate(c)
	}
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
		w.note(history.WorkEnded, out)
	}
	if w.pausesWithin() {
		out.Cancel(wire.TimerPause)
	}
	w.next(now, out)
}

// Replied is Step for the reply to a command.
func (w *Worker) Replied(now int64, tag wire.Tag, r *wire.Reply, out *wire.Wishes) {
	if w.thread.busy && tag != lock.TagRenew {
		w.keep(tag, r)
		return
	}
	w.replied(now, tag, r, out)
}

func (w *Worker) replied(now int64, tag wire.Tag, r *wire.Reply, out *wire.Wishes) {
	if lock.IsOwn(tag) {
		w.lockStands(now, w.lock.Replied(now, tag, r, out), out)
		return
	}
	switch w.step() {
	case history.Read:
		w.hasRead(now, tag, r, out)
		return
	case history.Enter:
		w.noteReferee(history.Entered, r, out)
	case history.Leave:
		w.noteReferee(history.Left, r, out)
	case history.Token:
		w.token = r.Value
		w.note(history.TokenDrawn, out).Token = r.Value
	case history.Check, history.Commit:
		w.written(now, r, out)
		return
	}
	w.next(now, out)
}

// lockStands goes on from where the lock stands.
func (w *Worker) lockStands(now int64, o lock.Outcome, out *wire.Wishes) {
	switch o {
	case lock.Acquired:
		if w.program.plan.Fencing.Token == TokenInside {
			w.token = w.lock.Token()
		}
		w.next(now, out)
	case lock.GaveUp:
		w.skipTo(now, history.Think, out)
	case lock.Released:
		w.quits = false
		w.next(now, out)
	}
}

// written takes the answer to a write. A worker that is refused leaves; before its work it does not begin it.
func (w *Worker) written(now int64, r *wire.Reply, out *wire.Wishes) {
	s := w.step()
	switch {
	case r.Status == wire.OK:
		w.accepted(now, r, out)
	case s == history.Commit && !checked(w.steps[w.at].op):
		w.refusedUpdate(now, r, out)
	default:
		e := w.note(history.Rejected, out)
		e.Step, e.Token = s, w.token
		if s == history.Commit {
			e.For = now - w.updating.since
		}
		w.skipTo(now, history.Leave, out)
	}
}

// accepted takes note of a write that was accepted.
func (w *Worker) accepted(now int64, r *wire.Reply, out *wire.Wishes) {
	s, kind := w.step(), history.Accepted
	if s == history.Commit && w.program.plan.Resource.retries() {
		kind = history.Committed
	}
	e := w.note(kind, out)
	e.Step, e.Token = s, w.token
	if s == history.Commit {
		if kind == history.Committed {
			e.For = w.updating.since - w.updating.first
		}
		w.updated(now, r, out)
	}
	w.next(now, out)
}

// checked reports whether a write may be refused because of its token.
func checked(op wire.Op) bool {
	return op == wire.Write || op == wire.SetVersioned || op == wire.Perform
}

func (w *Worker) noteReferee(k history.Kind, r *wire.Reply, out *wire.Wishes) {
	e := w.note(k, out)
	e.Order, e.ServerUS, e.Inside, e.Overlap = r.Order, r.At, r.Inside, r.Overlap
}
