package worker

import (
	"slices"

	"locklab/worker/wire"
)

// Told is Step for a message that the worker has subscribed to.
func (w *Worker) Told(now int64, out *wire.Wishes) {
	switch {
	case !w.lock.Hears():
	case w.thread.busy:
		w.thread.keepMessage()
	default:
		w.told(now, out)
	}
}

// told lets the thread handle a message. If the wait has come to its end since, too, that makes no difference any more.
func (w *Worker) told(now int64, out *wire.Wishes) {
	w.thread.drop(wire.TimerRetry)
	w.lockStands(now, w.lock.Told(now, out), out)
}

// keepMessage keeps a message until the thread wakes. Several say no more than one.
func (t *thread) keepMessage() {
	if message := (came{kind: wire.Told}); !slices.Contains(t.inputs[:t.came], message) {
		t.add(message)
	}
}
