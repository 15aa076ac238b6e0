package realrun_test

import (
	"slices"
	"testing"

	"locklab/history"
	"locklab/realrun"
	"locklab/scenarios"
)

// The scenarios in which a part of the lock is missing show the bug that belongs to it on real Redis. Of a wait that has no
// end, everybody who waits is told, and the run ends.
func TestWhatAMissingPartDoes(t *testing.T) {
	t.Parallel()
	s := open(t, realrun.Auto)
	for _, test := range []struct {
		name           string
		entries        int64 // 0 if it depends on who is first
		conflicts      int64 // at least
		lost, most     int64 // lost holds
		never, crashes int64
	}{
		{"lesson/no-nx", 20, 15, 15, 19, 0, 0},
		{"lesson/no-ttl", 0, 0, 0, 0, 2, 1},
		{"lesson/release-without-owner", 18, 3, 0, 3, 0, 0},
		{"lesson/release-in-two-steps", 12, 1, 1, 2, 0, 0},
		{"lesson/setnx-then-expire", 2, 0, 0, 0, 2, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			sc := scenario(t, test.name, 1)
			o := measure(t, s, sc)
			atLeast(t, "conflicts", o.Tally.Conflicts, test.conflicts)
			atLeast(t, "lost holds", o.Tally.LostHolds, test.lost)
			if o.Tally.LostHolds > test.most {
				t.Errorf("%d lost holds, want at most %d", o.Tally.LostHolds, test.most)
			}
			if test.entries > 0 {
				equal(t, "entries", o.Tally.Entries, test.entries)
			}
			equal(t, "never", o.Tally.Never, test.never)
			equal(t, "crashed", int64(count(o.Events, history.Crashed)), test.crashes)
			if test.crashes > 0 {
				equal(t, "conflicts", o.Tally.Conflicts, 0)
			}
			equal(t, "workers that ended", int64(count(o.Events, history.Finished))+test.never+test.crashes, int64(sc.Workers))
		})
	}
}

// A wait that has no end is told alike in both worlds: by the same events of each worker, however many tries were refused.
func TestNeverInBothWorlds(t *testing.T) {
	t.Parallel()
	s := open(t, realrun.Auto)
	sc := scenario(t, "lesson/setnx-then-expire", 1)
	lab := scenarios.Lab()
	want, got := simulate(sc, &lab, 1), measure(t, s, sc).Events
	for id := range int32(sc.Workers) {
		of := func(events []history.Event) []string {
			return story(slices.DeleteFunc(slices.Clone(events), func(e history.Event) bool {
				return e.Worker != id || e.Kind == history.Refused
			}))
		}
		if !slices.Equal(of(got), of(want)) {
			t.Errorf("worker %d\nreal:      %v\nsimulated: %v", id, of(got), of(want))
		}
	}
}
