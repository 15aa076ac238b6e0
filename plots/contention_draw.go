package plots

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	tickEach vg.Length = 28 // the least distance of ticks on the left
)

func (c *contention) draw(to draw.Canvas) {
	const columns = 2
	rows := (len(c.panels) + columns - 1) / columns
	to.Min.Y += labelRoom
	w, h := (to.Max.X-to.Min.X-panelGap)/columns, (to.Max.Y-to.Min.Y)/vg.Length(rows)
	left := vg.Length(0)
	for i := range c.panels {
		left = max(left, tickLength+6+widest(c.panels[i].y.ticks(8)))
	}
	for i := range c.panels {
		x, y := to.Min.X+vg.Length(i%columns)*(w+panelGap), to.Max.Y-vg.Length(i/columns)*h
		p := panel{box(x+left, y-h+tickRoom, x+w, y-titleRoom), &c.x, &c.panels[i].y}
		c.panels[i].drawHead(to, &p, c.spared(&c.panels[i], w-left-8))
		p.drawTicksBelow(to)
		p.drawTicksLeft(to, tickEach)
		c.drawPanel(to, &p, &c.panels[i])
		if i+columns >= len(c.panels) {
			write(to, sans(sizeLabel, ink), center, vg.Point{X: middle(p.Rectangle).X, Y: to.Min.Y - labelRoom/2 + 2}, "workers")
		}
	}
}

var sparedStyle = sans(sizeNote-1, ink)

// spared says of which scenarios all is 0, in lines no longer than room.
func (c *contention) spared(m *facet, room vg.Length) string {
	var names []string
	for i, g := range c.growths {
		if m.spared[i] {
			names = append(names, g.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return wrap(sparedStyle, "0 throughout: "+strings.Join(names, ", "), room)
}

// drawHead writes what the panel shows, and who is spared it: for that it takes room from the panel.
func (m *facet) drawHead(c draw.Canvas, p *panel, spared string) {
	title := bold(sizeLabel, ink)
	at := vg.Point{X: p.Min.X, Y: p.Max.Y + titleRoom/2}
	write(c, title, leftMiddle, at, m.title)
	at.X += title.Width(m.title) + 10
	note := fit(sans(sizeNote, grey), m.note, p.Max.X-at.X)
	write(c, note, leftMiddle, at, clip(note, m.note, p.Max.X-at.X))
	if spared == "" {
		return
	}
	bottom := p.Max.Y - textHeight(sparedStyle, spared)
	fill(c, box(p.Min.X, bottom, p.Max.X, p.Max.Y), fineGround)
	write(c, sparedStyle, leftTop, vg.Point{X: p.Min.X + 4, Y: p.Max.Y}, spared)
	p.Max.Y = bottom - 3
}

func (c *contention) drawPanel(to draw.Canvas, p *panel, m *facet) {
	for _, t := range m.y.ticks(most(p.Max.Y-p.Min.Y, tickEach)) {
		y := p.Y(m.y.at(t.Value))
		line(to, greyLight, 1, nil, p.Min.X, y, p.Max.X, y)
	}
	c.drawLines(to, p, m)
	marks := m.marks
	if !c.isMeasured() {
		marks = m.lines
	}
	c.drawMarks(to, p, m, marks)
	outline(to, p.Rectangle, grey, 1, nil)
}

// A dab is one of the points of a panel, with the number of its scenario.
type dab struct {
	vg.Point
	scenario int
}

// dabs are the points of a panel, by number of workers.
func (c *contention) dabs(p *panel, m *facet, of [][]rate) [][]dab {
	all := make([][]dab, len(c.x.values))
	for i, g := range c.growths {
		for k, v := range of[i] {
			if m.spared[i] || math.IsNaN(v.mean) {
				continue
			}
			values := v.dots
			if values == nil {
				values = []float64{v.mean}
			}
			n, _ := slices.BinarySearch(c.x.values, g.at[k].workers)
			for _, value := range values {
				all[n] = append(all[n], dab{p.point(spot{p.x.at(g.at[k].workers), p.y.at(value)}), i})
			}
		}
	}
	return all
}

// bundles are dabs of one number of workers in groups, within which each is nearer to the next than near: each in the order of
// the scenarios.
func bundles(dabs []dab, near vg.Length) [][]dab {
	slices.SortStableFunc(dabs, func(a, b dab) int { return cmp.Compare(a.Y, b.Y) })
	var groups [][]dab
	for i := 0; i < len(dabs); {
		n := i + 1
		for n < len(dabs) && dabs[n].Y-dabs[n-1].Y < near {
			n++
		}
		slices.SortStableFunc(dabs[i:n], func(a, b dab) int { return cmp.Compare(a.scenario, b.scenario) })
		groups = append(groups, dabs[i:n])
		i = n
	}
	return groups
}

// drawLines draws what was simulated: lines that would cover each other run above one another. What is missing cuts a line.
func (c *contention) drawLines(to draw.Canvas, p *panel, m *facet) {
	const width = 2.8
	lines := make([][]vg.Point, len(c.growths))
	stroke := func(i int) {
		to.StrokeLines(draw.LineStyle{Color: c.growths[i].color, Width: width, Dashes: c.growths[i].dashes}, lines[i])
		lines[i] = nil
	}
	for _, dabs := range c.dabs(p, m, m.lines) {
		reached := make([]bool, len(lines))
		for _, group := range bundles(dabs, width) {
			middle := vg.Length(0)
			for _, d := range group {
				middle += d.Y / vg.Length(len(group))
			}
			for k, d := range group {
				lines[d.scenario] = append(lines[d.scenario], vg.Point{X: d.X, Y: middle - off(k, len(group), width)})
				reached[d.scenario] = true
			}
		}
		for i := range lines {
			if !reached[i] {
				stroke(i)
			}
		}
	}
	for i := range lines {
		stroke(i)
	}
}

// drawMarks draws what was measured, or what was simulated if nothing was: marks that would cover each other stand beside each other.
func (c *contention) drawMarks(to draw.Canvas, p *panel, m *facet, marks [][]rate) {
	const radius, mostWide = 4, 54
	for _, dabs := range c.dabs(p, m, marks) {
		for _, group := range bundles(dabs, 2*radius) {
			each := min(2*radius+1, mostWide/vg.Length(len(group)))
			for k, d := range group {
				g := &c.growths[d.scenario]
				g.glyph(to, g.color, vg.Point{X: d.X + off(k, len(group), each), Y: d.Y}, radius)
			}
		}
	}
}
