package plots

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Forecasts draws what was measured in each cell against what was predicted. On the diagonal the two are equal.
func Forecasts(c *Calibration) (Figure, error) {
	var charts []chart
	for i := range c.Measures {
		if m := &c.Measures[i]; len(m.Cells) > 0 {
			charts = append(charts, &forecasts{m})
		}
	}
	if len(charts) == 0 {
		return Figure{}, errors.New("no forecasts to draw: need cells that were predicted and measured")
	}
	f := frame{
		title:    "Does the prediction hold?",
		subtitle: "Each mark is a cell. On the line, what was measured is what was predicted" + under(c.Profile) + ".",
		legend:   forecastLegend,
		body:     beside(charts),
		numbers:  c.forecastNumbers(),
	}
	return f.figure("forecasts"), nil
}

func under(profile string) string {
	if profile == "" {
		return ""
	}
	return " under " + profile
}

var forecastLegend = []legendEntry{
	{"central 95 % of simulated runs", func(c draw.Canvas, r vg.Rectangle) {
		line(c, intervalColor, 2.5, nil, r.Min.X, middle(r).Y, r.Max.X, middle(r).Y)
	}},
	{"median, measured inside of it", func(c draw.Canvas, r vg.Rectangle) { circle(c, ink, middle(r), cellRadius) }},
	{"outside of it", func(c draw.Canvas, r vg.Rectangle) { circle(c, vermillion, middle(r), cellRadius) }},
	{"measured = predicted", func(c draw.Canvas, r vg.Rectangle) {
		line(c, grey, 2, []vg.Length{8, 5}, r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
	}},
}

const cellRadius vg.Length = 4

var intervalColor = tint(blue, 0.5)

// forecasts is the chart of one measure.
type forecasts struct{ *Measure }

func (f *forecasts) title() string { return f.Name }

func (f *forecasts) note() string {
	outside := 0
	for _, q := range f.Cells {
		if !q.isInside() {
			outside++
		}
	}
	return fmt.Sprintf("%d cells, %d measured outside of their interval", len(f.Cells), outside)
}

func (q *Forecast) isInside() bool { return q.Low <= q.Measured && q.Measured <= q.High }

func (f *forecasts) style(p *plot.Plot) {
	most := 1.0
	for _, q := range f.Cells {
		most = max(most, q.Median, q.High, q.Measured)
	}
	styleAxis(&p.X, "predicted")
	styleAxis(&p.Y, "measured")
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Min, axis.Max = 0, most*1.05
		axis.Scale, axis.Tick.Marker = rooted{}, rooted{}
	}
}

// Plot draws the cells, those that are off last. It makes forecasts a plot.Plotter.
func (f *forecasts) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	outline(c, c.Rectangle, greyLight, 1, nil)
	line(c, grey, 2, []vg.Length{8, 5}, c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	for _, q := range f.Cells {
		line(c, intervalColor, 2.5, nil, x(q.Low), y(q.Measured), x(q.High), y(q.Measured))
	}
	for _, look := range []struct {
		inside bool
		clr    color.NRGBA
	}{{true, ink}, {false, vermillion}} {
		for _, q := range f.Cells {
			if q.isInside() == look.inside {
				circle(c, look.clr, vg.Point{X: x(q.Median), Y: y(q.Measured)}, cellRadius)
			}
		}
	}
}

// rooted is an axis on which the square roots of values are equally far apart: counts vary by about their root, so that
// small and large ones have room alike. It is of values from 0.
type rooted struct{}

// Normalize makes rooted a plot.Normalizer.
func (rooted) Normalize(low, high, v float64) float64 {
	root := func(v float64) float64 { return math.Sqrt(max(v, 0)) }
	return (root(v) - root(low)) / (root(high) - root(low))
}

// Ticks makes rooted a plot.Ticker: 0 and round values, no two so close that their labels would touch.
func (r rooted) Ticks(low, high float64) []plot.Tick {
	const gap = 0.13 // of the axis
	var values []float64
	above := 1.0 + gap // where the last one stands
	for decade := math.Ceil(math.Log10(high)); decade > math.Log10(high)-4; decade-- {
		for _, digit := range []float64{10, 5, 2} {
			v := digit * math.Pow(10, decade-1)
			if at := r.Normalize(low, high, v); v <= high && at >= gap && above-at >= gap {
				values, above = append(values, v), at
			}
		}
	}
	ticks := []plot.Tick{{Value: 0, Label: "0"}}
	for _, v := range slices.Backward(values) {
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 10, 64)})
	}
	return ticks
}
