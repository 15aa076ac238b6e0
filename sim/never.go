package sim

// A lease without a deadline whose holder is gone is never free again. Who waits for it without a limit would wait for
// ever: such a wait ends when nobody is left who could do anything about it.

// endVainWaits ends all waits if the lock will never be free.
func (r *Run) endVainWaits(now int64) {
	if !r.lostForEver() {
		return
	}
	for id := range r.actors {
		a := &r.actors[id]
		if a.gone() {
			continue
		}
		r.wishes.Reset()
		a.worker.Abandon(now, &r.wishes)
		r.carryOut(a, id, now)
		a.waits = 0 // a try that is under way would change nothing
		r.find(a, id)
	}
}

// lostForEver reports whether the lock is held for ever by a worker that is gone, and all others only wait for it.
func (r *Run) lostForEver() bool {
	t := &r.truth
	if !t.open || t.holds[t.holder].end != never || !r.actors[t.holder].gone() {
		return false
	}
	for i := range r.actors {
		if a := &r.actors[i]; !a.gone() && (a.waits&forResume != 0 || !a.worker.Waits()) {
			return false
		}
	}
	return true
}

// gone reports whether nothing will happen to the actor any more: its worker has finished or died, and nothing of it is under way.
func (a *actor) gone() bool { return a.waits == 0 }
