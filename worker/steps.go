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
		w.spend(now, &w.program.plan.Work, &w.work, out)
		return
	case history.Think:
		w.spend(now, &w.program.plan.Think, &w.think, out)
		return
	default:
		c := out.Send(0, tagStep, s.op, s.key, w.id)
		if s.op == wire.Write {
			w.fillWrite(c)
		}
	}
	if !s.smooth {
		w.pausing.next = 0
		w.proceed(now, duringStep, out)
	}
}

// fillWrite says what the write of the current step is. At the commit it is blind if the token is not checked there.
func (w *Worker) fillWrite(c *wire.Command) {
	f := &w.program.plan.Fencing
	c.Token, c.OrEqual = w.token, f.OrEqual
	c.Blind = w.step() == history.Commit && f.Check&CheckCommit == 0
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
	if tag != tagStep {
		w.lockStands(now, w.lock.Replied(now, tag, r, out), out)
		return
	}
	switch w.step() {
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
	e := w.note(kind, out)
	e.Step, e.Token = w.step(), w.token
	if !accepted {
		w.skipTo(now, history.Leave, out)
		return
	}
	w.next(now, out)
}

func (w *Worker) noteReferee(k history.Kind, r *wire.Reply, out *wire.Wishes) {
	e := w.note(k, out)
	e.Order, e.ServerUS, e.Inside, e.Overlap = r.Order, r.At, r.Inside, r.Overlap
}
