package history_test

import (
	"slices"
	"strings"
	"testing"

	"locklab/history"
)

func told(n *history.Narrator, events []history.Event) []string {
	var all []string
	for i := range events {
		if text := n.Tell(&events[i]); text != "" {
			all = append(all, text)
		}
	}
	return all
}

func TestNarratorSaysWhatAWorkerDoesNotKnow(t *testing.T) {
	got := told(new(history.Narrator), zombie())
	want := []string{
		"worker 0, round 0: asks for the lock",
		"the store grants hold 1 to worker 0; the lease ends in 10 ms",
		"worker 0 has the lock, after 0 ms",
		"worker 0 is stopped for 13 ms at its step enter",
		"worker 1, round 0: asks for the lock",
		"hold 1 of worker 0 is over: its lease has ended; the worker does not know",
		"the store grants hold 2 to worker 1; the lease ends in 10 ms",
		"worker 1 was refused 2 times, and now has the lock, after 0 ms",
		"worker 1 is inside",
		"worker 0 runs again; its lease ended 4 ms ago; it does not know",
		"worker 0 is inside: CONFLICT, 2 are; its lease ended 5 ms ago; it does not know",
		"worker 0 works; its lease ended 5 ms ago; it does not know",
		"worker 0 has done its work; its lease ended 6 ms ago; it does not know",
		"worker 0 is outside; its lease ended 7 ms ago; it does not know",
		"worker 0 releases the lock",
		"worker 1 is outside",
		"worker 0 finds that the lock was NOT ITS OWN any more",
		"worker 1 releases the lock",
		"the store ends hold 2: released by worker 1",
		"worker 1 has released it",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestNarratorKnowsABoundWithoutTruth(t *testing.T) {
	var seen []history.Event
	for _, e := range zombie() {
		if !e.Kind.IsTruth() {
			seen = append(seen, e)
		}
	}
	got := told(&history.Narrator{Lease: 10 * ms}, seen)
	if want := "worker 0 runs again; its lease ended at least 3 ms ago; it does not know"; !slices.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, strings.Join(got, "\n"))
	}
	for _, text := range told(new(history.Narrator), seen) {
		if strings.Contains(text, "does not know") {
			t.Errorf("without the life of a lease: %q", text)
		}
	}
}
