package compare

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"locklab/history"
)

// The transform of a value from the law of the runs is uniform however few values the law has: the mean of u is ½
// and its variance 1/12, and no tenth is out of its band.
func TestTransformIsUniformDespiteTies(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for name, l := range map[string]law{"two values": either(40, 79), "few": normal(2, 0.6), "many": normal(500, 90)} {
		predicted := rankingOf(l.sample(r, MinRuns)...)
		var us []float64
		for range 4000 {
			below, equal := predicted.place(conflicts.bucket(l(r)))
			us = append(us, transform(below, equal, predicted.runs(), r.Float64()))
		}
		if p := kolmogorovP(len(us), kolmogorov(us)); p < 0.01 {
			t.Errorf("%s: p of uniformity is %v", name, p)
		}
	}
}

// By hand: among 28 30 30 31 the value 30 has one below and two equal: from 1/5 to 4/5.
func TestTransform(t *testing.T) {
	r := rankingOf(30, 28, 31, 30)
	for _, c := range []struct {
		x            int64
		v, want, two float64
	}{
		{30, 0, 0.2, 1}, {30, 1, 0.8, 1}, {30, 0.5, 0.5, 1}, {27, 0.5, 0.1, 0.4}, {32, 0.5, 0.9, 0.4}, {28, 0, 0, 0.8}, {29, 0, 0.2, 0.8},
	} {
		below, equal := r.place(c.x, c.x)
		if got := transform(below, equal, r.runs(), c.v); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("transform of %d with %v is %v, want %v", c.x, c.v, got, c.want)
		}
		if got := twoSided(below, equal, r.runs()); math.Abs(got-c.two) > 1e-15 {
			t.Errorf("p of %d is %v, want %v", c.x, got, c.two)
		}
	}
}

func TestUnitIsInside(t *testing.T) {
	if low, high := unit(0), unit(math.MaxUint64); low <= 0 || high >= 1 || low != 1-high {
		t.Errorf("got %v to %v", low, high)
	}
}

// Of the runs 1 to 1000, the central 95 % are 25 to 975: 24 below, 25 above.
func TestIntervals(t *testing.T) {
	var runs []int64
	for i := range int64(1000) {
		runs = append(runs, i+1)
	}
	r := rankingOf(runs...)
	want := []Interval{{0.5, 0.501, 250, 750}, {0.8, 0.801, 100, 900}, {0.95, 0.951, 25, 975}, {0.99, 0.991, 5, 995}}
	if got := conflicts.intervals(&r); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A closed interval never holds less than its share, nor more beside it than the rest: of any runs, however many are equal.
func TestIntervalsHoldTheirShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.SliceOfN(rapid.Int64Range(0, 20), 1, 60).Draw(t, "runs")
		r := rankingOf(runs...)
		n := float64(len(runs))
		for _, i := range conflicts.intervals(&r) {
			below, inside := r.place(i.Low, i.High)
			above := int64(len(runs)) - below - inside
			half := (1 - i.Nominal) / 2
			if i.Holds != float64(inside)/n || i.Holds < i.Nominal-1e-12 || float64(below)/n >= half+1e-12 || float64(above)/n > half+1e-12 {
				t.Errorf("%v holds %d of %v, %d below, %d above", i, inside, n, below, above)
			}
		}
	})
}

// What a histogram does not tell apart is equal, and the ends of an interval are whole buckets.
func TestOverlapIsTakenByBuckets(t *testing.T) {
	low, high := history.Bucket(5_000_000)
	p := predictionWith(low-1, low, low, high, high, high+1)
	run := history.Record{OverlapNS: low + 1}
	f := overlap.forecast(&run, p, nil, testStream("ties"))
	if below, equal := p.overlap.place(overlap.bucket(run.OverlapNS)); below != MinRuns || equal != 4*MinRuns {
		t.Errorf("%d below, %d equal", below, equal)
	}
	if i := f.Intervals[0]; i.Low != low || i.High != high || !i.contains(run.OverlapNS) {
		t.Errorf("interval %v, want %d to %d", i, low, high)
	}
	if f.Measured != run.OverlapNS || *f.U < 1.0/6 || *f.U > 5.0/6 {
		t.Errorf("got %+v", f)
	}
}

// predictionWith has MinRuns runs of each overlap.
func predictionWith(overlaps ...int64) *Prediction {
	c := history.NewCell(source("x", history.Sim, "machine"))
	for _, o := range overlaps {
		for range MinRuns {
			c.Add(&history.Tally{Overlap: o}, 0, false)
		}
	}
	return untested(history.Lines{Cells: []history.Cell{*c}})[0].Simulated
}
