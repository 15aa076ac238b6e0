package batch

import (
	"context"
	"sync"

	"locklab/history"
)

// A sequencer passes blocks on in order, whatever order they are finished in. A goroutine that is too far ahead
// waits, so that few blocks are kept.
type sequencer struct {
	mu    sync.Mutex
	moved *sync.Cond
	next  int           // the block whose turn it is
	done  map[int]block // finished ahead of their turn
	most  int           // so many of them at most
	ended bool          // each has failed: nothing is passed on any more
	each  func(*history.Record) error
}

func newSequencer(workers int, each func(*history.Record) error) *sequencer {
	s := &sequencer{done: make(map[int]block), most: 2 * workers, each: each}
	s.moved = sync.NewCond(&s.mu)
	return s
}

// put hands in a finished block, and passes on all whose turn has come.
func (s *sequencer) put(ctx context.Context, b block) error {
	if s.each == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	stop := context.AfterFunc(ctx, s.wake)
	defer stop()
	for b.index >= s.next+s.most && ctx.Err() == nil {
		s.moved.Wait()
	}
	s.done[b.index] = b
	for {
		ready, ok := s.done[s.next]
		if !ok || s.ended || ctx.Err() != nil {
			return nil
		}
		delete(s.done, s.next)
		s.next++
		s.moved.Broadcast()
		for i := range ready.records {
			if err := s.each(&ready.records[i]); err != nil {
				s.ended = true
				return err
			}
		}
	}
}

// wake makes all who wait look at their context. It takes the lock, so that nobody is between looking and waiting.
func (s *sequencer) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moved.Broadcast()
}
