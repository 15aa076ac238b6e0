package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A heatmap shows a rate over two axes in one panel or more, all in the same colours.
type heatmap struct {
	*sweep
	roles
	x, y   *axis
	panels []heatPanel
	top    float64 // percent: the darkest colour
}

// A heatPanel is one rate of one plane of the sweep.
type heatPanel struct {
	title string
	calm  string // what its white says
	of    func(*outcome) rate
	flag  bool // say where holds were lost and hardly an entry conflicted
	by    int  // which value of the axis that has panels
}

func conflictsOf(o *outcome) rate { return o.conflicts }
func lostOf(o *outcome) rate      { return o.lost }

// isHidden reports whether the lock failed and it hardly shows: fewer than one conflict in 20 lost holds.
func (o *outcome) isHidden() bool { return o.lost.mean > 0 && o.conflicts.mean < o.lost.mean/20 }

// newHeatmap chooses the scale by all that its panels show.
func newHeatmap(s *sweep, r roles, panels []heatPanel) *heatmap {
	h := &heatmap{sweep: s, roles: r, x: &s.axes[r.x], y: &s.axes[r.y], panels: panels}
	most := 0.0
	for _, p := range panels {
		for i := range s.cells {
			if v := p.of(&s.cells[i]).mean; v > most {
				most = v
			}
		}
		for _, m := range s.measured {
			if v := p.of(&m.outcome).mean; v > most {
				most = v
			}
		}
	}
	h.top = roundTop(most)
	return h
}

func (h *heatmap) draw(c draw.Canvas) {
	const barRoom = 74
	var titles []string
	for _, p := range h.panels {
		titles = append(titles, p.title)
	}
	x, y := sharedAxis{&h.x.ruler, h.x.label()}, sharedAxis{&h.y.ruler, h.y.label()}
	drawn := drawPanels(draw.Crop(c, 0, -barRoom, 0, 0), x, y, titles)
	for i := range drawn {
		h.drawPanel(c, &drawn[i], &h.panels[i])
	}
	low := drawn[len(drawn)-1].Min.Y
	h.drawBar(c, box(c.Max.X-barRoom+16, low, c.Max.X-barRoom+36, drawn[0].Max.Y))
}

func (h *heatmap) drawPanel(c draw.Canvas, at *panel, p *heatPanel) {
	h.drawCells(c, at, p)
	outline(c, at.Rectangle, grey, 1, nil)
	var taken []plate
	measured := h.measuredIn(h.roles, p.by)
	spots := make([]vg.Point, len(measured))
	for i, m := range measured {
		q := at.point(spot{h.x.at(m.at[h.roles.x]), h.y.at(m.at[h.roles.y])})
		spots[i], taken = q, append(taken, plateOf(grow(vg.Rectangle{Min: q, Max: q}, markRadius)))
	}
	taken = drawNamed(c, at, h.namedLines(at, h.x, h.y, h.set(h.roles, p.by)...), taken)
	h.drawNotes(c, at, p, taken)
	for i, m := range measured {
		if v := p.of(&m.outcome).mean; !math.IsNaN(v) {
			drawMark(c, heatColor(heatLevel(v/h.top)), spots[i])
		}
	}
}

const markRadius vg.Length = 9

// drawMark draws a measured rate so that it stands out on every colour.
func drawMark(c draw.Canvas, clr color.NRGBA, at vg.Point) {
	for _, ring := range []struct {
		clr color.NRGBA
		r   vg.Length
	}{{white, markRadius}, {ink, markRadius - 1.5}, {white, markRadius - 3.2}, {clr, markRadius - 4}} {
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: ring.clr, Radius: ring.r, Shape: draw.CircleGlyph{}}, at)
	}
}

// drawBar draws the colours with their rates, and below them, apart, that of zero.
func (h *heatmap) drawBar(c draw.Canvas, r vg.Rectangle) {
	const zero, gap = 18, 7
	none := box(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+zero)
	fill(c, none, heatColor(0))
	outline(c, none, grey, 1, nil)
	sty := sans(sizeTick, ink)
	write(c, sty, leftMiddle, vg.Point{X: r.Max.X + 8, Y: middle(none).Y}, "0 %")
	r.Min.Y += zero + gap
	step := (r.Max.Y - r.Min.Y) / heatLevels
	for i := range heatLevels {
		y := r.Min.Y + vg.Length(i)*step
		fill(c, box(r.Min.X, y, r.Max.X, min(y+step+seam, r.Max.Y)), heatColor(i+1))
	}
	outline(c, r, grey, 1, nil)
	scale := percents(h.top)
	for _, t := range scale.ticks(5) {
		if t.Value > 0 {
			y := r.Min.Y + vg.Length(scale.at(t.Value))*(r.Max.Y-r.Min.Y)
			line(c, grey, 1, nil, r.Max.X, y, r.Max.X+tickLength, y)
			write(c, sty, leftMiddle, vg.Point{X: r.Max.X + 8, Y: y}, t.Label+" %")
		}
	}
}

// legend explains what there is to see beside the colours.
func (h *heatmap) legend() []legendEntry {
	var entries []legendEntry
	lines, hidden := h.seen()
	if lines {
		entries = append(entries, legendEntry{"boundary, computed from the scenario", func(c draw.Canvas, r vg.Rectangle) {
			line(c, ink, 2, []vg.Length{7, 4}, r.Min.X, middle(r).Y, r.Max.X, middle(r).Y)
		}})
	}
	if hidden {
		entries = append(entries, legendEntry{"holds were lost, and hardly a conflict shows it", func(c draw.Canvas, r vg.Rectangle) {
			drawHidden(c, []vg.Rectangle{r})
		}})
	}
	if len(h.measured) > 0 {
		entries = append(entries, legendEntry{"measured on real Redis", func(c draw.Canvas, r vg.Rectangle) {
			drawMark(c, heatColor(heatLevels/3), middle(r))
		}})
	}
	return append(entries, h.gaps(func(c draw.Canvas, r vg.Rectangle) {
		fill(c, r, greyLight)
		outline(c, r, grey, 1, nil)
	})...)
}

// seen looks for what needs an explanation.
func (h *heatmap) seen() (lines, hidden bool) {
	unit := panel{box(0, 0, 100, 100), &h.x.ruler, &h.y.ruler}
	for _, p := range h.panels {
		lines = lines || len(h.namedLines(&unit, h.x, h.y, h.set(h.roles, p.by)...)) > 0
		for x := range h.x.values {
			for y := range h.y.values {
				hidden = hidden || h.look(&p, x, y) == lookHidden
			}
		}
	}
	return lines, hidden
}
