package plots

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"

	"locklab/history"
)

// What goes wrong in a timeline: leases that end, zombies, two inside, conflicts, rejected writes.

// drawExpiryLines draws the ends of leases, and names those that have room for it; of many only the first.
func (t *timeline) drawExpiryLines(s *sheet) {
	var ends []vg.Length
	for _, h := range t.holds {
		if h.expired && t.visible(span{h.to, h.to}) {
			ends = append(ends, s.x(h.to))
		}
	}
	const txt, few = "lease expires", 6
	sty := bold(sizeNote, ink)
	w, free := sty.Width(txt), s.Min.X
	for i, x := range ends {
		line(s.Canvas, ink, 1.5, []vg.Length{4, 3}, x, s.Min.Y, x, s.truth.Max.Y)
		line(s.Canvas, ink, 1.5, nil, x, s.truth.Min.Y, x, s.flags.Min.Y+5)
		at := min(max(x-w/2, s.Min.X+2), s.Max.X-w-2)
		if at >= free && (i == 0 || len(ends) <= few) {
			write(s.Canvas, sty, leftTop, vg.Point{X: at, Y: s.flags.Max.Y - 1}, txt)
			free = at + w + 8
		}
	}
}

// drawCrowd draws the times with two or more inside, in their own lane and as bands across the workers' lanes.
func (t *timeline) drawCrowd(s *sheet) {
	var taken []vg.Rectangle
	for _, w := range t.twofold {
		if r, ok := s.over(s.crowd, w); ok {
			r = box(r.Min.X-0.5, r.Min.Y, r.Max.X+0.5, r.Max.Y-4)
			fill(s.Canvas, box(r.Min.X, s.Min.Y, r.Max.X, r.Min.Y), color.NRGBA{vermillion.R, vermillion.G, vermillion.B, 90})
			fill(s.Canvas, r, vermillion)
			taken = append(taken, r)
		}
	}
	for _, w := range t.twofold {
		if r, ok := s.over(s.crowd, w); ok {
			taken = append(taken, s.nameCrowd(r, duration(w.length()), taken))
		}
	}
}

// nameCrowd writes a duration into its block or beside it, where there is room, and gives the room it took.
func (s *sheet) nameCrowd(r vg.Rectangle, txt string, taken []vg.Rectangle) vg.Rectangle {
	sty := bold(min(sizeNote, (r.Max.Y-r.Min.Y)*0.7), vermillion)
	w, mid := sty.Width(txt), middle(s.crowd).Y-2
	if w+6 <= r.Max.X-r.Min.X {
		sty.Color = onTop(vermillion)
		write(s.Canvas, sty, center, vg.Point{X: middle(r).X, Y: mid}, txt)
		return vg.Rectangle{}
	}
	for _, x := range []vg.Length{r.Max.X + 6, r.Min.X - 6 - w} {
		spot := box(x, mid-1, x+w, mid+1)
		free := !slices.ContainsFunc(taken, func(o vg.Rectangle) bool { return overlaps(grow(o, 4), spot) })
		if free && x >= s.Min.X+2 && x+w <= s.Max.X-2 {
			writeOn(s.Canvas, sty, vg.Point{X: x + w/2, Y: mid}, txt)
			return spot
		}
	}
	return vg.Rectangle{}
}

// drawZombie outlines a zombie's part of its lane and says what it is.
func (s *sheet) drawZombie(z zombie) {
	r, ok := s.over(s.workers[z.hold.worker], z.span)
	if !ok {
		return
	}
	lane := grow(r, -2)
	lane.Min.X, lane.Max.X = r.Min.X, r.Max.X
	outline(s.Canvas, lane, vermillion, 3.5, nil)
	under := box(lane.Min.X, lane.Min.Y, lane.Max.X, bar(s.workers[z.hold.worker]).Min.Y)
	sty := bold(sizeNote, vermillion)
	for _, txt := range []string{
		"ZOMBIE: believes it holds, lease is gone",
		"ZOMBIE: believes it\nholds, lease is gone",
		"ZOMBIE:\nbelieves it holds",
		"ZOMBIE",
	} {
		if sty.Width(txt)+18 <= under.Max.X-under.Min.X && textHeight(sty, txt)+2 <= under.Max.Y-under.Min.Y {
			writeOn(s.Canvas, sty, middle(under), txt)
			return
		}
	}
}

// drawMarks draws a worker's entries that were conflicts, above its bar, and its rejected writes, on it.
func (t *timeline) drawMarks(s *sheet, worker int) {
	lane := s.workers[worker]
	b := bar(lane)
	r := min(7, (lane.Max.Y-lane.Min.Y)*0.1)
	looks := []struct {
		kind  history.Kind
		y     vg.Length
		glyph glyph
		text  string
	}{
		{history.Entered, b.Max.Y + r, pointer, "enters: conflict"},
		{history.Rejected, middle(b).Y, cross, "write rejected"},
	}
	for _, look := range looks {
		var at []vg.Length
		for _, m := range t.lanes[worker].marks {
			if m.kind == look.kind && t.visible(span{m.at, m.at}) {
				at = append(at, s.x(m.at))
			}
		}
		for i, x := range at {
			look.glyph(s.Canvas, vermillion, vg.Point{X: x, Y: look.y}, r)
			if lane.Max.Y-lane.Min.Y >= 75 { // else there is no room above the bar
				s.nameMark(at, i, look.y, r+5, look.text)
			}
		}
	}
}

// nameMark writes to the right of the i-th of some marks, or to its left, unless it would run into the next mark or
// out of the window. Every mark leaves the room left of it to the one before if that can use it.
func (s *sheet) nameMark(marks []vg.Length, i int, y, off vg.Length, txt string) {
	sty := bold(sizeNote, vermillion)
	w := sty.Width(txt)
	before, after := s.Min.X, s.Max.X
	if i > 0 {
		before = marks[i-1] + off + w
	}
	if i+1 < len(marks) {
		after = marks[i+1] - off
	}
	switch x := marks[i]; {
	case x+off+w <= after:
		writeOn(s.Canvas, sty, vg.Point{X: x + off + w/2, Y: y}, txt)
	case x-off-w >= before:
		writeOn(s.Canvas, sty, vg.Point{X: x - off - w/2, Y: y}, txt)
	}
}
