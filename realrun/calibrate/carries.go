package calibrate

import (
	"context"
	"slices"

	"locklab/realrun"
)

// loads are the numbers of runs side by side that are tried.
var loads = []int{4, 10, 15, 25, 40}

// A Load is how late sleeps of the lesson's retry, 25 ms, end with so many runs side by side.
type Load struct {
	Runs        int
	Median, P99 int64 // ns
	Carried     bool
}

// A load is carried if lateness is above the least under lighter loads by no more than these factors. The 99th percentile may be
// anything up to calmP99, since that of a calm machine may be so small that chance alone doubles it.
const (
	medianFactor = 1.5
	p99Factor    = 3
	calmP99      = 1 * ms
)

// tryLoad measures how late sleeps end with so many runs side by side, for about 1.5 s.
func tryLoad(ctx context.Context, s *realrun.Session, runs int) (Load, error) {
	jobs := make([]realrun.Job, runs)
	for i := range jobs {
		sc := lesson(2)
		sc.Pauses = nil
		jobs[i] = realrun.Job{Scenario: sc, Seed: uint64(i), Sample: true}
	}
	all, _, err := measure(ctx, s, jobs)
	if err != nil {
		return Load{}, err
	}
	late := slices.Sorted(slices.Values(lateness(all.Timers)[nearest(25*ms)]))
	l := Load{Runs: runs}
	l.Median, _ = quantile(late, 0.5)
	l.P99, _ = quantile(late, 0.99)
	return l, nil
}

// addLoad adds a heavier load to those that were tried, and reports whether the machine carries it.
func (r *Report) addLoad(l Load) bool {
	median, p99 := l.Median, l.P99
	for _, lighter := range r.Loads {
		median, p99 = min(median, lighter.Median), min(p99, lighter.P99)
	}
	l.Carried = float64(l.Median) <= medianFactor*float64(median) && float64(l.P99) <= max(p99Factor*float64(p99), calmP99)
	r.Loads = append(r.Loads, l)
	return l.Carried
}

// carries is the heaviest load that the machine carries.
func (r *Report) carries() (runs int) {
	for _, l := range r.Loads {
		if l.Carried {
			runs = l.Runs
		}
	}
	return runs
}
