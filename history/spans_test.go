package history_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"locklab/history"
)

const ms = 1_000_000

func at(t int64, worker int32, k history.Kind) history.Event {
	return history.Event{At: t * ms, Worker: worker, Kind: k}
}

// zombie is a run in which worker 0 is stopped, loses the lease that it was granted for 10 ms, and comes back while worker 1 is
// inside.
func zombie() []history.Event {
	granted := func(t, order int64, worker int32) history.Event {
		e := at(t, worker, history.Granted)
		e.Order, e.For = order, 10*ms
		return e
	}
	expired, freed := at(11, 0, history.Expired), at(20, 1, history.Freed)
	expired.Order, freed.Order = 1, 2
	first, second := at(13, 1, history.Entered), at(16, 0, history.Entered)
	first.Inside, second.Inside = 1, 2
	stopping := at(2, 0, history.Stopping)
	stopping.For, stopping.Step = 13*ms, history.Enter
	return []history.Event{
		at(0, 0, history.Asked), granted(1, 1, 0), at(2, 0, history.Acquired), stopping,
		at(3, 1, history.Asked), at(4, 1, history.Refused), at(6, 1, history.Refused), expired, granted(12, 2, 1), at(12, 1, history.Acquired), first,
		at(15, 0, history.Resumed), second, at(16, 0, history.WorkBegan), at(17, 0, history.WorkEnded), at(18, 0, history.Left),
		at(18, 0, history.Releasing), at(19, 1, history.Left), at(19, 0, history.Lost), at(19, 1, history.Releasing), freed, at(21, 1, history.Released),
	}
}

func span(from, to int64) history.Span { return history.Span{From: from * ms, To: to * ms} }

func TestSpansOfAZombie(t *testing.T) {
	s := history.NewSpans(zombie())
	want := [history.NumActivities][]history.Span{
		history.Waiting: {span(0, 2)}, history.Believing: {span(2, 18)}, history.Inside: {span(16, 18)},
		history.Working: {span(16, 17)}, history.Stopped: {span(2, 15)},
	}
	if len(s.Workers) != 2 || !reflect.DeepEqual(s.Workers[0], want) {
		t.Errorf("got %v, want %v", s.Workers, want)
	}
	holds := []history.Hold{
		{Span: span(1, 11), Worker: 0, Order: 1, Lease: 11 * ms, Expired: true},
		{Span: span(12, 20), Worker: 1, Order: 2, Lease: 22 * ms},
	}
	if !reflect.DeepEqual(s.Holds, holds) {
		t.Errorf("got %+v, want %+v", s.Holds, holds)
	}
	if !reflect.DeepEqual(s.Crowd, []history.Span{span(16, 18)}) || s.End != 21*ms {
		t.Errorf("crowd %v, end %d", s.Crowd, s.End)
	}
	if got := s.Mistaken(0); !reflect.DeepEqual(got, [][]history.Span{{span(11, 18)}, nil}) {
		t.Errorf("mistaken %v", got)
	}
}

// Without truth, a belief is known to be mistaken only a lease's life after it began.
func TestMistakenWithoutTruth(t *testing.T) {
	var seen []history.Event
	for _, e := range zombie() {
		if !e.Kind.IsTruth() {
			seen = append(seen, e)
		}
	}
	s := history.NewSpans(seen)
	if got := s.Mistaken(10 * ms); !reflect.DeepEqual(got, [][]history.Span{{span(12, 18)}, nil}) {
		t.Errorf("with the life of a lease %v", got)
	}
	if got := s.Mistaken(0); !reflect.DeepEqual(got, [][]history.Span{nil, nil}) {
		t.Errorf("without %v", got)
	}
}

// What is never ended ends with the run; a dead worker is inside until it is removed; events of unknown kinds do nothing.
func TestSpansThatAreNotEnded(t *testing.T) {
	unknown := history.Kind(60)
	granted := at(1, 0, history.Granted)
	granted.Order, granted.For = 1, 3*ms
	s := history.NewSpans([]history.Event{
		granted, at(1, 0, history.Acquired), at(2, 0, history.Entered), at(3, 0, history.Crashed), at(4, 1, unknown), at(5, 0, history.Removed), at(6, 1, history.Asked), at(7, 1, unknown),
	})
	if w := s.Workers[0]; !reflect.DeepEqual(w[history.Believing], []history.Span{span(1, 3)}) || !reflect.DeepEqual(w[history.Inside], []history.Span{span(2, 5)}) {
		t.Errorf("the dead worker: %v", w)
	}
	if w := s.Workers[1]; !reflect.DeepEqual(w[history.Waiting], []history.Span{span(6, 7)}) {
		t.Errorf("the waiting worker: %v", w)
	}
	if h := s.Holds[0]; h.To != 4*ms || !h.Expired {
		t.Errorf("the hold that nobody touched again: %+v", h)
	}
}

// Whatever the events are, the spans of one activity of one worker follow each other within the run.
func TestSpansFollowEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var events []history.Event
		now := int64(0)
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			now += rapid.Int64Range(0, 5).Draw(t, "pause")
			events = append(events, history.Event{
				At: now, Worker: rapid.Int32Range(-1, 3).Draw(t, "worker"), Kind: history.Kind(rapid.IntRange(0, 80).Draw(t, "kind")),
				Order: rapid.Int64Range(0, 3).Draw(t, "order"), For: rapid.Int64Range(0, 9).Draw(t, "for"),
			})
		}
		s := history.NewSpans(events)
		lists := append([][]history.Span{s.Crowd}, s.Mistaken(4)...)
		for _, w := range s.Workers {
			lists = append(lists, w[:]...)
		}
		var tell history.Narrator
		for i := range events {
			tell.Tell(&events[i])
		}
		for _, list := range lists {
			last := int64(0)
			for _, p := range list {
				if p.From < last || p.To < p.From || p.To > s.End {
					t.Fatalf("%v in a run that ends at %d", list, s.End)
				}
				last = p.To
			}
		}
	})
}

// A file may say anything; what it says of impossible workers must not take all memory.
func TestImpossibleWorkersAreLeftOut(t *testing.T) {
	s := history.NewSpans([]history.Event{at(1, -1, history.Asked), at(2, 2_000_000_000, history.Asked), at(3, 1, history.Asked)})
	if len(s.Workers) != 2 || s.End != 3*ms {
		t.Errorf("%d workers, end %d", len(s.Workers), s.End)
	}
}

// A renewal prolongs a lease: in truth by its own event, and else by what its worker learns.
func TestRenewalsProlongLeases(t *testing.T) {
	granted, prolonged := at(1, 0, history.Granted), at(9, 0, history.Prolonged)
	granted.Order, granted.For, prolonged.Order, prolonged.For = 1, 10*ms, 1, 10*ms
	events := []history.Event{granted, at(2, 0, history.Acquired), prolonged, at(10, 0, history.Renewed), at(25, 0, history.WorkEnded), at(26, 0, history.Learned)}
	s := history.NewSpans(events)
	if h := s.Holds[0]; h.Lease != 19*ms || h.To != 19*ms {
		t.Errorf("hold %+v", h)
	}
	if got := s.Mistaken(0); !reflect.DeepEqual(got, [][]history.Span{{span(19, 26)}}) {
		t.Errorf("mistaken in truth %v", got)
	}
	seen := []history.Event{events[1], events[3], events[4], events[5]}
	if got := history.NewSpans(seen).Mistaken(10 * ms); !reflect.DeepEqual(got, [][]history.Span{{span(20, 26)}}) {
		t.Errorf("mistaken without truth %v", got)
	}
	for lease, want := range map[int64]string{0: "its lease ended 6 ms ago", 10 * ms: "its lease ended at least 5 ms ago"} {
		told, n := events, history.Narrator{Lease: lease}
		if lease > 0 {
			told = seen
		}
		var last string
		for i := range told[:len(told)-1] {
			last = n.Tell(&told[i])
		}
		if last != "worker 0 has done its work; "+want+"; it does not know" {
			t.Errorf("told %q", last)
		}
	}
}
