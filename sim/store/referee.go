package store

import "locklab/worker/wire"

// referee knows who is inside the critical section. It is told by commands, and is never part of the lock.
type referee struct {
	in      []bool // by worker
	inside  int32
	order   int64
	changed int64 // wall clock, us, of the last command
}

func (f *referee) reset() {
	clear(f.in)
	f.inside, f.order, f.changed = 0, 0, 0
}

func (f *referee) enter(us int64, c *wire.Command, r *wire.Reply) {
	if c.Own {
		f.alone(us, 1, r)
		return
	}
	overlap := f.pass(us)
	if !f.in[c.Worker] {
		f.in[c.Worker] = true
		f.inside++
	}
	f.report(us, overlap, r)
}

func (f *referee) leave(us int64, c *wire.Command, r *wire.Reply) {
	if c.Own {
		f.alone(us, 0, r)
		return
	}
	overlap := f.pass(us)
	if f.in[c.Worker] {
		f.in[c.Worker] = false
		f.inside--
	}
	f.report(us, overlap, r)
}

// alone answers about a critical section in which nobody else ever is.
func (f *referee) alone(us int64, inside int32, r *wire.Reply) {
	f.order++
	r.Order, r.At, r.Inside = f.order, us, inside
}

// pass lets the time since the last command pass, and gives the part of it with two or more inside, in ns.
func (f *referee) pass(us int64) int64 {
	var overlap int64
	if f.inside > 1 {
		overlap = (us - f.changed) * nsPerUS
	}
	f.changed = us
	return overlap
}

func (f *referee) report(us, overlap int64, r *wire.Reply) {
	f.order++
	r.Order, r.At, r.Inside, r.Overlap = f.order, us, f.inside, overlap
}
