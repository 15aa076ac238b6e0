package history_test

import (
	"slices"
	"strings"
	"testing"

	"locklab/history"

	"pgregory.net/rapid"
)

func TestTallyCountsEachKind(t *testing.T) {
	for _, test := range []struct {
		event history.Event
		want  history.Tally
	}{
		{history.Event{Kind: history.Asked, At: 9}, history.Tally{End: 9}},
		{history.Event{Kind: history.Refused}, history.Tally{Refused: 1}},
		{history.Event{Kind: history.Acquired, For: 5}, history.Tally{Waits: 1, Wait: 5, WaitMax: 5}},
		{history.Event{Kind: history.GaveUp, For: 5}, history.Tally{GaveUp: 1}},
		{history.Event{Kind: history.Entered, Inside: 1}, history.Tally{Entries: 1}},
		{history.Event{Kind: history.Entered, Inside: 2, Overlap: 3}, history.Tally{Entries: 1, Conflicts: 1, Overlap: 3}},
		{history.Event{Kind: history.Left, Inside: 2, Overlap: 3}, history.Tally{Overlap: 3}},
		{history.Event{Kind: history.Accepted, Token: 4}, history.Tally{AcceptedWrites: 1}},
		{history.Event{Kind: history.Rejected, Token: 4}, history.Tally{RejectedWrites: 1}},
		{history.Event{Kind: history.Released}, history.Tally{}},
		{history.Event{Kind: history.Lost}, history.Tally{LostHolds: 1}},
		{history.Event{Kind: history.Stopping, For: 5}, history.Tally{}},
		{history.Event{Kind: history.Granted, For: 5}, history.Tally{}},
		{history.Event{Kind: history.LateWrite}, history.Tally{LateWrites: 1}},
		{history.Event{Kind: history.StaleWrite}, history.Tally{StaleWrites: 1}},
		{history.Event{Kind: history.FalseBelief, For: 5}, history.Tally{FalseBelief: 5}},
	} {
		if got := tallyOf([]history.Event{test.event}); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.event.Kind, got, test.want)
		}
	}
}

// The tally does not depend on the order of the events: those of different workers may be fed one after the other.
func TestTallyIgnoresOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := anyEvents(t)
		shuffled := rapid.Permutation(events).Draw(t, "shuffled")
		if got, want := tallyOf(shuffled), tallyOf(events); got != want {
			t.Fatalf("shuffled %+v, in order %+v", got, want)
		}
	})
}

func hashOf(events []history.Event) uint64 {
	var h history.Hash
	for i := range events {
		h.Add(&events[i])
	}
	return h.Sum()
}

// Of refused tries the hash knows only how many there were, of all else everything but the order in which it was fed.
func TestHash(t *testing.T) {
	refused := history.Event{Kind: history.Refused, At: 1}
	rapid.Check(t, func(t *rapid.T) {
		events := append(anyEvents(t), history.Event{Kind: history.Asked}, history.Event{Kind: history.Left, At: 1})
		hash := hashOf(events)
		at := rapid.IntRange(0, len(events)).Draw(t, "place")
		more := slices.Insert(slices.Clone(events), at, refused)
		if hashOf(more) == hash {
			t.Fatal("the number of refused tries does not count")
		}
		if later := append(slices.Clone(events), history.Event{Kind: history.Refused, At: 99, Worker: 3}); hashOf(more) != hashOf(later) {
			t.Fatal("when a try was refused, and whose it was, counts")
		}
		if hashOf(rapid.Permutation(events).Draw(t, "shuffled")) != hash {
			t.Fatal("the order of events counts")
		}
		if twice := append(slices.Clone(events), events[0], events[0]); hashOf(twice) == hash {
			t.Fatal("a repeated event does not count")
		}
	})
}

func TestHashKnowsEveryField(t *testing.T) {
	base := history.Event{Kind: history.Entered}
	seen := map[uint64]string{hashOf([]history.Event{base}): "nothing"}
	for field, change := range map[string]func(*history.Event){
		"at":      func(e *history.Event) { e.At = 1 },
		"worker":  func(e *history.Event) { e.Worker = 1 },
		"round":   func(e *history.Event) { e.Round = 1 },
		"kind":    func(e *history.Event) { e.Kind = history.Left },
		"step":    func(e *history.Event) { e.Step = history.Acquire },
		"inside":  func(e *history.Event) { e.Inside = 1 },
		"order":   func(e *history.Event) { e.Order = 1 },
		"server":  func(e *history.Event) { e.ServerUS = 1 },
		"overlap": func(e *history.Event) { e.Overlap = 1 },
		"token":   func(e *history.Event) { e.Token = 1 },
		"for":     func(e *history.Event) { e.For = 1 },
	} {
		e := base
		change(&e)
		hash := hashOf([]history.Event{e})
		if other, known := seen[hash]; known {
			t.Errorf("%s and %s have the same hash", field, other)
		}
		seen[hash] = field
	}
}

func TestSortKeepsTheOrderOfTies(t *testing.T) {
	events := []history.Event{{At: 2, Order: 1}, {At: 1, Order: 2}, {At: 2, Order: 3}, {At: 1, Order: 4}}
	history.Sort(events)
	var orders []int64
	for _, e := range events {
		orders = append(orders, e.Order)
	}
	if want := []int64{2, 4, 1, 3}; !slices.Equal(orders, want) {
		t.Errorf("got %v, want %v", orders, want)
	}
}

// The refused tries of an acquire are one line of its story, when it ends; each worker's are its own.
func TestStoryGathersRefusedTries(t *testing.T) {
	events := []history.Event{
		{Kind: history.Refused, Worker: 0}, {Kind: history.Refused, Worker: 1}, {Kind: history.Refused, Worker: 0},
		{Kind: history.Acquired, Worker: 0, At: 5e6, For: 5e6, Token: 3}, {Kind: history.GaveUp, Worker: 1, At: 6e6, For: 1500},
		{Kind: history.Acquired, Worker: 1, At: 7e6},
	}
	const want = `       5.000 ms  worker 0  was refused 2 times
       5.000 ms  worker 0  has the lock, after 5.000 ms, with token 3
       6.000 ms  worker 1  was refused once
       6.000 ms  worker 1  gives up, after 0.002 ms
       7.000 ms  worker 1  has the lock, after 0.000 ms
`
	var story strings.Builder
	if err := history.WriteStory(&story, events); err != nil || story.String() != want {
		t.Errorf("error %v, got\n%swant\n%s", err, story.String(), want)
	}
}

// Every kind of event has words of its own in a story.
func TestStoryHasWordsForEveryKind(t *testing.T) {
	seen := make(map[string]history.Kind)
	for _, k := range allKinds() {
		if k == history.Refused {
			continue
		}
		var story strings.Builder
		if err := history.WriteStory(&story, []history.Event{{Kind: k}}); err != nil {
			t.Fatal(err)
		}
		line := story.String()
		if other, known := seen[line]; known || strings.HasSuffix(line, "  "+k.String()+"\n") {
			t.Errorf("%s reads %q, as %s", k, line, other)
		}
		seen[line] = k
	}
}

func TestSilentFailure(t *testing.T) {
	for _, test := range []struct {
		conflicts, lostHolds float64
		want                 string
	}{
		{0, 0, ""}, {40, 0, ""}, {5, 20, ""},
		{4.9, 20, "4.9 conflicts although the lock failed: 20 lost holds per run"},
		{0, 0.5, "0 conflicts although the lock failed: 0.5 lost holds per run"},
	} {
		if got := history.SilentFailure(test.conflicts, test.lostHolds); got != test.want {
			t.Errorf("%v conflicts, %v lost holds: %q, want %q", test.conflicts, test.lostHolds, got, test.want)
		}
	}
}
