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

func (f *referee) enter(us int64, worker int32, r *wire.Reply) {
	overlap := f.pass(us)
	if !f.in[worker] {
		f.in[worker] = true
		f.inside++
	}
	f.report(us, overlap, r)
}

func (f *referee) leave(us int64, worker int32, r *wire.Reply) {
	overlap := f.pass(us)
	if f.in[worker] {
		f.in[worker] = false
		f.inside--
	}
	f.report(us, overlap, r)
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
