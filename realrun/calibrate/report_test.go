package calibrate

import (
	"math/rand/v2"
	"testing"

	"locklab/realrun"
)

// A quantile is told as long as at least one sample is expected above it.
func TestTail(t *testing.T) {
	samples := make([]int64, 1000)
	for i := range samples {
		samples[i] = int64(len(samples) - i)
	}
	tail := tailOf(samples)
	if want := [len(Shares)]int64{500, 900, 990, 999, Unknown}; tail.Samples != 1000 || tail.Quantiles != want || tail.Most != 1000 {
		t.Errorf("%+v, want the quantiles %v", tail, want)
	}
	if none := tailOf(nil); none.Quantiles[0] != Unknown || none.InARow != 0 {
		t.Errorf("of no samples: %+v", none)
	}
}

// The ratio is near 1 for independent delays, 12 for those that stay as they are for 12 in a row, and 0 for those that make up for each
// other.
func TestInARow(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var independent, alike, even []int64
	for range 500 {
		same := random.Int64N(1000)
		for i := range int64(rowLength) {
			independent = append(independent, random.Int64N(1000))
			alike = append(alike, same)
			even = append(even, same+i%2*(1000-2*same))
		}
	}
	for _, test := range []struct {
		samples  []int64
		from, to float64
	}{{independent, 0.85, 1.15}, {alike, 11.9, 12.1}, {even, 0, 0.001}, {independent[:10*rowLength], 0, 0}} {
		if got := inARow(test.samples); got < test.from || got > test.to {
			t.Errorf("ratio %.3f, want %.2f to %.2f", got, test.from, test.to)
		}
	}
}

// A load is carried as long as lateness stays near the least; a tail that is short anyway may grow.
func TestCarries(t *testing.T) {
	var r Report
	for i, test := range []struct {
		load Load
		want bool
	}{
		{Load{Runs: 4, Median: 200_000, P99: 40_000_000}, true},
		{Load{Runs: 10, Median: 160_000, P99: 250_000}, true},
		{Load{Runs: 15, Median: 239_000, P99: 990_000}, true},
		{Load{Runs: 25, Median: 241_000, P99: 300_000}, false},
		{Load{Runs: 25, Median: 160_000, P99: 1_100_000}, false},
	} {
		if got := r.addLoad(test.load); got != test.want || r.Loads[i].Carried != got {
			t.Errorf("%+v is carried: %v", test.load, got)
		}
	}
	if r.carries() != 15 {
		t.Errorf("carries %d, want 15", r.carries())
	}
}

// Timers wait in ticks if sleeps of half a tick more are later by about half a tick.
func TestWaitsInTicks(t *testing.T) {
	for _, test := range []struct {
		late int64 // after a sleep of half a tick more
		want bool
	}{{650_000, true}, {160_000, false}, {350_000, false}} {
		samples := []realrun.TimerSample{{Sleep: 3 * ms, Late: 150_000}, {Sleep: 25 * ms, Late: 160_000}, {Sleep: 300 * ms, Late: 10}}
		if waitsInTicks(samples) {
			t.Error("ticks without a sleep that shows them")
		}
		if got := waitsInTicks(append(samples, realrun.TimerSample{Sleep: 3*ms + ms/2, Late: test.late})); got != test.want {
			t.Errorf("late by %d: ticks %v, want %v", test.late, got, test.want)
		}
	}
}
