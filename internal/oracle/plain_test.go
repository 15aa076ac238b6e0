// Package oracle holds no code, only tests that hold the simulator against what it shares nothing with: a plain
// implementation of the lesson, formulas derived by hand, and properties that must hold whatever is drawn.
package oracle

import (
	"math"
	"math/rand/v2"
)

// The plain implementation: the lesson's loop as its description has it, in milliseconds as floating point, with one
// switch, and with another generator of random numbers. It was written from the design alone, and shares
// nothing with the simulator but what both are about.

// plainCase is what differs between the lessons (and the reference cell of the baseline).
type plainCase struct {
	locked, fenced     bool
	ttl                float64
	pauseFor           float64
	pauseEvery         int  // the rounds 0, n, 2n, … of whoever is paused; 0 for never
	onlyFirstIsPaused  bool // worker 0 alone
	work, think        float64
	startWithin        float64
	retryFrom, retryTo float64
	lateOnAverage      float64 // of timers
}

// plainResult is what came of one run.
type plainResult struct {
	conflicts, rejected, events int
	end                         float64
}

const (
	plainWorkers = 2
	plainRounds  = 40
)

// stage is what a worker is about to see, or a command of its to do.
type stage int

const (
	starting stage = iota
	setArrives
	setAnswered
	retrying
	tokenArrives
	tokenAnswered
	paused
	enterArrives
	enterAnswered
	checkArrives
	checkAnswered
	working
	leaveArrives
	leaveAnswered
	deleteArrives
	deleteAnswered
	thinking
)

// plainWorker is one of the two: one thing at a time is going to happen to it.
type plainWorker struct {
	id    int
	stage stage
	at    float64 // when it happens; infinity after the last round
	done  int     // rounds
	ok    bool    // what the store said
	lease int     // the number of the last lease it was given
	token int
}

// plainRun is one run.
type plainRun struct {
	c       plainCase
	random  *rand.Rand
	workers [plainWorkers]plainWorker
	clock   float64
	result  plainResult

	phase    float64 // by which the server's clock is ahead
	lease    int     // the number of the lease that is stored; 0 for none
	leases   int     // given so far
	deadline float64 // the last millisecond of the server's clock in which the lease lives
	tokens   int
	highest  int // token that was accepted
	inside   int
}

// plainly carries out one run.
func plainly(c plainCase, seed uint64) plainResult {
	r := plainRun{c: c, random: rand.New(rand.NewPCG(seed, 4711))}
	r.phase = r.random.Float64()
	for id := range r.workers {
		r.workers[id] = plainWorker{id: id, stage: starting, at: r.random.Float64() * c.startWithin}
	}
	for {
		w := &r.workers[0]
		for id := range r.workers {
			if r.workers[id].at < w.at {
				w = &r.workers[id]
			}
		}
		if math.IsInf(w.at, 1) {
			return r.result
		}
		r.clock = w.at
		if w.stage != starting {
			r.result.events++
		}
		r.happen(w)
	}
}

// happen lets happen what is going to happen to a worker, and says what will next.
func (r *plainRun) happen(w *plainWorker) {
	switch w.stage {
	case starting, thinking:
		r.round(w)
	case retrying:
		r.send(w, setArrives)
	case setArrives:
		r.set(w)
		r.answer(w)
	case setAnswered:
		switch {
		case !w.ok:
			r.sleep(w, r.c.retryFrom+(r.c.retryTo-r.c.retryFrom)*r.random.Float64(), retrying)
		case r.c.fenced:
			r.send(w, tokenArrives)
		default:
			r.pauseOrEnter(w)
		}
	case tokenArrives:
		r.tokens++
		w.token = r.tokens
		r.answer(w)
	case tokenAnswered:
		r.pauseOrEnter(w)
	case paused:
		r.send(w, enterArrives)
	case enterArrives:
		if r.inside > 0 {
			r.result.conflicts++
		}
		r.inside++
		r.answer(w)
	case enterAnswered:
		if r.c.fenced {
			r.send(w, checkArrives)
		} else {
			r.sleep(w, r.c.work, working)
		}
	case checkArrives:
		r.check(w)
		r.answer(w)
	case checkAnswered:
		if w.ok {
			r.sleep(w, r.c.work, working)
		} else { // who is refused does not work
			r.send(w, leaveArrives)
		}
	case working:
		r.send(w, leaveArrives)
	case leaveArrives:
		r.inside--
		r.answer(w)
	case leaveAnswered:
		if r.c.locked {
			r.send(w, deleteArrives)
		} else {
			r.finish(w)
		}
	case deleteArrives:
		if r.leaseLives() && r.lease == w.lease {
			r.lease = 0
		}
		r.answer(w)
	case deleteAnswered:
		r.finish(w)
	}
}

func (r *plainRun) after(w *plainWorker, d float64, s stage) { w.at, w.stage = r.clock+d, s }

func (r *plainRun) oneWay() float64 { return 0.1 + 0.2*r.random.Float64() }

// send sends the command that arrives in the given stage; answer, the reply to it, which is the stage after that.
func (r *plainRun) send(w *plainWorker, arrives stage) { r.after(w, r.oneWay(), arrives) }
func (r *plainRun) answer(w *plainWorker)              { r.after(w, r.oneWay(), w.stage+1) }

// sleep goes on when a timer has fired, which is never early.
func (r *plainRun) sleep(w *plainWorker, d float64, then stage) {
	r.after(w, d+r.c.lateOnAverage*r.random.ExpFloat64(), then)
}

func (r *plainRun) round(w *plainWorker) {
	if r.c.locked {
		r.send(w, setArrives)
	} else {
		r.pauseOrEnter(w)
	}
}

func (r *plainRun) pauseOrEnter(w *plainWorker) {
	if r.c.pauseEvery > 0 && w.done%r.c.pauseEvery == 0 && (w.id == 0 || !r.c.onlyFirstIsPaused) {
		r.after(w, r.c.pauseFor, paused)
	} else {
		r.send(w, enterArrives)
	}
}

func (r *plainRun) finish(w *plainWorker) {
	w.done++
	switch {
	case w.done == plainRounds:
		w.at = math.Inf(1)
		r.result.end = r.clock
	case r.c.think > 0:
		r.sleep(w, r.c.think, thinking)
	default:
		r.round(w)
	}
}

// wall is the server's clock in whole milliseconds. A lease lives as long as that does not exceed its deadline.
func (r *plainRun) wall() float64    { return math.Floor(r.clock + r.phase) }
func (r *plainRun) leaseLives() bool { return r.lease > 0 && r.wall() <= r.deadline }

func (r *plainRun) set(w *plainWorker) {
	if w.ok = !r.leaseLives(); w.ok {
		r.leases++
		r.lease, w.lease, r.deadline = r.leases, r.leases, r.wall()+r.c.ttl
	}
}

// check is the write that the resource refuses if it has seen a higher token.
func (r *plainRun) check(w *plainWorker) {
	if w.ok = w.token >= r.highest; w.ok {
		r.highest = w.token
	} else {
		r.result.rejected++
	}
}
