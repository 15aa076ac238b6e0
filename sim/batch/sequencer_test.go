package batch

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"locklab/history"
)

func blockOf(index int) block {
	return block{index: index, records: []history.Record{{Run: 2 * index}, {Run: 2*index + 1}}}
}

// In whatever order blocks are handed in, their records are passed on in order.
func TestSequencerPutsBlocksInOrder(t *testing.T) {
	var runs []int
	s := newSequencer(2, func(r *history.Record) error { runs = append(runs, r.Run); return nil })
	for _, index := range []int{2, 1, 3, 0, 4} {
		if err := s.put(context.Background(), blockOf(index)); err != nil {
			t.Fatal(err)
		}
	}
	if want := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}; !slices.Equal(runs, want) {
		t.Errorf("got %v, want %v", runs, want)
	}
}

// Who is too far ahead waits, so that few records are kept, until the others have caught up or the batch ends.
func TestSequencerHoldsBackWhoIsAhead(t *testing.T) {
	for what, release := range map[string]func(*sequencer, context.CancelFunc){
		"the next block":       func(s *sequencer, _ context.CancelFunc) { _ = s.put(context.Background(), blockOf(0)) },
		"the end of the batch": func(_ *sequencer, cancel context.CancelFunc) { cancel() },
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			s := newSequencer(1, func(*history.Record) error { return nil })
			waiting := true
			go func() {
				_ = s.put(ctx, blockOf(s.most))
				waiting = false
			}()
			synctest.Wait()
			if !waiting {
				t.Error("a block far ahead was taken")
			}
			release(s, cancel)
			synctest.Wait()
			if waiting {
				t.Errorf("%s does not let it go on", what)
			}
		})
	}
}

// After an error nothing more is passed on, also before the context of the batch has ended because of it.
func TestSequencerEndsWithTheFirstError(t *testing.T) {
	var runs []int
	s := newSequencer(2, func(r *history.Record) error {
		runs = append(runs, r.Run)
		return errors.New("the disk is full")
	})
	for _, index := range []int{1, 0, 2} {
		if err := s.put(context.Background(), blockOf(index)); (err != nil) != (index == 0) {
			t.Errorf("block %d: error %v", index, err)
		}
	}
	if want := []int{0}; !slices.Equal(runs, want) {
		t.Errorf("passed on %v, want %v", runs, want)
	}
}
