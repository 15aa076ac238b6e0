package worker

import (
	"math"
	"math/bits"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker/wire"
)

// pausing says how far a worker has come in its pauses.
type pausing struct {
	then   continuation // what follows the stop that is under way
	since  int64        // when it was wished for
	next   int          // index of the next pause to consider, in the list of the current place and step
	timed  int          // index of the next pause in program.timed
	within within       // the pause within work or think that was taken last
	asked  uint64       // pauses, by index, that the source of choices has decided on in this round
	chosen uint64       // those of them that hit
}

// within orders the pauses within work or think: by their time after its begin, then by index.
type within struct {
	after int64
	index int
}

// continuation is what a worker does after a stop.
type continuation uint8

const (
	thenWait    continuation = iota // for what it waited for before
	thenProceed                     // with the pauses before its step, and the step
	thenDuring                      // with the pauses during its step
)

// pauseNext takes the next pause of a place that hits this round, and reports whether there was one.
func (w *Worker) pauseNext(now int64, place int, out *wire.Wishes) bool {
	list := w.steps[w.at].pauses[place]
	for w.pausing.next < len(list) {
		i := list[w.pausing.next]
		w.pausing.next++
		if !w.hit(i) {
			continue
		}
		then := thenProceed
		if place == duringStep {
			then = thenDuring
		}
		w.stop(now, i, then, out)
		return true
	}
	return false
}

// hit decides whether pause i hits this round. The choice belongs to the round: it does not depend on what was
// drawn before.
func (w *Worker) hit(i int) bool {
	p := &w.program.plan.Pauses[i]
	switch {
	case p.When == InRound:
		return w.round == p.Round
	case p.When == Asked:
		return w.ask(i)
	case p.Every > 0:
		return w.round%p.Every == 0
	default:
		return uint64(float64(p.Probability*(1<<53))) > w.roundStream(w.names(i).hit)>>11
	}
}

// ask lets the source of choices decide whether pause i hits this round. It is asked once a round.
func (w *Worker) ask(i int) bool {
	bit := uint64(1) << i
	if w.pausing.asked&bit == 0 {
		w.pausing.asked |= bit
		point := choice.Pausing
		if w.program.plan.Pauses[i].Crash {
			point = choice.Crash
		}
		if w.source.Choose(point, i, 2) == 1 {
			w.pausing.chosen |= bit
		}
	}
	return w.pausing.chosen&bit != 0
}

func (w *Worker) names(pause int) *pauseNames { return &w.program.streams[w.id].pauses[pause] }

// roundStream is the number of the named stream that belongs to this round.
func (w *Worker) roundStream(n choice.Name) uint64 {
	s := w.source.Stream(n, choice.Fixed)
	return s.At(uint64(w.round))
}

// stop asks for the process to be stopped by pause i, or ended.
func (w *Worker) stop(now int64, i int, then continuation, out *wire.Wishes) {
	if w.program.plan.Pauses[i].Crash {
		w.note(history.Crashed, out).Step = w.step()
		out.Crash()
		return
	}
	law := &w.program.plan.Pauses[i].For
	length := law.A
	if law.Kind != choice.Constant {
		length = law.Quantile(w.roundStream(w.names(i).length))
	}
	w.pausing.then, w.pausing.since = then, now
	kind := history.Stopping
	if w.program.plan.Pauses[i].Thread {
		kind = history.ThreadStopping
	}
	e := w.note(kind, out)
	e.Step, e.For = w.step(), length
	if kind == history.ThreadStopping {
		w.fallAsleep(now, length, out)
	} else {
		out.Stop(length)
	}
}

// Resumed is Step for the end of a stop.
func (w *Worker) Resumed(now int64, out *wire.Wishes) {
	w.note(history.Resumed, out)
	w.goOn(now, out)
}

// goOn goes on after a pause.
func (w *Worker) goOn(now int64, out *wire.Wishes) {
	switch w.pausing.then {
	case thenProceed:
		w.proceed(now, beforeStep, out)
	case thenDuring:
		w.proceed(now, duringStep, out)
	case thenWait:
		w.prolong(now, out)
	}
}

// prolong moves the end of work that is time on the processor by the stop that is over.
func (w *Worker) prolong(now int64, out *wire.Wishes) {
	if w.step() != history.Work && w.step() != history.Think {
		return
	}
	if w.step() == history.Work && w.program.plan.WorkCPU {
		w.timing.begin += now - w.pausing.since
		w.thread.drop(wire.TimerStep)
		out.SetTimer(wire.TimerStep, w.timing.begin+w.timing.takes)
	}
	w.armWithin(out)
}

// armWithin sets the timer of the next pause within work or think, if there is one.
func (w *Worker) armWithin(out *wire.Wishes) {
	if !w.pausesWithin() {
		return
	}
	if next := w.nextWithin(); next.index >= 0 {
		w.thread.drop(wire.TimerPause)
		out.SetTimer(wire.TimerPause, w.timing.begin+next.after)
	}
}

// pausesWithin reports whether there are pauses in the midst of the current step.
func (w *Worker) pausesWithin() bool { return len(w.steps[w.at].pauses[duringStep]) > 0 && !w.again() }

// nextWithin is the first pause within this work or think that comes after the last one taken; index -1 for none.
func (w *Worker) nextWithin() within {
	next := within{after: math.MaxInt64, index: -1}
	for _, i := range w.steps[w.at].pauses[duringStep] {
		candidate := within{w.offset(i), i}
		if w.hit(i) && w.pausing.within.less(candidate) && candidate.less(next) {
			next = candidate
		}
	}
	return next
}

func (a within) less(b within) bool {
	return a.after < b.after || a.after == b.after && a.index < b.index
}

// offset is how long after the begin of work or think pause i hits.
func (w *Worker) offset(i int) int64 {
	f := w.program.plan.Pauses[i].Fraction
	if f >= 0 {
		return int64(float64(f * float64(w.timing.takes)))
	}
	hi, _ := bits.Mul64(w.roundStream(w.names(i).fraction), uint64(w.timing.takes))
	return int64(hi)
}

// pauseWithin takes the pause within work or think whose timer has fired.
func (w *Worker) pauseWithin(now int64, out *wire.Wishes) {
	w.pausing.within = w.nextWithin()
	w.stop(now, w.pausing.within.index, thenWait, out)
}

// armTimed sets the timer of the next pause at a time of the run.
func (w *Worker) armTimed(out *wire.Wishes) {
	for ; w.pausing.timed < len(w.program.timed); w.pausing.timed++ {
		p := &w.program.plan.Pauses[w.program.timed[w.pausing.timed]]
		if p.hits(w.id) {
			out.SetTimer(wire.TimerPauseAt, p.Time)
			return
		}
	}
}

// pauseAt takes the pause whose time of the run has come.
func (w *Worker) pauseAt(now int64, out *wire.Wishes) {
	i := w.program.timed[w.pausing.timed]
	w.pausing.timed++
	w.armTimed(out)
	w.stop(now, i, thenWait, out)
}

func (p *pausing) digest(d *choice.Digest) {
	d.Add(int64(p.then)<<32 | int64(p.next)<<16 | int64(p.timed))
	d.Add(p.since)
	d.Add(p.within.after)
	d.Add(int64(p.within.index))
	d.Add(int64(p.asked))
	d.Add(int64(p.chosen))
}
