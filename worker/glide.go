package worker

import (
	"locklab/history"
	"locklab/worker/lock"
	"locklab/worker/wire"
)

// A way leads from the reply to a step's command to the next command, if there are no pauses on it and no choices: it
// is known before the run.
type way struct {
	known bool
	to    int  // the index of the step with the next command
	sleep bool // work or thinking lies on it, the step after this one
	round bool // and the end of the round
}

// findWays finds the ways between the steps of a worker.
func (p *Plan) findWays(steps []step) {
	for i := range steps {
		steps[i].way = p.wayFrom(steps, i)
	}
}

func (p *Plan) wayFrom(steps []step, from int) way {
	switch steps[from].is {
	case history.Enter, history.Leave, history.Acquire, history.Release:
	default:
		return way{} // the reply is not only counted
	}
	w := way{known: p.Fencing.Token != TokenInside, to: from + 1}
	if w.to < len(steps) && (steps[w.to].is == history.Work || steps[w.to].is == history.Think) {
		w.sleep = true
		w.known = w.known && steps[w.to].smooth
		w.to++
	}
	if w.to == len(steps) {
		w.to, w.round = 0, true
	}
	to := &steps[w.to]
	w.known = w.known && (to.plain || to.smooth && (to.is == history.Acquire || to.is == history.Release))
	return w
}

// Glide does in one what Replied does with the reply to a command and Fired with the end of work or thinking, where the
// way to the next command is known, for a world in which nobody looks at single events: it counts in the tally, writes
// the next command into c, and gives its tag and for how long the worker sleeps before it sends it. If that is an acquire,
// the lock is then to be told when (AskedAt). Elsewhere the tag is 0, and nothing has happened: the reply is for Replied.
func (w *Worker) Glide(now int64, tag wire.Tag, r *wire.Reply, t *history.Tally, c *wire.Command) (next wire.Tag, sleep int64) {
	s := &w.steps[w.at]
	if !s.way.known || s.way.round && w.round == w.program.plan.Rounds-1 {
		return 0, 0
	}
	switch {
	case s.is == history.Enter:
		t.AddEntry(r.Inside, r.Overlap)
	case s.is == history.Leave:
		t.Overlap += r.Overlap
	case tag == lock.TagRelease:
		if r.Status != wire.OK {
			t.LostHolds++
		}
	case r.Status == wire.OK:
		t.AddWait(w.lock.Granted(now, r))
	default:
		return 0, 0
	}
	if s.way.sleep {
		if s.is == history.Enter {
			sleep = w.program.plan.Work.Draw(&w.work)
		} else {
			sleep = w.program.plan.Think.Draw(&w.think)
		}
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
	return tagStep, sleep
}
