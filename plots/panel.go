package plots

import (
	"math"

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
			p.drawTicksLeft(c, 40)
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
		each = room/vg.Length(len(ticks)) - 3
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

// drawTicksLeft draws ticks that have each at least so much room.
func (p *panel) drawTicksLeft(c draw.Canvas, each vg.Length) {
	for _, t := range p.y.ticks(most(p.Max.Y-p.Min.Y, each)) {
		y := p.Y(p.y.at(t.Value))
		sty := fit(sans(sizeTick, ink), t.Label, 110)
		line(c, grey, 1, nil, p.Min.X, y, p.Min.X-tickLength, y)
		write(c, sty, rightMiddle, vg.Point{X: p.Min.X - tickLength - 3, Y: y}, clip(sty, t.Label, 110))
	}
}
