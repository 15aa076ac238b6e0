package realrun

import (
	"context"
	"sync"
	"time"
)

// Measure carries out jobs, so many side by side (at least 1), and calls done with the outcome or the error of each, one
// at a time. A run that fails is reported at once and does not end the others. Measure returns when all have ended. When
// ctx ends, every process is ended; runs that were over keep their outcome, the others get ctx's error.
//
// The runs go in waves: all processes of a wave are ready before its first run begins, and none is asked for what it
// noted before the last has ended. So neither the starting of processes nor their reports disturb a run.
func (s *Session) Measure(ctx context.Context, jobs []Job, parallel int, done func(i int, o *Outcome, err error)) {
	parallel = max(parallel, 1)
	if err := s.Provide(ctx, mostStores(jobs)); err != nil {
		for i := range jobs {
			done(i, nil, err)
		}
		return
	}
	for first := 0; first < len(jobs); first += parallel {
		w := wave{session: s, first: first, jobs: jobs[first:min(first+parallel, len(jobs))], done: done}
		w.run(ctx)
	}
}

// mostStores is the most stores that any of the jobs needs.
func mostStores(jobs []Job) int {
	most := 1
	for i := range jobs {
		most = max(most, jobs[i].Scenario.Lock.Stores())
	}
	return most
}

// A wave is a number of runs that begin and end together.
type wave struct {
	session *Session
	first   int // the number of its first job among all
	jobs    []Job
	done    func(i int, o *Outcome, err error)
	mu      sync.Mutex // held while done is called
}

func (w *wave) run(ctx context.Context) {
	teams := make([]*team, len(w.jobs))
	w.each(func(i int) {
		t, err := w.session.assemble(ctx, w.jobs[i])
		if teams[i] = t; err != nil {
			w.report(i, nil, err)
		}
	})
	watch := w.session.beginWatch(ctx)
	begin := monotonic() + int64(lead)
	w.each(func(i int) {
		if teams[i] == nil {
			return
		}
		if err := teams[i].play(ctx, begin+int64(i)*int64(apart)); err != nil {
			teams[i].dismiss()
			teams[i] = nil
			w.report(i, nil, err)
		}
	})
	watch.end()
	for i, t := range teams {
		if t != nil {
			o, err := t.collect()
			t.dismiss()
			if err == nil {
				watch.testify(o, t)
			}
			w.report(i, o, err)
		}
	}
}

// each does something for all jobs at once, and returns when it is done for all.
func (w *wave) each(do func(i int)) {
	var wg sync.WaitGroup
	for i := range w.jobs {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}

func (w *wave) report(i int, o *Outcome, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done(w.first+i, o, err)
}

const (
	lead  = 50 * time.Millisecond // from the last word to a wave until its first run begins
	apart = 17 * time.Millisecond // between the beginnings of two runs: no multiple of a usual period
)
