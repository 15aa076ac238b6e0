package oracle

import (
	"fmt"
	"math"
	"testing"

	"locklab/scenarios"
)

// A lease of TTL that is renewed every fTTL loses a process that is stopped for p at a random phase if the stop outlasts the
// lease. Let φ, uniform in [0, fTTL), be how long before the stop the last renewal was. The lease ends TTL after that renewal,
// the process wakes φ + p after it, and renews at once; so the hold is lost if φ + p > TTL:
//
//	P(loss) = clamp((p - (1-f) TTL) / (f TTL), 0, 1)
//
// The work is a whole number of periods, so that a stop at a uniform time of it has a uniform phase. Of a lease of ten
// seconds, the millisecond by which Redis prolongs it is less than 1/fTTL ms of the probability.
func TestLossByOnePauseUnderRenewal(t *testing.T) {
	const ttl, rounds = 10_000, 3000 // ttl in ms
	for _, f := range []float64{0.1, 0.25, 0.5, 0.8} {
		period := int64(f * ttl)
		for _, pause := range []int64{1000, 2500, 4000, 5500, 7000, 8000, 8750, 9400, 9900, 10_500} {
			s := parsed(t, fmt.Sprintf(`
workers: 1
rounds: %d
work: %dms
lock: {kind: single, ttl: %dms, renew: {every: %dms}}
pauses: [{during: work, for: %dms}]`, rounds, 10*period, ttl, period, pause))
			_, r := ideally(s, 1)
			want := min(max((float64(pause)-(1-f)*ttl)/(f*ttl), 0), 1)
			got := float64(r.Tally.LostHolds) / rounds
			if limit := 3*math.Sqrt(want*(1-want)/rounds) + 1/(f*ttl); math.Abs(got-want) > limit {
				t.Errorf("f = %v, a pause of %d ms: %.4f of the holds are lost, want %.4f ± %.4f", f, pause, got, want, limit)
			}
		}
	}
}

// A thread that sleeps loses nothing, however long: its process renews on. With a limit to the total hold it does, from then on.
func TestThreadSleepsUnderRenewal(t *testing.T) {
	for _, test := range []struct {
		renew string
		lost  int64
	}{
		{"{every: 300ms}", 0},
		{"{every: 300ms, at_most: 5s}", 20},
	} {
		s := parsed(t, `
workers: 1
rounds: 20
work: 1s
lock: {kind: single, ttl: 1s, renew: `+test.renew+`}
pauses: [{during: work, for: 60s, thread: true}]`)
		if _, r := ideally(s, 1); r.Tally.LostHolds != test.lost {
			t.Errorf("renew %s: %d of 20 holds lost, want %d", test.renew, r.Tally.LostHolds, test.lost)
		}
	}
}

func parsed(t *testing.T, lines string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("test.yaml", []byte("scenario: test"+lines+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
