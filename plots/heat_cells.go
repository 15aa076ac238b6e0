package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A block is a rectangle of cells that look alike: from x0 and y0 up to, not with, x1 and y1.
type block struct{ x0, y0, x1, y1 int }

// blocks cuts a grid into rectangles of cells of the same look: rows first, then equal parts of rows above each other. A
// figure of them is small, and has no seams within.
func blocks(columns, rows int, look func(x, y int) int) map[int][]block {
	all := make(map[int][]block)
	open := make(map[block]int) // the part of the row below, to its place in all
	for y := range rows {
		next := make(map[block]int)
		for x := 0; x < columns; {
			l, from := look(x, y), x
			for x < columns && look(x, y) == l {
				x++
			}
			part := block{x0: from, x1: x, y0: l} // y0 is the look here: parts go on if that is the same
			i, ok := open[part]
			if ok {
				all[l][i].y1 = y + 1
			} else {
				i = len(all[l])
				all[l] = append(all[l], block{from, y, x, y + 1})
			}
			next[part] = i
		}
		open = next
	}
	return all
}

// seam is how far cells reach below their neighbours, so that no ground shines through between them.
const seam vg.Length = 0.3

// Looks of cells that have no colour of the scale.
const (
	lookHidden  = heatLevels + 1
	lookMissing = heatLevels + 2
)

// look is a cell's level in the scale, or one of the other looks.
func (h *heatmap) look(p *heatPanel, x, y int) int {
	o := h.cell(h.roles, x, y, p.by)
	v := p.of(o).mean
	switch {
	case math.IsNaN(v) || o.runs == 0:
		return lookMissing
	case p.flag && o.isHidden():
		return lookHidden
	}
	return heatLevel(v / h.top)
}

// drawCells draws a panel's cells, dark ones above light ones.
func (h *heatmap) drawCells(c draw.Canvas, at *panel, p *heatPanel) {
	fill(c, at.Rectangle, heatColor(0))
	all := blocks(len(h.x.values), len(h.y.values), func(x, y int) int { return h.look(p, x, y) })
	for l := 1; l <= heatLevels; l++ {
		fillAll(c, heatColor(l), h.boxes(at, all[l]))
	}
	fillAll(c, greyLight, h.boxes(at, all[lookMissing]))
	drawHidden(c, h.boxes(at, all[lookHidden]))
}

// boxes are where blocks are drawn.
func (h *heatmap) boxes(at *panel, all []block) []vg.Rectangle {
	var boxes []vg.Rectangle
	for _, b := range all {
		r := box(at.X(h.x.edges[b.x0]), at.Y(h.y.edges[b.y0]), at.X(h.x.edges[b.x1]), at.Y(h.y.edges[b.y1]))
		r = grow(r, seam)
		boxes = append(boxes, box(max(r.Min.X, at.Min.X), max(r.Min.Y, at.Min.Y), min(r.Max.X, at.Max.X), min(r.Max.Y, at.Max.Y)))
	}
	return boxes
}

// fillAll fills rectangles as one shape.
func fillAll(c draw.Canvas, clr color.NRGBA, boxes []vg.Rectangle) {
	if len(boxes) == 0 {
		return
	}
	var path vg.Path
	for _, r := range boxes {
		path = append(path, r.Path()...)
	}
	c.SetColor(clr)
	c.Fill(path)
}

// drawHidden fills cells in which the lock failed and it hardly shows, in a colour and with a hatch that the scale does not
// have. The hatch goes on from one to the next.
func drawHidden(c draw.Canvas, boxes []vg.Rectangle) {
	if len(boxes) == 0 {
		return
	}
	const step = 6
	fillAll(c, tint(sky, 0.5), boxes)
	var path vg.Path
	for _, r := range boxes {
		// The lines fall to the right: x + y is a multiple of step.
		first := vg.Length(int((r.Min.X+r.Min.Y)/step)) * step
		for sum := first; sum < r.Max.X+r.Max.Y; sum += step {
			x0, x1 := max(r.Min.X, sum-r.Max.Y), min(r.Max.X, sum-r.Min.Y)
			if x0 < x1 {
				path.Move(vg.Point{X: x0, Y: sum - x0})
				path.Line(vg.Point{X: x1, Y: sum - x1})
			}
		}
	}
	c.SetLineStyle(draw.LineStyle{Color: blue, Width: 1.8})
	c.Stroke(path)
}
