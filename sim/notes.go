package sim

import "locklab/history"

// takeNotes counts and shows the events that a worker has noted, and takes note of what it believes.
func (r *Run) takeNotes(now int64) {
	notes := r.wishes.Notes()
	for i := range notes {
		e := &notes[i]
		e.At = now
		switch e.Kind {
		case history.Acquired:
			r.truth.holds[e.Worker].believed = now
		case history.Releasing:
			r.unbelieve(now, e.Worker)
		case history.Learned:
			r.unbelieve(now, e.Worker)
			r.truth.holds[e.Worker].believed = never
		case history.Stopping, history.Resumed, history.Asked, history.WorkBegan, history.WorkEnded, history.Renewed,
			history.ThreadStopping, history.ThreadResumed:
			if r.silent { // they add nothing but their time, and something follows
				continue
			}
		}
		r.emit(e)
	}
}

func (r *Run) emit(e *history.Event) {
	r.Tally.Add(e)
	if r.Hashing {
		r.Hash.Add(e)
	}
	if r.Observe != nil {
		r.Observe(e)
	}
}
