package plots

import (
	"fmt"
	"math"
	"strings"
)

// none stands where there is no number.
const none = "–"

// numbers are the rates of Conflicts: a row for each scenario.
func (r *rates) numbers() Numbers {
	n := Numbers{Columns: []string{"scenario"}}
	for _, s := range r.series {
		n.Columns = append(n.Columns, s.name+" (%)")
	}
	for i, column := range r.columns {
		row := []string{strings.ReplaceAll(column, "\n", ", ")}
		for _, s := range r.series {
			row = append(row, s.rates[i].words())
		}
		n.Rows = append(n.Rows, row)
	}
	return n
}

// words are the rate's mean with its interval, or its repetitions.
func (v *rate) words() string {
	switch {
	case math.IsNaN(v.mean):
		return none
	case v.dots != nil:
		return joined(v.dots)
	case v.hi > v.lo:
		return fmt.Sprintf("%.3g (%.3g to %.3g)", v.mean, v.lo, v.hi)
	}
	return fmt.Sprintf("%.3g", v.mean)
}

func joined(values []float64) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprintf("%.3g", v)
	}
	return strings.Join(words, ", ")
}

// numbers are the points of Agreement.
func (s *scatter) numbers() Numbers {
	n := Numbers{Columns: []string{"scenario", "conflicts per run, simulated: mean (95 %)", "measured: mean (range)"}}
	for _, q := range s.points {
		n.Rows = append(n.Rows, []string{q.name, meanRange(q.x, q.xLo, q.xHi), meanRange(q.y, q.yLo, q.yHi)})
	}
	return n
}
