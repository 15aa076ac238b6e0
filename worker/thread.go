package worker

import (
	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker/wire"
)

// While the thread of a round sleeps, the rest of its process goes on: the lease is renewed. What comes for the thread
// meanwhile, the reply to the command of its step and its timers, is handled when it wakes, in the order in which it came.

// thread is the sleep of a worker's thread, and what has come since it began.
type thread struct {
	busy    bool // it sleeps, or has not yet handled all that came meanwhile
	asleep  bool
	came    int
	inputs  [maxCame]came
	reply   wire.Reply
	replyTo wire.Tag
}

// came is what came for the thread: a timer, or the reply.
type came struct {
	kind  wire.InputKind
	timer wire.Timer
}

// maxCame is the most that can come: the reply, a message, and each timer once.
const maxCame = int(wire.NumTimers) + 2

// fallAsleep lets the thread sleep.
func (w *Worker) fallAsleep(now, length int64, out *wire.Wishes) {
	w.thread.busy, w.thread.asleep = true, true
	out.SetTimer(wire.TimerThread, now+length)
}

// defers keeps a timer that is the thread's business until it wakes. It reports false if it is somebody else's.
func (w *Worker) defers(kind wire.InputKind, t wire.Timer) bool {
	if t == wire.TimerRenew || t == wire.TimerThread {
		return false
	}
	w.thread.add(came{kind, t})
	return true
}

// keep keeps the reply to the thread's command until it wakes.
func (w *Worker) keep(tag wire.Tag, r *wire.Reply) {
	w.thread.reply, w.thread.replyTo = *r, tag
	w.thread.add(came{kind: wire.Replied})
}

func (t *thread) add(c came) {
	t.inputs[t.came] = c
	t.came++
}

// drop forgets a timer that has fired, but was set anew before the thread handled it.
func (t *thread) drop(timer wire.Timer) {
	for i := range t.came {
		if t.inputs[i] == (came{wire.Fired, timer}) {
			copy(t.inputs[i:], t.inputs[i+1:t.came])
			t.came--
			return
		}
	}
}

// wake ends the sleep, or handles what came first of what is left since. Each is handled at a time of its own, if at the same
// instant.
func (w *Worker) wake(now int64, out *wire.Wishes) {
	t := &w.thread
	switch {
	case t.asleep:
		t.asleep = false
		w.note(history.ThreadResumed, out)
		w.goOn(now, out)
	case t.came > 0:
		first := t.inputs[0]
		t.came--
		copy(t.inputs[:], t.inputs[1:t.came+1])
		switch first.kind {
		case wire.Replied:
			w.replied(now, t.replyTo, &t.reply, out)
		case wire.Told:
			w.told(now, out)
		default:
			w.fired(now, first.timer, out)
		}
	}
	if t.asleep {
		return // again
	}
	if t.busy = t.came > 0; t.busy {
		out.SetTimer(wire.TimerThread, now)
	}
}

func (t *thread) digest(d *choice.Digest) {
	if !t.busy {
		return
	}
	flags := int64(t.came)<<1 | 1<<32
	if t.asleep {
		flags |= 1
	}
	d.Add(flags)
	for _, c := range t.inputs[:t.came] {
		d.Add(int64(c.kind)<<8 | int64(c.timer))
	}
	d.Add(int64(t.replyTo)<<8 | int64(t.reply.Status))
	d.Add(t.reply.Value)
}
