package plots

import (
	"errors"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Calibration is how well the predictions of many cells held, as somebody else counted it. Forecasts, Transforms and
// Coverage draw it.
type Calibration struct {
	Profile  string    // what the predictions assumed of the machine
	Measures []Measure // side by side: one or two
}

// A Measure is something that was predicted and measured in each cell.
type Measure struct {
	Name     string     // with its unit, e.g. "overlap per run (ms)"
	Cells    []Forecast // all
	PIT      PIT        // of the cells with a spread; N is 0 if there is none
	Coverage []Covered  // of the cells with a spread, by the nominal share; empty if there is none
}

// A Forecast is one cell: the median of its simulated runs, their central 95 %, and what was measured.
type Forecast struct{ Median, Low, High, Measured float64 }

// A PIT is the probability integral transforms of measured runs, counted in bins of equal width from 0 to 1.
type PIT struct {
	N                 int
	P                 float64 // of a test that they are uniform, as they are if the predictions are right
	Bins              []int
	BandLow, BandHigh int // where all bins then lie in at least 95 % of all cases
}

// Covered is how many cells were measured inside of the central interval of a nominal share. Shares are from 0 to 1.
type Covered struct {
	Nominal   float64
	Expected  float64 // the share inside if the predictions are right
	Inside    float64 // the share inside,
	Low, High float64 // and its confidence interval
	Width     float64 // of the intervals, at the median
	Ideal     *Sharp  // the same cells, predicted under the profile ideal; nil if they were not
}

// Sharp is the share inside, and the median width, of intervals.
type Sharp struct{ Inside, Width float64 }

// isCrowd reports whether there are more cells than a chart has room for columns.
func (c *Calibration) isCrowd() bool {
	const columns = 30
	return c != nil && len(c.Measures) > 0 && len(c.Measures[0].Cells) > columns
}

// figures are all that the calibration has something for.
func (c *Calibration) figures() []Figure {
	var figures []Figure
	for _, of := range []func(*Calibration) (Figure, error){Forecasts, Transforms, Coverage} {
		if f, err := of(c); err == nil {
			figures = append(figures, f)
		}
	}
	return figures
}

// A chart shows one measure.
type chart interface {
	plot.Plotter
	style(p *plot.Plot)
	title() string
	note() string // below the title
}

var errNoSpread = errors.New("nothing to draw: need cells whose simulated runs differ, and a measurement of each")

// beside draws charts side by side, each with its title and a note below that.
func beside(charts []chart) func(draw.Canvas) {
	const gap = 34
	return func(c draw.Canvas) {
		n := vg.Length(len(charts))
		each := (c.Max.X - c.Min.X - gap*(n-1)) / n
		for i, p := range charts {
			part := c
			part.Min.X += vg.Length(i) * (each + gap)
			part.Max.X = part.Min.X + each
			drawChart(part, p)
		}
	}
}

func drawChart(c draw.Canvas, content chart) {
	room := c.Max.X - c.Min.X
	title, note := bold(sizeLabel, ink), sans(sizeNote, grey)
	write(c, title, leftTop, vg.Point{X: c.Min.X, Y: c.Max.Y}, clip(title, content.title(), room))
	c.Max.Y -= sizeLabel + 5
	write(c, note, leftTop, vg.Point{X: c.Min.X, Y: c.Max.Y}, clip(note, content.note(), room))
	c.Max.Y -= sizeNote + 10
	p := plot.New()
	content.style(p)
	p.Add(content)
	p.Draw(c)
}
