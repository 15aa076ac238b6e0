package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Coverage draws how many cells were measured inside of intervals that should hold a nominal share.
func Coverage(c *Calibration) (Figure, error) {
	var charts []chart
	entries, least := coverageLegend, leastShare(c)
	for i := range c.Measures {
		if m := &c.Measures[i]; len(m.Coverage) > 0 {
			charts = append(charts, &coverage{m, least})
			if m.Coverage[0].Ideal != nil && len(entries) == len(coverageLegend) {
				entries = append(slices.Clone(entries), idealEntry)
			}
		}
	}
	if len(charts) == 0 {
		return Figure{}, errNoSpread
	}
	f := frame{
		title:    "Do the intervals hold what they promise?",
		subtitle: "Cells measured inside of the interval that was predicted" + under(c.Profile) + ". Above the line: more than promised.",
		legend:   entries,
		body:     beside(charts),
		numbers:  c.coverageNumbers(),
	}
	return f.figure("coverage"), nil
}

// leastShare is the lower end of the axis of shares: below all that is drawn, a multiple of a tenth.
func leastShare(c *Calibration) float64 {
	least := 0.4
	for _, m := range c.Measures {
		for _, q := range m.Coverage {
			least = min(least, q.Low, q.Nominal)
			if q.Ideal != nil {
				least = min(least, q.Ideal.Inside)
			}
		}
	}
	return math.Floor(10*least) / 10
}

var coverageLegend = []legendEntry{
	{"cells inside, with 95 % confidence", func(c draw.Canvas, r vg.Rectangle) {
		m := middle(r)
		line(c, vermillion, 3, nil, m.X, r.Min.Y-2, m.X, r.Max.Y+2)
		circle(c, ink, m, cellRadius)
	}},
	{"expected (ties count as inside)", func(c draw.Canvas, r vg.Rectangle) { drawExpectation(c, middle(r)) }},
	{"as promised", func(c draw.Canvas, r vg.Rectangle) {
		line(c, grey, 2, []vg.Length{8, 5}, r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
	}},
}

var idealEntry = legendEntry{"the same under ideal", func(c draw.Canvas, r vg.Rectangle) { triangle(c, green, middle(r), 6) }}

func drawExpectation(c draw.Canvas, at vg.Point) { line(c, blue, 4, nil, at.X-9, at.Y, at.X+9, at.Y) }

// lowestShown is where the axis of nominal shares begins.
const lowestShown = 0.45

// coverage is the chart of one measure.
type coverage struct {
	*Measure
	least float64 // of the shares that the axis shows
}

func (v *coverage) title() string { return v.Name }

// note tells the width of the 95 % intervals, or of the widest but one.
func (v *coverage) note() string {
	q := v.Coverage[max(0, len(v.Coverage)-2)]
	text := fmt.Sprintf("%d cells with a spread; median width of %g %%: %.3g", v.PIT.N, 100*q.Nominal, q.Width)
	if q.Ideal != nil {
		text += fmt.Sprintf(" (ideal: %.3g)", q.Ideal.Width)
	}
	return text
}

func (v *coverage) style(p *plot.Plot) {
	styleAxis(&p.X, "interval (% of simulated runs)")
	styleAxis(&p.Y, "cells inside (%)")
	p.X.Min, p.X.Max = 100*lowestShown, 102
	p.Y.Min, p.Y.Max = 100*v.least, 102
	p.X.Tick.Marker, p.Y.Tick.Marker = v.nominals(), steps(roundStep(p.Y.Max-p.Y.Min, 6))
}

func (v *coverage) nominals() plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, q := range v.Coverage {
		ticks = append(ticks, plot.Tick{Value: 100 * q.Nominal, Label: fmt.Sprintf("%g", 100*q.Nominal)})
	}
	return ticks
}

// Plot draws a mark for each nominal share. It makes coverage a plot.Plotter.
func (v *coverage) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	outline(c, c.Rectangle, greyLight, 1, nil)
	from := max(lowestShown, v.least)
	line(c, grey, 2, []vg.Length{8, 5}, x(100*from), y(100*from), x(100), y(100))
	for _, q := range v.Coverage {
		at := vg.Point{X: x(100 * q.Nominal), Y: y(100 * q.Inside)}
		line(c, vermillion, 3, nil, at.X, y(100*q.Low), at.X, y(100*q.High))
		if q.Ideal != nil {
			triangle(c, green, vg.Point{X: at.X, Y: y(100 * q.Ideal.Inside)}, 6)
		}
		drawExpectation(c, vg.Point{X: at.X, Y: y(100 * q.Expected)})
		circle(c, ink, at, cellRadius)
	}
}
