package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A panel is one of several small charts over the same axes.
type panel struct {
	vg.Rectangle // of the data
	x, y         *ruler
}

func (p *panel) point(at spot) vg.Point {
	return vg.Point{X: p.X(at.x), Y: p.Y(at.y)}
}

// X is where a share of the width is.
func (p *panel) X(share float64) vg.Length { return p.Min.X + vg.Length(share)*(p.Max.X-p.Min.X) }

// Y is where a share of the height is.
func (p *panel) Y(share float64) vg.Length { return p.Min.Y + vg.Length(share)*(p.Max.Y-p.Min.Y) }

// A sharedAxis is what all panels have to the left of them or below.
type sharedAxis struct {
	*ruler
	label string
}

const (
	tickRoom   vg.Length = 26 // below a panel
	labelRoom  vg.Length = 22 // for an axis's label
	titleRoom  vg.Length = 24 // above a panel
	panelGap   vg.Length = 18
	tickLength vg.Length = 5
)

// drawPanels lays out a panel for each title, draws their axes and titles, and gives them.
func drawPanels(c draw.Canvas, x, y sharedAxis, titles []string) []panel {
	left := labelRoom + tickLength + 6 + widest(y.ticks(8))
	inner := draw.Crop(c, left, -4, tickRoom+labelRoom, 0)
	rows, columns := rowsAndColumns(len(titles), inner.Max.X-inner.Min.X, inner.Max.Y-inner.Min.Y)
	w := (inner.Max.X - inner.Min.X - vg.Length(columns-1)*panelGap) / vg.Length(columns)
	h := (inner.Max.Y - inner.Min.Y) / vg.Length(rows)
	var all []panel
	for i, title := range titles {
		row, column := i/columns, i%columns
		x0, y1 := inner.Min.X+vg.Length(column)*(w+panelGap), inner.Max.Y-vg.Length(row)*h
		p := panel{box(x0, y1-h, x0+w, y1-titleRoom), x.ruler, y.ruler}
		sty := fit(bold(sizeLabel, ink), title, w)
		write(c, sty, leftMiddle, vg.Point{X: x0, Y: y1 - titleRoom/2}, clip(sty, title, w))
		if i+columns >= len(titles) {
			p.drawTicksBelow(c)
		}
		if column == 0 {
			p.drawTicksLeft(c)
		}
		all = append(all, p)
	}
	sty := fit(sans(sizeLabel, ink), x.label, inner.Max.X-inner.Min.X)
	write(c, sty, center, vg.Point{X: middle(inner.Rectangle).X, Y: c.Min.Y + labelRoom/2 - 2}, x.label)
	sty = fit(sans(sizeLabel, ink), y.label, c.Max.Y-c.Min.Y)
	writeAlong(c, sty, vg.Point{X: c.Min.X + labelRoom/2 - 2, Y: middle(inner.Rectangle).Y}, math.Pi/2, y.label)
	return all
}

// rowsAndColumns makes panels as large and as near to squares as can be.
func rowsAndColumns(n int, w, h vg.Length) (rows, columns int) {
	best := vg.Length(0)
	for k := 1; k <= n; k++ {
		r := (n + k - 1) / k
		side := min((w-vg.Length(k-1)*panelGap)/vg.Length(k), h/vg.Length(r)-titleRoom)
		if side > best {
			best, rows, columns = side, r, k
		}
	}
	return rows, columns
}

func widest(ticks []plot.Tick) vg.Length {
	w := vg.Length(0)
	for _, t := range ticks {
		w = max(w, sans(sizeTick, ink).Width(t.Label))
	}
	return min(w, 110)
}

func (p *panel) drawTicksBelow(c draw.Canvas) {
	room := p.Max.X - p.Min.X
	ticks := p.x.ticks(most(room, widest(p.x.ticks(8))+24))
	sty := sans(sizeTick, ink)
	each := room
	if p.x.words != nil {
		each = room/vg.Length(len(ticks)) - 6
		for _, t := range ticks {
			sty = fit(sty, t.Label, each)
		}
	}
	for _, t := range ticks {
		x := p.X(p.x.at(t.Value))
		line(c, grey, 1, nil, x, p.Min.Y, x, p.Min.Y-tickLength)
		write(c, sty, anchor{0.5, 1}, vg.Point{X: x, Y: p.Min.Y - tickLength - 1}, clip(sty, t.Label, each))
	}
}

func (p *panel) drawTicksLeft(c draw.Canvas) {
	for _, t := range p.y.ticks(most(p.Max.Y-p.Min.Y, 40)) {
		y := p.Y(p.y.at(t.Value))
		sty := fit(sans(sizeTick, ink), t.Label, 110)
		line(c, grey, 1, nil, p.Min.X, y, p.Min.X-tickLength, y)
		write(c, sty, rightMiddle, vg.Point{X: p.Min.X - tickLength - 3, Y: y}, clip(sty, t.Label, 110))
	}
}

// A plate is a rectangle turned by an angle: the room of a text along a line.
type plate struct {
	at          vg.Point
	halfW, half vg.Length // along the angle, and across
	angle       float64
}

// plateOf is the room of a rectangle that is not turned.
func plateOf(r vg.Rectangle) plate {
	return plate{at: middle(r), halfW: (r.Max.X - r.Min.X) / 2, half: (r.Max.Y - r.Min.Y) / 2}
}

// corners go around the plate.
func (p plate) corners() []vg.Point {
	sin, cos := math.Sincos(p.angle)
	along := vg.Point{X: vg.Length(cos), Y: vg.Length(sin)}.Scale(p.halfW)
	across := vg.Point{X: vg.Length(-sin), Y: vg.Length(cos)}.Scale(p.half)
	return []vg.Point{
		p.at.Sub(along).Sub(across), p.at.Add(along).Sub(across), p.at.Add(along).Add(across), p.at.Sub(along).Add(across),
	}
}

// touches reports whether two plates overlap: no edge of one of them has the other on its far side.
func (p plate) touches(o plate) bool {
	for _, angle := range []float64{p.angle, p.angle + math.Pi/2, o.angle, o.angle + math.Pi/2} {
		a0, a1 := p.shadow(angle)
		b0, b1 := o.shadow(angle)
		if a1 <= b0 || b1 <= a0 {
			return false
		}
	}
	return true
}

// shadow is from where to where the plate reaches in a direction.
func (p plate) shadow(angle float64) (from, to vg.Length) {
	sin, cos := math.Sincos(angle)
	var on []vg.Length
	for _, q := range p.corners() {
		on = append(on, q.X*vg.Length(cos)+q.Y*vg.Length(sin))
	}
	return slices.Min(on), slices.Max(on)
}

// within reports whether all of the plate is in a rectangle.
func (p plate) within(r vg.Rectangle) bool {
	return !slices.ContainsFunc(p.corners(), func(q vg.Point) bool {
		return q.X < r.Min.X || q.X > r.Max.X || q.Y < r.Min.Y || q.Y > r.Max.Y
	})
}
