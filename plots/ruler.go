package plots

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// A ruler puts values onto a line from 0 to 1, with ticks.
type ruler struct {
	lo, hi float64 // where the line begins and ends: logarithms if log
	log    bool
	unit   string
	one    float64 // the values in one unit
	values []float64
	edges  []float64 // where one value's part ends and the next begins, from 0 to 1
	words  []string  // the ticks, if the values are no numbers
}

func newRuler(kind measure, values []float64, words []string) ruler {
	r := ruler{one: 1, values: values, log: kind != word && isLogarithmic(values)}
	switch kind {
	case word:
		r.words = words
	case length:
		r.unit, r.one = unitOf(slices.Max(values))
	}
	edges := r.between(values)
	r.lo, r.hi = edges[0], edges[len(edges)-1]
	for _, e := range edges {
		r.edges = append(r.edges, (e-r.lo)/(r.hi-r.lo))
	}
	return r
}

// between are the middles between neighbours, and on the outside as much again.
func (r *ruler) between(values []float64) []float64 {
	on := make([]float64, len(values))
	for i, v := range values {
		on[i] = r.scaled(v)
	}
	last := len(on) - 1
	if last == 0 {
		return []float64{on[0] - 0.5, on[0] + 0.5}
	}
	edges := []float64{on[0] - (on[1]-on[0])/2}
	for i := range last {
		edges = append(edges, (on[i]+on[i+1])/2)
	}
	return append(edges, on[last]+(on[last]-on[last-1])/2)
}

// isLogarithmic reports whether ascending values are more evenly spaced by their ratios than by their differences.
func isLogarithmic(values []float64) bool {
	if len(values) < 4 || values[0] <= 0 {
		return false
	}
	spread := func(of func(float64) float64) float64 {
		least, most := math.Inf(1), 0.0
		for i := 1; i < len(values); i++ {
			d := of(values[i]) - of(values[i-1])
			least, most = min(least, d), max(most, d)
		}
		return most / least
	}
	return spread(math.Log) < spread(func(v float64) float64 { return v })
}

func (r *ruler) scaled(v float64) float64 {
	if r.log {
		return math.Log10(v)
	}
	return v
}

// at is where a value is, from 0 to 1; NaN for one that a logarithmic line does not have.
func (r *ruler) at(v float64) float64 { return (r.scaled(v) - r.lo) / (r.hi - r.lo) }

// value is what is at a place from 0 to 1.
func (r *ruler) value(at float64) float64 {
	v := r.lo + at*(r.hi-r.lo)
	if r.log {
		return math.Pow(10, v)
	}
	return v
}

// ticks are at most about so many, their values as in at.
func (r *ruler) ticks(most int) []plot.Tick {
	var ticks []plot.Tick
	switch {
	case r.words != nil:
		for i, w := range r.words {
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: w})
		}
	case r.hasRoom(most):
		for _, v := range r.values {
			ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v/r.one, 'g', 6, 64)})
		}
	case r.log:
		return r.logTicks(most)
	default:
		lo, hi := r.lo/r.one, r.hi/r.one
		for _, t := range steps(roundStep(hi-lo, most)).Ticks(max(lo, 0), hi) {
			ticks = append(ticks, plot.Tick{Value: t.Value * r.one, Label: t.Label})
		}
	}
	return ticks
}

// hasRoom reports whether the values are so few and so far apart that each may have a tick.
func (r *ruler) hasRoom(most int) bool {
	least := 0.75 / float64(most)
	for i := 1; i < len(r.values); i++ {
		if r.at(r.values[i])-r.at(r.values[i-1]) < least {
			return false
		}
	}
	return len(r.values) > 0
}

// logTicks are 1, 2 and 5 times the powers of ten, or fewer of them if there would be too many.
func (r *ruler) logTicks(most int) []plot.Tick {
	var ticks []plot.Tick
	for _, digits := range [][]float64{{1, 2, 5}, {1, 3}, {1}} {
		ticks = ticks[:0]
		for k := math.Floor(r.lo - math.Log10(r.one)); k <= r.hi-math.Log10(r.one); k++ {
			for _, d := range digits {
				v := d * math.Pow(10, k)
				if at := r.at(v * r.one); at >= -1e-9 && at <= 1+1e-9 {
					ticks = append(ticks, plot.Tick{Value: v * r.one, Label: strconv.FormatFloat(v, 'g', 6, 64)})
				}
			}
		}
		if len(ticks) <= most {
			return ticks
		}
	}
	every := (len(ticks) + most - 1) / most
	var some []plot.Tick
	for i := 0; i < len(ticks); i += every {
		some = append(some, ticks[i])
	}
	return some
}

// percents is a ruler from 0 to a number of percent.
func percents(top float64) ruler { return ruler{hi: top, one: 1} }

// most is how many ticks a length has room for.
func most(room, each vg.Length) int { return max(2, int(room/each)) }
