package sim

import (
	"locklab/internal/choice"
	"locklab/worker"
	"locklab/worker/wire"
)

// messages are those that a store sends of itself, to the workers that have subscribed. They come on a connection of their own, in
// the order in which they were sent. A lock whose waiters sleep has none, and then they cost nothing.
type messages struct {
	lines []line // by worker
}

// A line is what is on its way to a worker.
type line struct {
	coming  []moment
	latency choice.Stream
	network choice.Stream
}

// lineNames are the names of a line's streams.
type lineNames struct{ latency, network choice.Name }

// nameLines makes the names of the streams.
func (w *World) nameLines(workers int) {
	for id := range workers {
		w.lines = append(w.lines, lineNames{choice.NameOf("link", id, "messages"), worker.MessageStream(id)})
	}
}

func newMessages(w *World) messages { return messages{lines: make([]line, len(w.lines))} }

// reset makes the lines ready for a new run.
func (m *messages) reset(w *World, source choice.Source) {
	for i := range m.lines {
		l := &m.lines[i]
		l.coming = l.coming[:0]
		l.latency = source.Stream(w.lines[i].latency, choice.Latency)
		l.network = source.Stream(w.lines[i].network, choice.Fixed)
	}
}

// publishes reports whether a command of the kind may send messages.
func publishes(op wire.Op) bool {
	return op == wire.CompareDeletePublish || op == wire.DeleteInTurn || op == wire.LeaveQueue
}

// publish sends the messages of the command that the store has just executed on their way.
func (r *Run) publish(now int64) {
	for _, id := range r.store.Told() {
		a, l := &r.actors[id], &r.messages.lines[id]
		at := now + r.messageLatency(l)
		if n := len(l.coming); n > 0 {
			at = max(at, l.coming[n-1].at)
		}
		l.coming = append(l.coming, a.due(r.handed(a, at, r.world.delay.Network.Draw(&l.network))))
		r.find(a, int(id))
	}
}

// messageLatency draws how long a message takes: as long as a reply.
func (r *Run) messageLatency(l *line) int64 {
	network := &r.world.profile.Network
	switch {
	case r.world.trips != nil:
		trip := &r.world.trips[afterReply]
		_, back := choice.Together(&trip.There, &trip.Back, &l.latency)
		return back
	case network.RoundTrip:
		return network.AfterReply.Draw(&l.latency) / 2
	}
	_, back := network.AfterReply.Pair(&l.latency)
	return back
}

// find puts the next message to an actor in the place of its next event, if it comes first.
func (m *messages) find(a *actor, id int) {
	l := &m.lines[id]
	if len(l.coming) == 0 || a.waits&forResume != 0 {
		return
	}
	first := l.coming[0]
	at := max(first.at, a.awake)
	if at < a.next.at || at == a.next.at && a.next.what != arrival && first.before(a.dueNext(), a.awake) {
		a.next = pending{at, message}
	}
}

// told hands the worker a message.
func (r *Run) told(a *actor, id int, now int64) {
	l := &r.messages.lines[id]
	l.coming = l.coming[:copy(l.coming, l.coming[1:])]
	a.asleep, a.after = false, afterReply
	r.wishes.Reset()
	a.worker.Told(now, &r.wishes)
	r.carryOut(a, id, now)
}

// hangUp ends a worker's subscription, with the messages that are on their way.
func (r *Run) hangUp(id int) {
	if r.world.wakes {
		r.store.Unsubscribe(int32(id))
		r.messages.lines[id].coming = r.messages.lines[id].coming[:0]
	}
}

func (m *messages) copyFrom(o *messages) {
	for i := range m.lines {
		coming := append(m.lines[i].coming[:0], o.lines[i].coming...)
		m.lines[i] = o.lines[i]
		m.lines[i].coming = coming
	}
}

func (m *messages) digest(d *choice.Digest) {
	for i := range m.lines {
		d.Add(int64(len(m.lines[i].coming)))
		for _, c := range m.lines[i].coming {
			d.Add(c.at)
		}
	}
}
