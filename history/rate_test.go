package history_test

import (
	"math"
	"testing"

	"locklab/history"

	"pgregory.net/rapid"
)

// cellOf is the cell of runs with the given entries and conflicts.
func cellOf(runs ...[2]int64) *history.Cell {
	c := history.NewCell(history.Source{})
	for _, r := range runs {
		c.Add(&history.Tally{Entries: r[0], Conflicts: r[1]}, 0, false)
	}
	return c
}

func repeat(n int, run [2]int64) [][2]int64 {
	runs := make([][2]int64, n)
	for i := range runs {
		runs[i] = run
	}
	return runs
}

func TestConflictRate(t *testing.T) {
	for _, test := range []struct {
		what string
		runs [][2]int64
		want history.Rate
	}{
		{"no run", nil, history.Rate{Value: 0, Low: 0, High: 1}},
		{"one run", [][2]int64{{80, 0}}, history.Rate{Value: 0, Low: 0, High: 0.95}},
		{"100 runs without a conflict", repeat(100, [2]int64{80, 0}), history.Rate{Value: 0, Low: 0, High: 0.029513}},
		{"100 runs with conflicts only", repeat(100, [2]int64{80, 80}), history.Rate{Value: 1, Low: 0.970487, High: 1}},
		{"100 runs with one ratio", repeat(100, [2]int64{80, 20}), history.Rate{Value: 0.25, Low: 0.25 - 0.25*0.029513, High: 0.25 + 0.75*0.029513}},
		{"one ratio of different entries", [][2]int64{{80, 20}, {40, 10}, {4, 1}}, history.Rate{Value: 0.25, Low: 0.25 - 0.25*0.631597, High: 0.25 + 0.75*0.631597}},
		{"nobody enters", repeat(100, [2]int64{0, 0}), history.Rate{Value: 0, Low: 0, High: 0.029513}},
		// Three runs of ratio 0.4, 0.5 and 0.6: standard error 0.1/sqrt(3), t of 2 degrees of freedom.
		{"equal entries", [][2]int64{{10, 4}, {10, 5}, {10, 6}}, history.Rate{Value: 0.5, Low: 0.5 - 4.3027*0.1/math.Sqrt(3), High: 0.5 + 4.3027*0.1/math.Sqrt(3)}},
		{"clipped", [][2]int64{{10, 0}, {10, 9}}, history.Rate{Value: 0.45, Low: 0, High: 1}},
	} {
		got := cellOf(test.runs...).ConflictRate()
		if !near(got.Value, test.want.Value, 1e-9) || !near(got.Low, test.want.Low, 2e-5) || !near(got.High, test.want.High, 2e-5) {
			t.Errorf("%s: got %+v, want %+v", test.what, got, test.want)
		}
	}
}

// The interval is that of the ratio estimator, computed here with nothing clever, when entries vary, too.
func TestConflictRateAgainstPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(30, 200).Draw(t, "runs")
		var runs [][2]int64
		var entries, conflicts float64
		for range n {
			e := rapid.Int64Range(1, 80).Draw(t, "entries")
			run := [2]int64{e, rapid.Int64Range(0, e).Draw(t, "conflicts")}
			runs = append(runs, run)
			entries, conflicts = entries+float64(run[0]), conflicts+float64(run[1])
		}
		ratio, square := conflicts/entries, 0.0
		for _, r := range runs {
			d := float64(r[1]) - ratio*float64(r[0])
			square += d * d
		}
		cell := cellOf(runs...)
		got := cell.ConflictRate()
		half := math.Sqrt(square/float64(n-1)*float64(n)) / entries
		if square < 1e-9 || ratio-3*half < 0 || ratio+3*half > 1 {
			return
		}
		t95 := (got.High - got.Low) / 2 / half
		if !near(got.Value, ratio, 1e-9) || !near(got.High-ratio, ratio-got.Low, 1e-6) || t95 < 1.97 || t95 > 2.05 {
			t.Fatalf("got %+v, want %g ± t × %g", got, ratio, half)
		}
		if got.Width() != got.High-got.Low {
			t.Fatalf("width %g of %+v", got.Width(), got)
		}
	})
}

// Student's t, from tables: the expansion joins them, and ends at the normal distribution.
func TestConflictRateUsesStudent(t *testing.T) {
	for degrees, want := range map[int]float64{1: 12.7062, 20: 2.0860, 21: 2.0796, 30: 2.0423, 60: 2.0003, 120: 1.9799, 100_000: 1.95999} {
		// Runs that are half 49 and half 51 of 100, or with one more of 50: far from 0 and 1.
		n := degrees + 1
		cell := history.NewCell(history.Source{})
		for i := range n {
			conflicts := int64(500_000 - 1 + 2*(i%2))
			if n%2 == 1 && i == n-1 {
				conflicts = 500_000
			}
			cell.Add(&history.Tally{Entries: 1_000_000, Conflicts: conflicts}, 0, false)
		}
		standard := cell.Conflicts.Stat().SD / math.Sqrt(float64(n)) / 1e6
		if got := cell.ConflictRate().Width() / 2 / standard; !near(got, want, 5e-5) {
			t.Errorf("%d degrees of freedom: %g, want %g", degrees, got, want)
		}
	}
}
