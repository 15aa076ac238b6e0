package plots

import (
	"fmt"
	"math"
	"strings"
)

// The numbers behind figures of many cells.

// mostRows is how many rows there are at most; what follows is in the file that was drawn.
const mostRows = 500

// numbers are the cells of a sweep, the last axis moving fastest, and what was measured.
func (s *sweep) numbers() Numbers {
	var n Numbers
	for i := range s.axes {
		n.Columns = append(n.Columns, s.axes[i].name)
	}
	n.Columns = append(n.Columns, "runs", "conflicts / entries (%)", "lost holds / entries (%)", "")
	for i := range s.cells {
		if o := &s.cells[i]; o.runs > 0 {
			n.add(append(s.valuesAt(i), o.words("simulated")...))
		}
	}
	for i := range s.measured {
		m := &s.measured[i]
		var at []string
		for k, v := range m.at {
			at = append(at, s.axes[k].textOf(v))
		}
		n.add(append(at, m.words("measured")...))
	}
	return n
}

// add adds a row; of those that are too many, it says in the last how many there are.
func (n *Numbers) add(row []string) {
	if len(n.Rows) < mostRows {
		n.Rows = append(n.Rows, row)
		return
	}
	if len(n.Rows) == mostRows {
		n.Rows = append(n.Rows, make([]string, len(n.Columns)))
	}
	last := n.Rows[mostRows]
	n.more++
	last[0] = fmt.Sprintf("and %d more", n.more)
}

// words are a cell's runs, its rates, and the world they are from.
func (o *outcome) words(world string) []string {
	return []string{fmt.Sprint(o.runs), o.conflicts.words(), o.lost.words(), world}
}

// valuesAt are the values of the axes in the cell of the given number.
func (s *sweep) valuesAt(cell int) []string {
	values := make([]string, len(s.axes))
	for i := len(s.axes) - 1; i >= 0; i-- {
		n := len(s.axes[i].texts)
		values[i] = s.axes[i].texts[cell%n]
		cell /= n
	}
	return values
}

// textOf is a value of the axis, as it is written if it is one of the sweep's.
func (a *axis) textOf(v float64) string {
	for i, known := range a.values {
		if known == v {
			return a.texts[i]
		}
	}
	if a.kind == length {
		return lengthOf(v)
	}
	return fmt.Sprintf("%g", v)
}

// forecastNumbers are the cells of Forecasts.
func (c *Calibration) forecastNumbers() Numbers {
	n := Numbers{Columns: []string{"measure", "cell", "predicted: median (central 95 %)", "measured", ""}}
	for _, m := range c.Measures {
		for i, f := range m.Cells {
			inside := "inside"
			if f.Measured < f.Low || f.Measured > f.High {
				inside = "outside"
			}
			n.add([]string{m.Name, fmt.Sprint(i + 1), fmt.Sprintf("%.4g (%.4g to %.4g)", f.Median, f.Low, f.High), fmt.Sprintf("%.4g", f.Measured), inside})
		}
	}
	return n
}

// transformNumbers are the bars of Transforms.
func (c *Calibration) transformNumbers() Numbers {
	n := Numbers{Columns: []string{"measure", "share of simulated runs below the measured one", "cells", "band in which all bars end in 95 % of all cases"}}
	for _, m := range c.Measures {
		width := 1 / float64(max(1, len(m.PIT.Bins)))
		for i, cells := range m.PIT.Bins {
			n.add([]string{m.Name, fmt.Sprintf("%.2g to %.2g", float64(i)*width, float64(i+1)*width), fmt.Sprint(cells), fmt.Sprintf("%d to %d", m.PIT.BandLow, m.PIT.BandHigh)})
		}
	}
	return n
}

// coverageNumbers are the marks of Coverage.
func (c *Calibration) coverageNumbers() Numbers {
	n := Numbers{Columns: []string{"measure", "interval (%)", "cells inside (%), with 95 % confidence", "expected (%)", "under ideal (%)"}}
	for _, m := range c.Measures {
		for _, q := range m.Coverage {
			ideal := math.NaN()
			if q.Ideal != nil {
				ideal = q.Ideal.Inside
			}
			n.add([]string{
				m.Name, fmt.Sprintf("%g", 100*q.Nominal), fmt.Sprintf("%.3g (%.3g to %.3g)", 100*q.Inside, 100*q.Low, 100*q.High),
				fmt.Sprintf("%.3g", 100*q.Expected), strings.Replace(fmt.Sprintf("%.3g", 100*ideal), "NaN", none, 1),
			})
		}
	}
	return n
}
