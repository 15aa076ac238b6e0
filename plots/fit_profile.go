package plots

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const quarterTurn = math.Pi / 2

func formatTick(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// regionColor is the ground of what the counts do not tell from the best.
var regionColor = tint(sky, 0.35)

// profiles draws the likelihood along each axis.
func (f *Fit) profiles(axes []fitAxis) Figure {
	fr := frame{title: f.Title, subtitle: f.Note, legend: f.profileLegend(), body: func(c draw.Canvas) { f.drawProfiles(c, axes) }}
	return fr.figure("profile")
}

func (f *Fit) drawProfiles(c draw.Canvas, axes []fitAxis) {
	down := drop(f.mostShown())
	var x, y []sharedAxis
	var shown []int
	for i := range axes {
		if a := &axes[i]; len(a.values) > 1 {
			shown = append(shown, i)
			x, y = append(x, sharedAxis{&a.shown, a.label()}), append(y, sharedAxis{&down, "Δ log likelihood"})
		}
	}
	for k, p := range ownPanels(c, x, y) {
		f.drawProfile(c, &p, &axes[shown[k]], axes[shown[k]].ordered(f.Axes[shown[k]].Delta))
	}
}

// drawProfile draws Δ over one axis. What is too far below to be shown is an arrow at the lower end.
func (f *Fit) drawProfile(c draw.Canvas, p *panel, a *fitAxis, delta []float64) {
	fill(c, box(p.Min.X, p.Y(p.y.at(f.Region)), p.Max.X, p.Max.Y), regionColor)
	for _, t := range p.y.ticks(most(p.Max.Y-p.Min.Y, 40)) {
		y := p.Y(p.y.at(t.Value))
		line(c, greyLight, 1, nil, p.Min.X, y, p.Max.X, y)
	}
	var points []vg.Point
	for i, d := range delta {
		points = append(points, p.point(spot{a.at(i), p.y.at(min(d, f.mostShown()))}))
	}
	for i := 1; i < len(points); i++ {
		if a.kind != word && min(delta[i-1], delta[i]) <= f.mostShown() {
			line(c, tint(blue, 0.6), 2, nil, points[i-1].X, points[i-1].Y, points[i].X, points[i].Y)
		}
	}
	for i, q := range points {
		switch {
		case i == a.best:
			diamond(c, vermillion, q, 8)
		case delta[i] > f.mostShown():
			pointer(c, grey, q, 6)
		default:
			circle(c, blue, q, 5.5)
		}
	}
	outline(c, p.Rectangle, grey, 1, nil)
}

func (f *Fit) profileLegend() []legendEntry {
	return []legendEntry{
		{"best", func(c draw.Canvas, r vg.Rectangle) { diamond(c, vermillion, middle(r), 8) }},
		{"a value, with the other axes at their best for it", func(c draw.Canvas, r vg.Rectangle) { circle(c, blue, middle(r), 5.5) }},
		{fmt.Sprintf("Δ above %s", formatTick(math.Round(10*f.mostShown())/10)), func(c draw.Canvas, r vg.Rectangle) { pointer(c, grey, middle(r), 6) }},
		{fmt.Sprintf("not told from the best (Δ up to %.2f)", f.Region), func(c draw.Canvas, r vg.Rectangle) { fill(c, r, regionColor) }},
	}
}
