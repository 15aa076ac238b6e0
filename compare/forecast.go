package compare

import (
	"slices"

	"locklab/history"
	"locklab/internal/choice"
)

// nominals are the shares of the simulated runs that predictive intervals hold, in thousandths.
var nominals = []int64{500, 800, 950, 990}

// A measure is something that a run gives and a prediction foretells.
type measure struct {
	name   string
	of     func(*history.Record) int64
	among  func(*Prediction) *ranking
	bucket func(int64) (low, high int64) // the values that the prediction does not tell from this one
}

var (
	conflicts = measure{
		name:   "conflicts",
		of:     func(r *history.Record) int64 { return r.Conflicts },
		among:  func(p *Prediction) *ranking { return &p.ranking },
		bucket: func(v int64) (low, high int64) { return v, v },
	}
	overlap = measure{
		name:   "overlap",
		of:     func(r *history.Record) int64 { return r.OverlapNS },
		among:  func(p *Prediction) *ranking { return &p.overlap },
		bucket: history.Bucket,
	}
)

// A Forecast is one measured number beside what was predicted of it, in conflicts or in nanoseconds.
type Forecast struct {
	Measured  int64      `json:"measured"`
	Median    int64      `json:"median"`    // of the simulated runs
	Intervals []Interval `json:"intervals"` // of the simulated runs: the closed central 50, 80, 95 and 99 %
	U         *float64   `json:"u"`         // the transform, above 0 and below 1; nil if the prediction has no spread
	P         float64    `json:"p"`         // how likely a run is that is at least as far off to its side, doubled; at most 1
	Ideal     []Interval `json:"ideal"`     // the intervals under the profile ideal; nil for no such prediction
}

// An Interval is the closed central one of a share of the simulated runs: fewer than half of the rest are below it, and
// at most half above. Since runs that are equal lie on one side, it may hold far more than its share.
type Interval struct {
	Nominal float64 `json:"nominal"` // the share that was asked for, e.g. 0.95
	Holds   float64 `json:"holds"`   // the share of the simulated runs that it holds, at least Nominal
	Low     int64   `json:"low"`
	High    int64   `json:"high"`
}

func (i Interval) contains(x int64) bool { return i.Low <= x && x <= i.High }

func (i Interval) width() int64 { return i.High - i.Low }

// forecast sets a run against a prediction. The draw that breaks ties comes from the stream.
func (m *measure) forecast(run *history.Record, p, ideal *Prediction, ties choice.Stream) Forecast {
	r, x := m.among(p), m.of(run)
	below, equal := r.place(m.bucket(x))
	f := Forecast{
		Measured:  x,
		Median:    r.quantile(500),
		Intervals: m.intervals(r),
		P:         twoSided(below, equal, r.runs()),
	}
	if ideal != nil {
		f.Ideal = m.intervals(m.among(ideal))
	}
	if len(r.values) > 1 {
		u := transform(below, equal, r.runs(), unit(ties.Next()))
		f.U = &u
	}
	return f
}

// Central95 is the interval of 95 %.
func (f *Forecast) Central95() Interval { return f.Intervals[slices.Index(nominals, 950)] }

// isMet reports whether the measured number is the one that a prediction without spread allows.
func (f *Forecast) isMet() bool { return f.Intervals[0].contains(f.Measured) }

// intervals are the closed central ones. Their ends are whole buckets.
func (m *measure) intervals(r *ranking) []Interval {
	var all []Interval
	for _, nominal := range nominals {
		low, _ := m.bucket(r.quantile((1000 - nominal) / 2))
		_, high := m.bucket(r.quantile((1000 + nominal) / 2))
		_, inside := r.place(low, high)
		all = append(all, Interval{float64(nominal) / 1000, float64(inside) / float64(r.runs()), low, high})
	}
	return all
}

// transform is the randomised probability integral transform of a value with so many of M simulated runs below it and
// so many equal to it: (below + v·(1 + equal)) / (M + 1), v uniform. If the value is from the law of the runs, it is
// uniform, whatever the law.
func transform(below, equal, runs int64, v float64) float64 {
	return (float64(below) + float64(v*(1+float64(equal)))) / (1 + float64(runs))
}

// twoSided is twice the chance of the likelier of "at most" and "at least" the value, at most 1. The value itself counts as a run.
func twoSided(below, equal, runs int64) float64 {
	atMost, atLeast := below+equal, runs-below
	return min(1, 2*(1+float64(min(atMost, atLeast)))/(1+float64(runs)))
}

// unit is a number of the open interval from 0 to 1, one of 2^52 that are equally likely and equally far apart.
func unit(bits uint64) float64 { return (float64(bits>>12) + 0.5) / (1 << 52) }

// place is how many runs lie below the values from low to high, and how many among them.
func (r *ranking) place(low, high int64) (below, among int64) {
	from, _ := slices.BinarySearch(r.values, low)
	to, found := slices.BinarySearch(r.values, high)
	if found {
		to++
	}
	return r.before(from), r.before(to) - r.before(from)
}

// before is how many runs have one of the first i values.
func (r *ranking) before(i int) int64 {
	if i == 0 {
		return 0
	}
	return r.upTo[i-1]
}

// quantile is the smallest value that so many thousandths of the runs, above 0, do not exceed.
func (r *ranking) quantile(permille int64) int64 {
	runs := r.runs()
	rank := runs/1000*permille + (runs%1000*permille+999)/1000 // rounded up
	i, _ := slices.BinarySearch(r.upTo, rank)
	return r.values[i]
}
