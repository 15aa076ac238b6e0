package plots

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"locklab/history"
)

// Agreement draws measured conflicts against those simulated under the profile that was measured for them. On
// the diagonal the two are equal.
func Agreement(l history.Lines) (Figure, error) {
	s := newScatter(experiments(l))
	if len(s.points) == 0 {
		return Figure{}, errors.New("no agreement to draw: need measured records, and simulated records or cells of the " +
			"same scenario and parameters under the profile that the measured ones name")
	}
	f := frame{
		title:    "Does the prediction hold?",
		subtitle: "Each mark is a scenario. On the line, what was measured is what was predicted.",
		body:     s.draw,
		numbers:  s.numbers(),
	}
	return f.figure("agreement"), nil
}

// A pair is one experiment, predicted (x) and measured (y), in conflicts per run.
type pair struct {
	name        string
	x, xLo, xHi float64
	y, yLo, yHi float64
}

// scatter is what the chart of Agreement shows.
type scatter struct {
	points  []pair
	profile string // "", if they do not share one
}

func newScatter(all []experiment) scatter {
	var s scatter
	labels := names(all)
	sweep := len(all) > 1 && all[0].Scenario == all[len(all)-1].Scenario // sorted: one scenario, and only parameters differ
	for i := range all {
		p, profile, ok := pairOf(&all[i])
		if !ok {
			continue
		}
		p.name = strings.ReplaceAll(labels[i], "\n", ", ")
		if sweep {
			p.name = strings.TrimPrefix(p.name, all[i].Scenario+", ")
		}
		if len(s.points) == 0 {
			s.profile = profile
		} else if s.profile != profile {
			s.profile = ""
		}
		s.points = append(s.points, p)
	}
	return s
}

// pairOf takes the profile of the first measurement that names one, and all measurements that name the same.
func pairOf(e *experiment) (pair, string, bool) {
	i := slices.IndexFunc(e.simulated, func(s simulation) bool {
		return s.sum.Runs > 0 && slices.ContainsFunc(e.measured, func(r history.Record) bool { return r.ProfileHash != "" && r.ProfileHash == s.hash })
	})
	if i < 0 {
		return pair{}, "", false
	}
	sim := &e.simulated[i]
	var counts []float64
	for _, r := range e.measured {
		if r.ProfileHash == sim.hash {
			counts = append(counts, float64(r.Conflicts))
		}
	}
	st := sim.sum.Conflicts.Stat()
	return pair{
		x: st.Mean, xLo: float64(st.P2_5), xHi: float64(st.P97_5),
		y: mean(counts), yLo: slices.Min(counts), yHi: slices.Max(counts),
	}, sim.name, true
}

// top is the upper end of both axes, and the step of their ticks.
func (s *scatter) top() (top, step float64) {
	most := 1.0
	for _, p := range s.points {
		most = max(most, p.x, p.xHi, p.yHi)
	}
	step = max(1, roundStep(most, 5)) // counts are whole
	for top < most {
		top += step
	}
	return top, step
}

func (s *scatter) draw(c draw.Canvas) {
	side := c.Max.Y - c.Min.Y
	chart := c
	chart.Max.X = c.Min.X + side + 22 // the y axis is wider than the x axis is high
	top, step := s.top()
	p := plot.New()
	of := ""
	if s.profile != "" {
		of = " (profile " + s.profile + ")"
	}
	styleAxis(&p.X, "conflicts per run, simulated"+of)
	styleAxis(&p.Y, "conflicts per run, measured")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, top, 0, top
	p.X.Tick.Marker, p.Y.Tick.Marker = steps(step), steps(step)
	p.Add(s)
	p.Draw(chart)
	c.Min.X = chart.Max.X + 30
	s.drawPanel(c)
}

// Plot draws the points. It makes scatter a plot.Plotter.
func (s *scatter) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	outline(c, c.Rectangle, greyLight, 1, nil)
	line(c, grey, 2, []vg.Length{8, 5}, c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	taken := make([]vg.Rectangle, 0, 4*len(s.points))
	for _, q := range s.points {
		at := vg.Point{X: x(q.x), Y: y(q.y)}
		line(c, blue, 3, nil, x(q.xLo), at.Y, x(q.xHi), at.Y)
		line(c, vermillion, 3, nil, at.X, y(q.yLo), at.X, y(q.yHi))
		circle(c, ink, at, 4.5)
		taken = append(taken, box(at.X-8, at.Y-8, at.X+8, at.Y+8),
			box(x(q.xLo)-2, at.Y-3, x(q.xHi)+2, at.Y+3), box(at.X-3, y(q.yLo)-2, at.X+3, y(q.yHi)+2))
	}
	for _, q := range s.points {
		at := vg.Point{X: x(q.x), Y: y(q.y)}
		name := clip(sans(sizeLabel, ink), q.name, 190)
		if spot, ok := place(c, at, name, taken); ok {
			taken = append(taken, spot)
			lead(c, at, spot)
			write(c, sans(sizeLabel, ink), center, middle(spot), name)
		}
	}
}

// place finds room for a label: as near to its point as can be, clear of what is taken and of the diagonal. There may
// be none; the table still has the name.
func place(c draw.Canvas, at vg.Point, name string, taken []vg.Rectangle) (best vg.Rectangle, ok bool) {
	sty := sans(sizeLabel, ink)
	w, h := sty.Width(name), textHeight(sty, name)
	low := func(y vg.Length) vg.Length { return min(max(y, c.Min.Y+4), c.Max.Y-4-h) }
	distance := vg.Length(math.Inf(1))
	for off := vg.Length(12); off < 200; off += 6 {
		for row := vg.Length(-6); row <= 6; row++ {
			y := low(at.Y - h/2 + row*(h+2)/2)
			for _, x := range []vg.Length{at.X + off, at.X - off - w} {
				spot := box(x, y, x+w, y+h)
				d := vg.Length(math.Hypot(float64(off), float64(middle(spot).Y-at.Y)))
				if d < distance && isFree(c, spot, taken) {
					best, distance, ok = spot, d, true
				}
			}
		}
	}
	return best, ok
}

func isFree(c draw.Canvas, spot vg.Rectangle, taken []vg.Rectangle) bool {
	return contains(grow(c.Rectangle, -3), spot) && !crossesDiagonal(c, spot) &&
		!slices.ContainsFunc(taken, func(r vg.Rectangle) bool { return overlaps(r, spot) })
}

// lead draws a thin line from a point to its label if the two are so far apart that one might not see whose it is.
func lead(c draw.Canvas, at vg.Point, label vg.Rectangle) {
	end := vg.Point{X: label.Min.X - 2, Y: middle(label).Y}
	if label.Max.X < at.X {
		end.X = label.Max.X + 2
	}
	gap := vg.Length(math.Hypot(float64(end.X-at.X), float64(end.Y-at.Y)))
	if gap > 22 {
		from := at.Add(end.Sub(at).Scale(8 / gap))
		line(c, grey, 1, nil, from.X, from.Y, end.X, end.Y)
	}
}

func contains(outer, inner vg.Rectangle) bool {
	return outer.Min.X <= inner.Min.X && inner.Max.X <= outer.Max.X && outer.Min.Y <= inner.Min.Y && inner.Max.Y <= outer.Max.Y
}

// crossesDiagonal reports whether the line from c's lower left to its upper right comes near r.
func crossesDiagonal(c draw.Canvas, r vg.Rectangle) bool {
	r = grow(r, 3)
	slope := (c.Max.Y - c.Min.Y) / (c.Max.X - c.Min.X)
	above := func(x, y vg.Length) bool { return y > c.Min.Y+(x-c.Min.X)*slope }
	return above(r.Min.X, r.Max.Y) != above(r.Max.X, r.Min.Y)
}

// drawPanel explains the marks and lists their numbers, to the right of the chart.
func (s *scatter) drawPanel(c draw.Canvas) {
	y := c.Max.Y - 14
	for _, e := range scatterLegend {
		drawEntry(c, e, vg.Point{X: c.Min.X, Y: y})
		y -= 26
	}
	s.drawTable(draw.Crop(c, 0, 0, 0, y-12-c.Max.Y))
}

// drawTable lists the numbers behind the marks, as far as there is room.
func (s *scatter) drawTable(c draw.Canvas) {
	const rowHeight = 24
	ends := []vg.Length{c.Max.X - 260, c.Max.X - 130, c.Max.X}
	y := c.Max.Y
	row := func(sty text.Style, name, simulated, measured string) {
		write(c, sty, leftMiddle, vg.Point{X: c.Min.X, Y: y}, clip(sty, name, ends[0]-c.Min.X))
		write(c, sty, rightMiddle, vg.Point{X: ends[1], Y: y}, simulated)
		write(c, sty, rightMiddle, vg.Point{X: ends[2], Y: y}, measured)
		y -= rowHeight
	}
	row(bold(sizeNote, ink), "conflicts per run", "simulated", "measured")
	row(sans(sizeNote, grey), "", "mean (95 %)", "mean (range)")
	for i, q := range s.points {
		if y < c.Min.Y+rowHeight && i < len(s.points)-1 {
			row(sans(sizeNote, ink), fmt.Sprintf("and %d more", len(s.points)-i), "", "")
			return
		}
		row(sans(sizeNote, ink), q.name, meanRange(q.x, q.xLo, q.xHi), meanRange(q.y, q.yLo, q.yHi))
	}
}

func meanRange(mean, lo, hi float64) string { return fmt.Sprintf("%.1f (%g–%g)", mean, lo, hi) }

var scatterLegend = []legendEntry{
	{"mean simulated, mean measured", func(c draw.Canvas, r vg.Rectangle) { circle(c, ink, middle(r), 5.5) }},
	{"central 95 % of simulated runs", func(c draw.Canvas, r vg.Rectangle) {
		line(c, blue, 3, nil, r.Min.X, middle(r).Y, r.Max.X, middle(r).Y)
	}},
	{"least to most of the repetitions", func(c draw.Canvas, r vg.Rectangle) {
		line(c, vermillion, 3, nil, middle(r).X, r.Min.Y-2, middle(r).X, r.Max.Y+2)
	}},
	{"measured = simulated", func(c draw.Canvas, r vg.Rectangle) {
		line(c, grey, 2, []vg.Length{8, 5}, r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
	}},
}
