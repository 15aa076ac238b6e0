package worker

import (
	"locklab/history"
	"locklab/worker/wire"
)

// learn lets the worker look, or learn, whether its lock is lost. If it stops then, its work ends at once, and what it would
// still do to the resource is left out: it leaves, and releases.
func (w *Worker) learn(now int64, out *wire.Wishes) {
	if !w.lock.LearnDue(now, out) || !w.program.plan.Lock.Loss.Stops {
		return
	}
	w.quits = true
	if w.step() != history.Work {
		return // the reply to its command leads on
	}
	out.Cancel(wire.TimerStep)
	w.thread.drop(wire.TimerStep)
	w.thread.drop(wire.TimerPause)
	w.timeUp(now, out)
}

// passOver goes past the steps that a worker leaves out which has learned that its lock is lost: it leaves if it is inside, and
// releases.
func (w *Worker) passOver() {
	inside := w.at > 0 && w.steps[w.at-1].is >= history.Enter
	for w.at < len(w.steps) {
		switch s := w.steps[w.at].is; {
		case s == history.Release || s == history.Think || inside && s == history.Leave:
			return
		}
		w.at++
	}
}
