// Package worker is one client of a lock: the round from acquire to think, as plain data with one step function.
// Given the time and what just happened, it says what it wants next. It sends nothing, sleeps for nothing and reads
// no clock; a world does that for it, the simulated one or the real one, and so both run this same code.
package worker

import (
	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker/lock"
	"locklab/worker/wire"
)

// A Worker is one client within a run: plain data, copyable at any time.
type Worker struct {
	program  *Program
	source   choice.Source
	id       int32
	round    int32
	steps    []step // the program's for it
	at       int    // index of the current step
	token    int64
	lock     lock.Machine
	work     choice.Stream
	think    choice.Stream
	timing   timing
	pausing  pausing
	updating updating
	thread   thread
	quits    bool // it has learned that the lock is lost, and leaves
}

// timing is about a step that takes time by itself: work or think.
type timing struct {
	begin int64 // when it began; moved on by pauses if the step is time on the processor
	takes int64
}

// New is worker id of a run whose choices come from the given source.
func New(p *Program, id int, source choice.Source) Worker {
	names := &p.streams[id]
	w := Worker{
		program: p, source: source, id: int32(id), steps: p.steps[id],
		lock: lock.New(&p.plan.Lock, int32(id), source.Stream(names.retry, choice.Retry), source.Stream(names.owner, choice.Fixed)),
		work: source.Stream(names.work, choice.Fixed), think: source.Stream(names.think, choice.Fixed),
	}
	if p.plan.Lock.Retry.Lost > 0 {
		w.lock.Listen(source.Stream(names.lost, choice.Fixed))
	}
	return w
}

// Step tells the worker what happened at time now, in nanoseconds of the run, and appends what it wants next to out.
func (w *Worker) Step(now int64, in *wire.Input, out *wire.Wishes) {
	switch in.Kind {
	case wire.Begin:
		w.Begin(out)
	case wire.Replied:
		w.Replied(now, in.Tag, in.Reply, out)
	case wire.Fired:
		w.Fired(now, in.Timer, out)
	case wire.Resumed:
		w.Resumed(now, out)
	case wire.Told:
		w.Told(now, out)
	}
}

// Begin is Step for the beginning of the run.
func (w *Worker) Begin(out *wire.Wishes) {
	first := w.source.Stream(w.program.streams[w.id].start, choice.Fixed)
	law := choice.Law{Kind: choice.Uniform, B: w.program.plan.Start}
	out.SetTimer(wire.TimerStart, law.Draw(&first)+int64(w.id)*w.program.plan.Apart)
	w.armTimed(out)
}

// Fired is Step for a timer that has fired.
func (w *Worker) Fired(now int64, t wire.Timer, out *wire.Wishes) {
	if w.thread.busy && w.defers(wire.Fired, t) {
		return
	}
	w.fired(now, t, out)
}

func (w *Worker) fired(now int64, t wire.Timer, out *wire.Wishes) {
	switch t {
	case wire.TimerStart:
		w.at = -1
		w.next(now, out)
	case wire.TimerRetry:
		w.lockStands(now, w.lock.RetryDue(now, out), out)
	case wire.TimerStep:
		w.timeUp(now, out)
	case wire.TimerPause:
		w.pauseWithin(now, out)
	case wire.TimerPauseAt:
		w.pauseAt(now, out)
	case wire.TimerRenew:
		w.lock.RenewalDue(now, out)
	case wire.TimerLearn:
		w.learn(now, out)
	case wire.TimerThread:
		w.wake(now, out)
	case wire.TimerTimeout:
		w.lockStands(now, w.lock.TimedOut(now, out), out)
	}
}

// step is the current step.
func (w *Worker) step() history.Step { return w.steps[w.at].is }

// next begins the step after the current one, or the next round, or ends.
func (w *Worker) next(now int64, out *wire.Wishes) {
	w.at++
	if w.quits {
		w.passOver()
	}
	if w.at >= len(w.steps)-1 && !w.nextRound(out) {
		return
	}
	if w.at == 0 && !w.handed() {
		w.skipTo(now, history.Think, out)
		return
	}
	switch s := &w.steps[w.at]; {
	case s.plain:
		out.Send(0, tagStep, s.op, s.key, w.id)
	case s.smooth || w.again():
		w.do(s, now, out)
	default:
		w.pausing.next = 0
		w.proceed(now, beforeStep, out)
	}
}

// nextRound goes on with the next round if this one has no more steps. It reports false if there is none; then the
// worker does not think either.
func (w *Worker) nextRound(out *wire.Wishes) bool {
	over := w.at == len(w.steps)
	switch {
	case !over && w.step() != history.Think:
		return true
	case w.round == w.program.plan.Rounds-1:
		w.note(history.Finished, out)
		out.Done()
		return false
	case over:
		w.round++
		w.at = 0
		w.pausing.asked, w.pausing.chosen = 0, 0
		w.updating.again = false
	}
	return true
}

// proceed goes on after the pauses of a place that have been taken, and does the step after the last one before it.
func (w *Worker) proceed(now int64, place int, out *wire.Wishes) {
	if w.pauseNext(now, place, out) || place == duringStep {
		return
	}
	w.do(&w.steps[w.at], now, out)
}

// skipTo goes on with a later step, or the next round if that comes first.
func (w *Worker) skipTo(now int64, s history.Step, out *wire.Wishes) {
	for w.at+1 < len(w.steps) && w.steps[w.at+1].is != s {
		w.at++
	}
	w.next(now, out)
}

func (w *Worker) note(k history.Kind, out *wire.Wishes) *history.Event {
	return out.Note(k, w.id, w.round)
}

// Lock is the worker's lock, for a world in which nobody looks at single tries: while the worker waits for nothing but
// its lock, several refusals may be taken in a row there instead of being passed to Step one by one.
func (w *Worker) Lock() *lock.Machine { return &w.lock }

// Round is the number of the worker's current round, from 0.
func (w *Worker) Round() int32 { return w.round }

// CurrentStep is the step that the worker is at.
func (w *Worker) CurrentStep() history.Step { return w.step() }

// Waits reports whether the worker waits for nothing but a lock that was refused to it.
func (w *Worker) Waits() bool {
	return w.step() == history.Acquire && w.lock.Waits() && !w.thread.busy
}

// Abandon ends a wait (Waits) that would have no end otherwise, and the worker with it.
func (w *Worker) Abandon(now int64, out *wire.Wishes) {
	w.lock.Abandon(now, out)
	out.Done()
}

// Digest takes all that decides what the worker does next into the digest.
func (w *Worker) Digest(d *choice.Digest) {
	d.Add(int64(w.round)<<32 | int64(w.at))
	d.Add(w.token)
	w.lock.Digest(d)
	w.work.Digest(d)
	w.think.Digest(d)
	d.Add(w.timing.begin)
	d.Add(w.timing.takes)
	w.pausing.digest(d)
	w.thread.digest(d)
	if w.quits {
		d.Add(1)
	}
	w.updating.digest(d)
}
