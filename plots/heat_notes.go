package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawNotes says in words what white and hatched regions of a panel mean, where they are large enough.
func (h *heatmap) drawNotes(c draw.Canvas, at *panel, p *heatPanel, taken []plate) {
	for _, note := range []struct {
		look int
		text string
	}{{0, p.calm}, {lookHidden, "hardly a conflict,\nyet the lock failed"}} {
		sty := bold(nameSize(at.Rectangle)-1, ink)
		w, ht := sty.Width(note.text)+10, textHeight(sty, note.text)+4
		if spot, ok := h.roomIn(at, p, note.look, w, ht, taken); ok {
			if note.look == 0 {
				sty.Color = grey
			}
			writeOn(c, sty, spot.at, note.text)
		}
	}
}

// roomIn finds room for a text of the given width and height in cells of one look, as near as can be to the middle of
// them all.
func (h *heatmap) roomIn(at *panel, p *heatPanel, look int, w, height vg.Length, taken []plate) (best plate, ok bool) {
	var centers []vg.Point
	var sum vg.Point
	for x := range h.x.values {
		for y := range h.y.values {
			if h.look(p, x, y) == look {
				q := vg.Point{X: at.X((h.x.edges[x] + h.x.edges[x+1]) / 2), Y: at.Y((h.y.edges[y] + h.y.edges[y+1]) / 2)}
				centers, sum = append(centers, q), sum.Add(q)
			}
		}
	}
	nearest := vg.Length(math.Inf(1))
	for _, q := range centers {
		spot := plate{at: q, halfW: w / 2, half: height / 2}
		d := distance(q, sum.Scale(1/vg.Length(len(centers))))
		if d < nearest && h.isAll(at, p, look, spot) && !slices.ContainsFunc(taken, spot.touches) {
			best, nearest, ok = spot, d, true
		}
	}
	return best, ok
}

// isAll reports whether a plate lies in cells of one look only.
func (h *heatmap) isAll(at *panel, p *heatPanel, look int, spot plate) bool {
	if !spot.within(at.Rectangle) {
		return false
	}
	for x := range h.x.values {
		if at.X(h.x.edges[x+1]) <= spot.at.X-spot.halfW || at.X(h.x.edges[x]) >= spot.at.X+spot.halfW {
			continue
		}
		for y := range h.y.values {
			if at.Y(h.y.edges[y+1]) > spot.at.Y-spot.half && at.Y(h.y.edges[y]) < spot.at.Y+spot.half && h.look(p, x, y) != look {
				return false
			}
		}
	}
	return true
}
