package realrun_test

import (
	"fmt"
	"testing"

	"locklab/realrun"
	"locklab/scenarios"
)

// A client whose clock is behind by more than the TTL is told OK and holds nothing, at one store and at three; one that is behind by
// less, or ahead, loses nothing that it does not work longer than its lease for.
func TestClockOfAClient(t *testing.T) {
	t.Parallel()
	const text = `scenario: clock
workers: 2
rounds: 10
start: {apart: 30ms}
work: 80ms
lock: {kind: single, ttl: 300ms, retry: {every: 10ms}, acquire: set-nx-pxat, clock: {%s, workers: [0]}}
`
	s := open(t, realrun.Auto)
	for _, test := range []struct {
		clock string
		lost  int64
		most  int64 // conflicts
	}{
		{"behind: 400ms", 10, 20},
		{"behind: 100ms", 0, 0},
		{"ahead: 10s", 0, 0},
	} {
		for _, kind := range []string{"single", "quorum"} {
			t.Run(kind+" "+test.clock, func(t *testing.T) {
				t.Parallel()
				sc, err := scenarios.Parse("clock.yaml", fmt.Appendf(nil, text, test.clock))
				if err == nil && kind == "quorum" {
					sc, _, err = scenarios.SetAll(sc, []string{"lock.kind=quorum", "lock.stores=3"})
				}
				if err != nil {
					t.Fatal(err)
				}
				o := measure(t, s, sc)
				equal(t, "entries", o.Tally.Entries, 20)
				equal(t, "lost holds", o.Tally.LostHolds, test.lost)
				if o.Tally.Conflicts > test.most || test.lost > 0 && o.Tally.Conflicts == 0 {
					t.Errorf("%d conflicts, want at most %d, and some if holds are lost", o.Tally.Conflicts, test.most)
				}
			})
		}
	}
}
