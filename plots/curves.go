package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// curves show conflicts and lost holds over one axis, in a panel for each value of another if there is one.
type curves struct {
	*sweep
	roles
	x *axis
	y ruler
}

// A curve is one rate, and how it looks.
type curve struct {
	name   string
	of     func(*outcome) rate
	color  color.NRGBA
	dashes []vg.Length
	glyph  glyph // of what was measured
}

var curvesShown = []curve{
	{"lost holds / entries", lostOf, purple, []vg.Length{9, 4}, triangle},
	{"conflicts / entries", conflictsOf, blue, nil, circle},
}

func (s *sweep) curvesFigure(r roles, title string) Figure {
	most := 0.0
	look := func(o *outcome) {
		for _, k := range curvesShown {
			if v := k.of(o); !math.IsNaN(v.mean) {
				most = max(most, v.mean, v.hi)
			}
		}
	}
	for i := range s.cells {
		look(&s.cells[i])
	}
	for _, m := range s.measured {
		look(&m.outcome)
	}
	c := curves{s, r, &s.axes[r.x], percents(1.03 * roundTop(most))}
	if title == "" {
		title = s.Scenario + ": how often does the lock fail over " + c.x.name + "?"
	}
	f := frame{title: title, subtitle: s.simulated(), legend: c.legend(), body: c.draw, numbers: s.numbers()}
	return f.figure("sweep")
}

func (s *curves) draw(c draw.Canvas) {
	titles := []string{""}
	if by := s.roles.by; by >= 0 {
		titles = nil
		for k := range s.axes[by].values {
			titles = append(titles, s.axes[by].show(k))
		}
	}
	drawn := drawPanels(c, sharedAxis{&s.x.ruler, s.x.label()}, sharedAxis{&s.y, "per 100 entries (%)"}, titles)
	for k := range drawn {
		s.drawPanel(c, &drawn[k], k)
	}
}

func (s *curves) drawPanel(c draw.Canvas, p *panel, k int) {
	for _, t := range s.y.ticks(most(p.Max.Y-p.Min.Y, 40)) {
		y := p.Y(s.y.at(t.Value))
		line(c, greyLight, 1, nil, p.Min.X, y, p.Max.X, y)
	}
	lines := s.namedLines(p, s.x, nil, s.set(s.roles, k)...)
	for _, u := range curvesShown {
		s.drawBand(c, p, k, u)
	}
	drawNamed(c, p, lines, s.taken(p, k))
	for _, u := range curvesShown {
		s.drawCurve(c, p, k, u)
	}
	for _, u := range curvesShown {
		s.drawMeasured(c, p, k, u)
	}
	outline(c, p.Rectangle, grey, 1, nil)
}

// pieces gives the rates of a curve, piece by piece: what is missing cuts it, and so does an axis of words everywhere.
func (s *curves) pieces(k int, u curve, each func(at []float64, rates []rate)) {
	var at []float64
	var rates []rate
	end := func() {
		if len(at) > 0 {
			each(at, rates)
		}
		at, rates = nil, nil
	}
	for i, v := range s.x.values {
		o := s.cell(s.roles, i, 0, k)
		r := u.of(o)
		if o.runs == 0 || math.IsNaN(r.mean) {
			end()
			continue
		}
		at, rates = append(at, s.x.at(v)), append(rates, r)
		if s.x.kind == word {
			end()
		}
	}
	end()
}

// drawBand draws where the middle 95 % of the runs are: a whisker for a point on its own.
func (s *curves) drawBand(c draw.Canvas, p *panel, k int, u curve) {
	s.pieces(k, u, func(at []float64, rates []rate) {
		if len(at) == 1 {
			whisker(c, tint(u.color, 0.5), p.X(at[0]), p.Y(s.y.at(rates[0].lo)), p.Y(s.y.at(rates[0].hi)))
			return
		}
		var edge []vg.Point
		for i := range at {
			edge = append(edge, p.point(spot{at[i], s.y.at(rates[i].hi)}))
		}
		for i := len(at) - 1; i >= 0; i-- {
			edge = append(edge, p.point(spot{at[i], s.y.at(rates[i].lo)}))
		}
		c.FillPolygon(translucent(u.color), edge)
	})
}

// taken is where names would cover a curve, its band or what was measured.
func (s *curves) taken(p *panel, k int) []plate {
	var all []plate
	for _, u := range curvesShown {
		s.pieces(k, u, func(at []float64, rates []rate) {
			for i := range at {
				j := min(i+1, len(at)-1)
				a, b := p.point(spot{at[i], s.y.at(rates[i].mean)}), p.point(spot{at[j], s.y.at(rates[j].mean)})
				all = append(all, namedLine{points: []vg.Point{a, b}}.plates()...)
				lo, hi := p.Y(s.y.at(rates[i].lo)), p.Y(s.y.at(rates[i].hi))
				all = append(all, plateOf(grow(box(a.X, lo, a.X, hi), 1)))
			}
		})
		for _, m := range s.measuredIn(s.roles, k) {
			v := u.of(&m.outcome)
			x := p.X(s.x.at(m.at[s.roles.x]))
			all = append(all, plateOf(grow(box(x, p.Y(s.y.at(v.lo)), x, p.Y(s.y.at(v.hi))), markRadius)))
		}
	}
	return all
}

func translucent(clr color.NRGBA) color.NRGBA { return color.NRGBA{clr.R, clr.G, clr.B, 80} }

func (s *curves) drawCurve(c draw.Canvas, p *panel, k int, u curve) {
	s.pieces(k, u, func(at []float64, rates []rate) {
		var points []vg.Point
		for i := range at {
			points = append(points, p.point(spot{at[i], s.y.at(rates[i].mean)}))
		}
		c.StrokeLines(draw.LineStyle{Color: u.color, Width: 3, Dashes: u.dashes}, points)
		if len(points) == 1 || len(s.x.values) <= 12 {
			for _, q := range points {
				square(c, u.color, q, 5)
			}
		}
	})
}

func (s *curves) drawMeasured(c draw.Canvas, p *panel, k int, u curve) {
	for _, m := range s.measuredIn(s.roles, k) {
		v := u.of(&m.outcome)
		if math.IsNaN(v.mean) {
			continue
		}
		x := p.X(s.x.at(m.at[s.roles.x]))
		if v.hi > v.lo {
			whisker(c, vermillion, x, p.Y(s.y.at(v.lo)), p.Y(s.y.at(v.hi)))
		}
		u.glyph(c, vermillion, vg.Point{X: x, Y: p.Y(s.y.at(v.mean))}, 6)
	}
}

func (s *curves) legend() []legendEntry {
	var entries []legendEntry
	for i := len(curvesShown) - 1; i >= 0; i-- {
		u := curvesShown[i]
		entries = append(entries, legendEntry{u.name + ": mean", func(c draw.Canvas, r vg.Rectangle) {
			fill(c, r, translucent(u.color))
			line(c, u.color, 3, u.dashes, r.Min.X, middle(r).Y, r.Max.X, middle(r).Y)
		}})
	}
	entries = append(entries, legendEntry{"band: the middle 95 % of the runs", func(c draw.Canvas, r vg.Rectangle) {
		fill(c, box(r.Min.X, r.Min.Y, middle(r).X, r.Max.Y), translucent(blue))
		fill(c, box(middle(r).X, r.Min.Y, r.Max.X, r.Max.Y), translucent(purple))
	}})
	if len(s.measured) > 0 {
		entries = append(entries, legendEntry{"measured (conflicts, lost holds): mean, least to most", func(c draw.Canvas, r vg.Rectangle) {
			whisker(c, vermillion, r.Min.X+8, r.Min.Y-2, r.Max.Y+2)
			circle(c, vermillion, vg.Point{X: r.Min.X + 8, Y: middle(r).Y}, 5)
			triangle(c, vermillion, vg.Point{X: r.Max.X - 6, Y: middle(r).Y}, 5)
		}})
	}
	return append(entries, s.gaps(func(c draw.Canvas, r vg.Rectangle) {
		line(c, grey, 3, nil, r.Min.X, middle(r).Y, r.Min.X+9, middle(r).Y)
		line(c, grey, 3, nil, r.Max.X-9, middle(r).Y, r.Max.X, middle(r).Y)
	})...)
}
