package plots

import (
	"errors"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Fit is how likely the values of parameters make some counts, as somebody else found. Likelihood is told by Δ: how far its
// logarithm is below the best one, with the axes that are not told at what is best.
type Fit struct {
	Title  string
	Note   string // below the title
	Region float64
	Axes   []FitAxis
	Planes []FitPlane // for pairs of axes with more than one value
}

// A FitAxis is one parameter, its values and the Δ of each.
type FitAxis struct {
	Path   string // e.g. lock.ttl
	Values []string
	Delta  []float64
	Best   int // which value the best combination has
}

// A FitPlane is two of the axes, by their numbers, and the Δ of every combination of their values, those of Y moving fastest.
type FitPlane struct {
	X, Y  int
	Delta []float64
}

// MostPlanes is how many planes a figure has room for.
const MostPlanes = 6

// Figures draws the likelihood along each axis, and, if there are two axes or more, over pairs of them with the ridge outlined.
func (f *Fit) Figures() ([]Figure, error) {
	var axes []fitAxis
	several := false
	for i := range f.Axes {
		axes = append(axes, newFitAxis(&f.Axes[i]))
		several = several || len(f.Axes[i].Values) > 1
	}
	switch {
	case !several:
		return nil, errors.New("nothing to draw: no axis has more than one value")
	case len(f.Planes) > MostPlanes:
		return nil, errors.New("more pairs of axes than a figure has room for")
	}
	figures := []Figure{f.profiles(axes)}
	if len(f.Planes) > 0 {
		figures = append(figures, f.ridge(axes))
	}
	return figures, nil
}

// A fitAxis is an axis as it is drawn: few values side by side, many on a true scale.
type fitAxis struct {
	axis
	shown  ruler
	places []int // of the values as they were given, on the axis
	best   int   // place
}

func newFitAxis(f *FitAxis) fitAxis {
	const few = 12
	a := fitAxis{axis: newAxis(f.Path, f.Values)}
	for _, v := range f.Values {
		a.places = append(a.places, a.index[key(v)])
	}
	a.best = a.places[f.Best]
	a.shown = a.ruler
	if len(a.texts) <= few && a.kind != word {
		var words []string
		var values []float64
		for i, v := range a.values {
			words, values = append(words, formatTick(v/a.one)), append(values, float64(i))
		}
		a.shown = newRuler(word, values, words)
	}
	return a
}

// ordered are numbers that belong to the values as they were given, in the order of the axis.
func (a *fitAxis) ordered(given []float64) []float64 {
	sorted := make([]float64, len(given))
	for i, place := range a.places {
		sorted[place] = given[i]
	}
	return sorted
}

// at is where a value is on the axis, from 0 to 1, given by its place.
func (a *fitAxis) at(place int) float64 { return a.shown.at(a.shown.values[place]) }

// drop is a ruler on which Δ grows downwards, from the best on top.
func drop(most float64) ruler {
	step := roundStep(most, 6)
	r := ruler{lo: most * 1.04, hi: -most * 0.06, one: 1}
	for v := 0.0; v <= most*(1+1e-9); v += step {
		r.values = append(r.values, v)
	}
	slices.Reverse(r.values)
	return r
}

// mostShown is the largest Δ that is told from larger ones.
func (f *Fit) mostShown() float64 { return 2.5 * f.Region }

// ownPanels lays out panels of which each has axes of its own, and draws these.
func ownPanels(c draw.Canvas, x, y []sharedAxis) []panel {
	const right = 12
	rows, columns := rowsAndColumns(len(x), c.Max.X-c.Min.X, c.Max.Y-c.Min.Y)
	w, h := (c.Max.X-c.Min.X)/vg.Length(columns), (c.Max.Y-c.Min.Y)/vg.Length(rows)
	var all []panel
	for i := range x {
		x0, y1 := c.Min.X+vg.Length(i%columns)*w, c.Max.Y-vg.Length(i/columns)*h
		left := labelRoom + tickLength + 6 + widest(y[i].ticks(8))
		p := panel{box(x0+left, y1-h+tickRoom+labelRoom, x0+w-right, y1-4), x[i].ruler, y[i].ruler}
		p.drawTicksBelow(c)
		p.drawTicksLeft(c, 40)
		below := fit(sans(sizeLabel-2, ink), x[i].label, w-right)
		write(c, below, center, vg.Point{X: (x0 + left + x0 + w - right) / 2, Y: y1 - h + labelRoom/2}, clip(below, x[i].label, w-right))
		beside := fit(sans(sizeLabel-2, ink), y[i].label, h-4)
		writeAlong(c, beside, vg.Point{X: x0 + labelRoom/2 - 2, Y: middle(p.Rectangle).Y}, quarterTurn, clip(beside, y[i].label, h-4))
		all = append(all, p)
	}
	return all
}
