package compare

import (
	"math/bits"
	"slices"

	"locklab/history"
	"locklab/internal/choice"
)

// A ranking places values among the M runs of a prediction. Ranks are whole numbers: a deviation is 2M times
// (mid-rank − ½), from −M to M, so that two of them compare exactly.
type ranking struct {
	values    []int64 // that came up, ascending
	upTo      []int64 // runs with at most that value
	deviation []int64 // of that value
}

func newRanking(h history.Histogram) ranking {
	var r ranking
	var below int64
	for _, b := range h.Bins() {
		r.values = append(r.values, b.Value)
		r.deviation = append(r.deviation, 2*below+b.N-h.Total())
		below += b.N
		r.upTo = append(r.upTo, below)
	}
	return r
}

// runs is M.
func (r *ranking) runs() int64 {
	if len(r.upTo) == 0 {
		return 0
	}
	return r.upTo[len(r.upTo)-1]
}

// deviationOf is the deviation of any value, whether or not a run had it.
func (r *ranking) deviationOf(x int64) int64 {
	i, found := slices.BinarySearch(r.values, x)
	switch {
	case found:
		return r.deviation[i]
	case i == 0:
		return -r.runs()
	default:
		return 2*r.upTo[i-1] - r.runs()
	}
}

// midRank is the value's place among the runs: 0 below all of them, 1 above all, ½ in their middle.
func (r *ranking) midRank(x int64) float64 {
	m := r.runs()
	return float64(r.deviationOf(x)+m) / float64(2*m)
}

// draw is the deviation of one of the runs, each equally likely.
func (r *ranking) draw(s *choice.Stream) int64 {
	run, _ := bits.Mul64(s.Next(), uint64(r.runs()))
	i, _ := slices.BinarySearch(r.upTo, int64(run)+1)
	return r.deviation[i]
}

// extremes are the two statistics of n values: how far their mean rank, and the rank that is farthest off, lie from
// the middle of the prediction; in units of 1/2Mn and of 1/2M.
type extremes struct{ mean, worst int64 }

// extremesOf takes n deviations from next.
func extremesOf(n int, next func(i int) int64) extremes {
	var sum, worst int64
	for i := range n {
		d := next(i)
		sum += d
		worst = max(worst, abs(d))
	}
	return extremes{mean: abs(sum), worst: worst}
}

// extremesOf are the statistics of the given values.
func (r *ranking) extremesOf(values []int64) extremes {
	return extremesOf(len(values), func(i int) int64 { return r.deviationOf(values[i]) })
}

// A null is what the statistics are when the prediction is right: those of many draws.
type null []extremes

// null draws n of the runs, with replacement, as often as asked.
func (r *ranking) null(n, draws int, s choice.Stream) null {
	drawn := make(null, draws)
	for i := range drawn {
		drawn[i] = extremesOf(n, func(int) int64 { return r.draw(&s) })
	}
	return drawn
}

// p is twice the smaller of the p of the two statistics, at most 1: above 0 and, because the observation itself
// counts as a draw, never too small (Davison and Hinkley, Bootstrap Methods, 4.2).
func (n null) p(observed extremes) float64 {
	var mean, worst int
	for _, e := range n {
		if e.mean >= observed.mean {
			mean++
		}
		if e.worst >= observed.worst {
			worst++
		}
	}
	return min(1, float64(2*(1+min(mean, worst)))/float64(1+len(n)))
}

func abs(x int64) int64 { return max(x, -x) }
