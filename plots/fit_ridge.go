package plots

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ridge draws the likelihood over pairs of axes: the darker, the likelier; what the counts do not tell from the best is outlined.
func (f *Fit) ridge(axes []fitAxis) Figure {
	fr := frame{title: f.Title, subtitle: f.Note, legend: f.ridgeLegend(), body: func(c draw.Canvas) { f.drawPlanes(c, axes) }}
	return fr.figure("ridge")
}

func (f *Fit) drawPlanes(c draw.Canvas, axes []fitAxis) {
	const barRoom = 74
	var x, y []sharedAxis
	for _, p := range f.Planes {
		x = append(x, sharedAxis{&axes[p.X].shown, axes[p.X].label()})
		y = append(y, sharedAxis{&axes[p.Y].shown, axes[p.Y].label()})
	}
	panels := ownPanels(draw.Crop(c, 0, -barRoom, 0, 0), x, y)
	for k := range panels {
		plane := f.Planes[k]
		d := drawnPlane{f, &axes[plane.X], &axes[plane.Y], &panels[k], plane.Delta}
		d.draw(c)
	}
	f.drawBar(c, box(c.Max.X-barRoom+16, panels[len(panels)-1].Min.Y, c.Max.X-barRoom+36, panels[0].Max.Y))
}

// level is the colour of a Δ: the darkest for the best, white for what is farther below than is told.
func (f *Fit) level(delta float64) int { return heatLevel(1 - delta/f.mostShown()) }

// A drawnPlane is a plane in its panel.
type drawnPlane struct {
	*Fit
	x, y  *fitAxis
	at    *panel
	delta []float64
}

func (d *drawnPlane) draw(c draw.Canvas) {
	table := d.table()
	columns, rows := len(d.x.values), len(d.y.values)
	fill(c, d.at.Rectangle, white)
	for x := range columns {
		for y := range rows {
			if l := d.level(table[x][y]); l > 0 {
				fill(c, grow(d.cell(x, y), seam), heatColor(l))
			}
		}
	}
	for x := range columns {
		for y := range rows {
			d.writeDelta(c, d.cell(x, y), table[x][y])
		}
	}
	outline(c, d.at.Rectangle, grey, 1, nil)
	for _, pass := range []draw.LineStyle{{Color: white, Width: 6}, {Color: blue, Width: 3}} {
		d.outlineRegion(c, table, pass)
	}
	best := d.cell(d.x.best, d.y.best)
	diamond(c, vermillion, middle(best), max(4, min(8, (best.Max.Y-best.Min.Y)/4, (best.Max.X-best.Min.X)/4)))
}

// table is Δ by the places of the values on both axes.
func (d *drawnPlane) table() [][]float64 {
	table := make([][]float64, len(d.x.values))
	for x := range table {
		table[x] = make([]float64, len(d.y.values))
	}
	for i, px := range d.x.places {
		for j, py := range d.y.places {
			table[px][py] = d.delta[i*len(d.y.places)+j]
		}
	}
	return table
}

func (d *drawnPlane) cell(x, y int) vg.Rectangle {
	return box(d.at.X(d.x.shown.edges[x]), d.at.Y(d.y.shown.edges[y]), d.at.X(d.x.shown.edges[x+1]), d.at.Y(d.y.shown.edges[y+1]))
}

// writeDelta writes Δ into a cell that has room for it beside the mark of the best.
func (d *drawnPlane) writeDelta(c draw.Canvas, r vg.Rectangle, delta float64) {
	text := fmt.Sprintf("%.1f", delta)
	if delta >= 9.95 {
		text = fmt.Sprintf("%.0f", delta)
	}
	sty := sans(min(sizeNote, (r.Max.Y-r.Min.Y)*0.7), onTop(heatColor(d.level(delta))))
	if delta > 0 && sty.Font.Size >= sizeLeast-1 && sty.Width(text)+4 <= r.Max.X-r.Min.X {
		write(c, sty, center, middle(r), text)
	}
}

// outlineRegion draws the edges between cells of the region and others.
func (d *drawnPlane) outlineRegion(c draw.Canvas, table [][]float64, sty draw.LineStyle) {
	inside := func(x, y int) bool {
		return x >= 0 && y >= 0 && x < len(table) && y < len(table[x]) && table[x][y] <= d.Region
	}
	half := sty.Width / 2
	for x := range table {
		for y := range table[x] {
			if !inside(x, y) {
				continue
			}
			r := d.cell(x, y)
			for _, edge := range []struct {
				dx, dy         int
				x0, y0, x1, y1 vg.Length
			}{
				{-1, 0, r.Min.X, r.Min.Y - half, r.Min.X, r.Max.Y + half}, {1, 0, r.Max.X, r.Min.Y - half, r.Max.X, r.Max.Y + half},
				{0, -1, r.Min.X - half, r.Min.Y, r.Max.X + half, r.Min.Y}, {0, 1, r.Min.X - half, r.Max.Y, r.Max.X + half, r.Max.Y},
			} {
				if !inside(x+edge.dx, y+edge.dy) {
					c.StrokeLine2(sty, edge.x0, edge.y0, edge.x1, edge.y1)
				}
			}
		}
	}
}

// drawBar draws the colours with their Δ, that of the best on top.
func (f *Fit) drawBar(c draw.Canvas, r vg.Rectangle) {
	step := (r.Max.Y - r.Min.Y) / heatLevels
	for i := range heatLevels {
		y := r.Min.Y + vg.Length(i)*step
		fill(c, box(r.Min.X, y, r.Max.X, min(y+step+seam, r.Max.Y)), heatColor(i+1))
	}
	outline(c, r, grey, 1, nil)
	sty := sans(sizeTick, ink)
	scale := drop(f.mostShown())
	for _, v := range scale.values {
		y := r.Max.Y - vg.Length(v/f.mostShown())*(r.Max.Y-r.Min.Y)
		line(c, grey, 1, nil, r.Max.X, y, r.Max.X+tickLength, y)
		write(c, sty, leftMiddle, vg.Point{X: r.Max.X + 8, Y: y}, formatTick(v))
	}
}

func (f *Fit) ridgeLegend() []legendEntry {
	return []legendEntry{
		{"best", func(c draw.Canvas, r vg.Rectangle) { diamond(c, vermillion, middle(r), 8) }},
		{fmt.Sprintf("ridge: not told from the best (Δ up to %.2f)", f.Region), func(c draw.Canvas, r vg.Rectangle) {
			fill(c, r, heatColor(heatLevels/2))
			outline(c, r, blue, 3, nil)
		}},
		{"Δ log likelihood, with the other axes at their best; white: more", func(c draw.Canvas, r vg.Rectangle) {
			for i := range 3 {
				w := (r.Max.X - r.Min.X) / 3
				fill(c, box(r.Min.X+vg.Length(i)*w, r.Min.Y, r.Min.X+vg.Length(i+1)*w, r.Max.Y), heatColor([]int{heatLevels, heatLevels / 2, 1}[i]))
			}
			outline(c, r, grey, 1, nil)
		}},
	}
}
