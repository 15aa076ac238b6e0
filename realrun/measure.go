package realrun

import (
	"context"
	"sync"
	"time"
)

// Measure carries out jobs, so many side by side (at least 1), and calls done with the outcome or the error of each as it
// ends, one at a time. A run that fails does not end the others. Measure returns when all have ended; when ctx ends,
// every process is killed, and what is not finished gets ctx's error.
//
// The first jobs start together once all their processes are ready, a little apart, so that starting processes does not
// disturb runs that are under way.
func (s *Session) Measure(ctx context.Context, jobs []Job, parallel int, done func(i int, o *Outcome, err error)) {
	parallel = min(max(parallel, 1), len(jobs))
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		queue = make(chan int, len(jobs))
		gate  = newGate(parallel)
	)
	for i := range jobs {
		queue <- i
	}
	close(queue)
	for range parallel {
		wg.Go(func() {
			for i := range queue {
				o, err := s.one(ctx, jobs[i], gate)
				mu.Lock()
				done(i, o, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// one carries out one job.
func (s *Session) one(ctx context.Context, job Job, g *gate) (*Outcome, error) {
	if ctx.Err() != nil {
		g.pass()
		return nil, ctx.Err()
	}
	t, err := s.assemble(ctx, job)
	place := g.pass()
	if err != nil {
		return nil, err
	}
	o, err := t.play(ctx, monotonic()+int64(lead)+int64(place)*int64(apart))
	t.dismiss()
	return o, err
}

const (
	lead  = 50 * time.Millisecond // from the last word to a team until its run begins
	apart = 17 * time.Millisecond // between the beginnings of two of the first runs: no multiple of a usual period
)

// A gate lets the first n who come pass together, when all have come, and everyone later at once.
type gate struct {
	mu   sync.Mutex
	left int
	open chan struct{}
}

func newGate(n int) *gate { return &gate{left: n, open: make(chan struct{})} }

// pass waits for the others and gives a place among the first, from 0; later ones get 0.
func (g *gate) pass() int {
	g.mu.Lock()
	place := max(g.left-1, 0)
	g.left--
	if g.left == 0 {
		close(g.open)
	}
	g.mu.Unlock()
	<-g.open
	return place
}
