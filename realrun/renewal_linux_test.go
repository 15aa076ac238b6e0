package realrun_test

import (
	"fmt"
	"testing"

	"locklab/realrun"
	"locklab/scenarios"
)

// A lease of TTL 600 ms that is renewed every 200 ms is never lost to a stop of 300 ms, always to one of 700 ms, and to one
// of 500 ms with probability (500 - 400) / 200. The simulator's test of the law has many more runs.
func TestLossByOnePauseUnderRenewal(t *testing.T) {
	t.Parallel()
	const text = `scenario: renewed
workers: 8
rounds: 3
start: {spread: 200ms}
work: 600ms
lock: {kind: single, ttl: 600ms, retry: {every: 20ms}, renew: {every: 200ms}}
pauses: [{during: work, for: %dms}]
`
	s := open(t, realrun.Auto)
	for pause, want := range map[int][2]int64{300: {0, 0}, 500: {4, 20}, 700: {24, 24}} {
		sc, err := scenarios.Parse("renewed.yaml", fmt.Appendf(nil, text, pause))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(fmt.Sprint(pause), func(t *testing.T) {
			t.Parallel()
			o := measure(t, s, sc)
			if lost := o.Tally.LostHolds; lost < want[0] || lost > want[1] {
				t.Errorf("%d of 24 holds lost, want %d to %d", lost, want[0], want[1])
			}
		})
	}
}
