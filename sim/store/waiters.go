package store

import (
	"slices"

	"locklab/internal/choice"
	"locklab/worker/wire"
)

// Waiters are who waits for the lock: the subscribers of its channels, and the queue of those who acquire in turn. The scripts
// are those of realrun/scripts_wake.go.
type waiters struct {
	channels []channel // by connection
	queue    []waiter
	told     []int32 // the connections that the last message went to
}

// channel is what a connection has subscribed to.
type channel struct {
	on  bool
	own int64 // the value in the queue whose channel it is; 0 for that of all
}

// waiter is a place in the queue.
type waiter struct {
	value    int64 // the owner value
	deadline int64 // wall clock, ms: when its place may be taken
}

func newWaiters(connections int) waiters { return waiters{channels: make([]channel, connections)} }

func (w *waiters) reset() {
	clear(w.channels)
	w.queue, w.told = w.queue[:0], w.told[:0]
}

func (w *waiters) copyFrom(o *waiters) {
	copy(w.channels, o.channels)
	w.queue, w.told = append(w.queue[:0], o.queue...), w.told[:0]
}

func (w *waiters) digest(d *choice.Digest) {
	for i, c := range w.channels {
		if c.on {
			d.Add(int64(i))
			d.Add(c.own)
		}
	}
	for _, q := range w.queue {
		d.Add(q.value)
		d.Add(q.deadline)
	}
}

// Told are the connections that the last command sent a message to, in ascending order, if it is one that sends messages. They
// are valid until the next.
func (s *Store) Told() []int32 { return s.waiters.told }

// Unsubscribe ends a connection's subscription.
func (s *Store) Unsubscribe(connection int32) { s.waiters.channels[connection] = channel{} }

// publish sends a message to all who have subscribed to a channel.
func (w *waiters) publish(to channel) {
	for i := range w.channels {
		if w.channels[i] == to {
			w.told = append(w.told, int32(i))
		}
	}
}

// executeForWaiters carries out the commands that only those who wait have a use for.
func (s *Store) executeForWaiters(us int64, c *wire.Command, r *wire.Reply) {
	w := &s.waiters
	w.told = w.told[:0]
	switch c.Op {
	case wire.SetNXOrLeft:
		s.setNX(us, c, r)
		s.orLeft(us, c.Key, r)
	case wire.SetNXTokenOrLeft:
		s.setNXToken(us, c, r)
		s.orLeft(us, c.Key, r)
	case wire.CompareDeletePublish:
		if s.compareDelete(us, c, r); r.Status == wire.OK {
			w.publish(channel{on: true})
		}
	case wire.SetInTurn:
		s.setInTurn(us, c, r)
	case wire.DeleteInTurn:
		if s.compareDelete(us, c, r); r.Status == wire.OK {
			s.tellFirst(us)
		}
	case wire.LeaveQueue:
		w.leave(c.Value)
		if s.live(us, c.Key) == nil {
			s.tellFirst(us)
		}
	case wire.Subscribe:
		w.channels[c.Worker] = channel{true, c.Value}
	default:
		panic("store: unknown command")
	}
}

// orLeft adds to a refusal for how long the lease lasts.
func (s *Store) orLeft(us int64, k wire.Key, r *wire.Reply) {
	if r.Status == wire.Nil {
		r.Value = throughLua(s.left(us, k))
	}
}

func (s *Store) setInTurn(us int64, c *wire.Command, r *wire.Reply) {
	w, now := &s.waiters, (us+s.busy)/usPerMS
	w.drop(now, c.Value)
	held := s.live(us, c.Key) != nil
	if !held && (len(w.queue) == 0 || w.queue[0].value == c.Value) {
		if s.setNX(us, c, r); r.Status == wire.OK {
			w.leave(c.Value)
		}
		return
	}
	left := c.TTL
	if !held {
		left = min(left, w.queue[0].deadline-now)
	} else if rest := s.left(us, c.Key); rest >= 0 {
		left = rest
	}
	i := slices.IndexFunc(w.queue, func(q waiter) bool { return q.value == c.Value })
	if i < 0 {
		i = len(w.queue)
		w.queue = append(w.queue, waiter{value: c.Value})
	}
	w.queue[i].deadline = now + left + c.Place
	r.Status, r.Value = wire.Nil, left
}

// drop takes those out of the queue whose turn it is and whose place may be taken, but for the one with a value.
func (w *waiters) drop(now, but int64) {
	n := 0
	for n < len(w.queue) && w.queue[n].value != but && w.queue[n].deadline <= now {
		n++
	}
	w.queue = slices.Delete(w.queue, 0, n)
}

func (w *waiters) leave(value int64) {
	w.queue = slices.DeleteFunc(w.queue, func(q waiter) bool { return q.value == value })
}

// tellFirst sends a message to the first in the queue.
func (s *Store) tellFirst(us int64) {
	w := &s.waiters
	const nobody = -1 // no owner value is below 0
	if w.drop((us+s.busy)/usPerMS, nobody); len(w.queue) > 0 {
		w.publish(channel{true, w.queue[0].value})
	}
}
