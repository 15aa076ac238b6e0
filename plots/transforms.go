package plots

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Transforms draws where measured runs stand among the simulated ones, as a histogram of their probability integral
// transforms: level if the predictions are right.
func Transforms(c *Calibration) (Figure, error) {
	var charts []chart
	for i := range c.Measures {
		if m := &c.Measures[i]; m.PIT.N > 0 {
			charts = append(charts, &transforms{m})
		}
	}
	if len(charts) == 0 {
		return Figure{}, errNoSpread
	}
	f := frame{
		title: "Where do measured runs stand among the simulated ones?",
		subtitle: "Level: the predictions are right. Slope: too high or too low. High at both ends: too narrow. High in the " +
			"middle: too wide.",
		legend:  transformLegend,
		body:    beside(charts),
		numbers: c.transformNumbers(),
	}
	return f.figure("transforms"), nil
}

var transformLegend = []legendEntry{
	{"cells", func(c draw.Canvas, r vg.Rectangle) { fill(c, r, blue) }},
	{"outside of the band", func(c draw.Canvas, r vg.Rectangle) { fill(c, r, vermillion) }},
	{"where all bars end in 95 % of all cases if the predictions are right", func(c draw.Canvas, r vg.Rectangle) {
		fill(c, r, bandColor)
		drawExpected(c, r.Min.X, r.Max.X, middle(r).Y)
	}},
}

var bandColor = tint(grey, 0.25)

// transforms is the chart of one measure.
type transforms struct{ *Measure }

func (t *transforms) title() string { return t.Name }

func (t *transforms) note() string {
	return fmt.Sprintf("%d cells with a spread; p of uniformity %.2g", t.PIT.N, t.PIT.P)
}

func (t *transforms) style(p *plot.Plot) {
	styleAxis(&p.X, "share of simulated runs below the measured one")
	styleAxis(&p.Y, "cells")
	most := float64(max(t.PIT.BandHigh, slices.Max(t.PIT.Bins)))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, most*1.08
	p.X.Tick.Marker, p.Y.Tick.Marker = steps(0.2), steps(max(1, roundStep(p.Y.Max, 6)))
}

// Plot draws the bars on the band. It makes transforms a plot.Plotter.
func (t *transforms) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	n := float64(len(t.PIT.Bins))
	fill(c, box(c.Min.X, y(float64(t.PIT.BandLow)), c.Max.X, y(float64(t.PIT.BandHigh))), bandColor)
	for i, count := range t.PIT.Bins {
		clr := blue
		if count < t.PIT.BandLow || count > t.PIT.BandHigh {
			clr = vermillion
		}
		fill(c, box(x(float64(i)/n)+3, c.Min.Y, x(float64(i+1)/n)-3, max(y(float64(count)), c.Min.Y+1.5)), clr)
	}
	drawExpected(c, c.Min.X, c.Max.X, y(float64(t.PIT.N)/n))
	outline(c, c.Rectangle, greyLight, 1, nil)
}

// drawExpected draws the height of all bars if every tenth had as many cells.
func drawExpected(c draw.Canvas, x0, x1, y vg.Length) {
	line(c, ink, 2, []vg.Length{8, 5}, x0, y, x1, y)
}
