package worker

import (
	"locklab/history"
	"locklab/worker/lock"
	"locklab/worker/wire"
)

// A way leads from the reply to a step's command, if it is not refused, to the next command. It is known before the run
// if there are no pauses on it.
type way struct {
	known bool
	to    int  // the index of the step with the next command
	sleep bool // work or thinking lies on it, the step after this one
	round bool // and the end of the round
}

// findWays finds the ways between the steps of a worker of the plan.
func (p *Plan) findWays(steps []step) {
	for i := range steps {
		w := wayFrom(steps, i)
		switch steps[i].is {
		case history.Acquire:
			w.known = w.known && p.Lock.AcquiresAtOnce()
		case history.Release:
			w.known = w.known && p.Lock.ReleasesAtOnce()
		}
		switch steps[w.to].is {
		case history.Acquire:
			w.known = w.known && !p.Lock.EndsByClock() // the try says when it is sent
		case history.Release:
			w.known = w.known && p.Lock.ReleasesAtOnce()
		}
		w.known = w.known && !p.Lock.Loss.Stops
		steps[i].way = w
	}
}

func wayFrom(steps []step, from int) way {
	w := way{known: steps[from].op != 0 || steps[from].is == history.Acquire || steps[from].is == history.Release, to: from + 1}
	if w.to < len(steps) && (steps[w.to].is == history.Work || steps[w.to].is == history.Think) {
		w.sleep = true
		w.known = w.known && steps[w.to].smooth
		w.to++
	}
	if w.to == len(steps) {
		w.to, w.round = 0, true
	}
	w.known = w.known && steps[w.to].smooth
	return w
}

// Glide does in one what Replied does with the reply to a command and Fired with the end of work or thinking, where the
// way to the next command is known, for a world in which nobody looks at single events: it counts in the tally, writes
// the next command into c, and gives its tag and for how long the worker sleeps before it sends it. If that is an acquire,
// the lock is then to be told when (AskedAt). Elsewhere the tag is 0, and nothing has happened: the reply is for Replied.
func (w *Worker) Glide(now int64, r *wire.Reply, t *history.Tally, c *wire.Command) (next wire.Tag, sleep int64) {
	s := &w.steps[w.at]
	if !s.way.known || s.way.round && w.round == w.program.plan.Rounds-1 {
		return 0, 0
	}
	switch s.is {
	case history.Enter:
		t.AddEntry(r.Inside, r.Overlap)
	case history.Leave:
		t.Overlap += r.Overlap
	case history.Release:
		if r.Status != wire.OK {
			t.LostHolds++
		}
	case history.Token:
		w.token = r.Value
	default:
		if r.Status != wire.OK {
			return 0, 0
		}
		w.succeed(now, s, r, t)
	}
	if s.way.sleep {
		w.updating.since = now
		sleep = w.draw(&w.steps[w.at+1])
	}
	if s.way.round {
		w.round++
	}
	w.at = s.way.to
	switch s = &w.steps[w.at]; s.is {
	case history.Acquire:
		w.lock.Begin(now, w.round, c)
		return lock.TagAcquire, sleep
	case history.Release:
		w.lock.End(c)
		return lock.TagRelease, sleep
	}
	*c = wire.Command{}
	c.Op, c.Key, c.Worker = s.op, s.key, w.id
	if !s.plain {
		w.fillWrite(c)
	}
	return tagStep, sleep
}

// succeed counts what a step had asked for and was granted: the lock, or a checked write.
func (w *Worker) succeed(now int64, s *step, r *wire.Reply, t *history.Tally) {
	if s.is != history.Acquire {
		t.AcceptedWrites++
		if s.is == history.Commit {
			t.Updates++
		}
		return
	}
	t.AddWait(w.lock.Granted(now, r))
	if w.program.plan.Fencing.Token == TokenInside {
		w.token = w.lock.Token()
	}
}

// draw draws how long work or thinking takes.
func (w *Worker) draw(s *step) int64 {
	if s.is == history.Work {
		return w.program.plan.Work.Draw(&w.work)
	}
	return w.program.plan.Think.Draw(&w.think)
}
