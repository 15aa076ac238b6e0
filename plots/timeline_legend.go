package plots

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"locklab/history"
)

// legend explains what there is to see in the window, in the order of a round.
func (t *timeline) legend() []legendEntry {
	var entries []legendEntry
	add := func(when bool, text string, sample func(draw.Canvas, vg.Rectangle)) {
		if when {
			entries = append(entries, legendEntry{text, sample})
		}
	}
	add(t.anySegment(func(g segment) bool { return g.state == waiting }), "waits for the lock", sampleState(waiting))
	add(t.anySegment(func(g segment) bool { return g.state == holding }), "believes it holds", sampleState(holding))
	add(t.anySegment(func(g segment) bool { return g.state == inside }), "inside the critical section", sampleState(inside))
	add(t.anySegment(func(g segment) bool { return g.paused }), "process stopped, or thread asleep", func(c draw.Canvas, r vg.Rectangle) { drawPaused(c, grow(r, 2)) })
	add(t.anyZombie(), "zombie: believes it holds, lease is gone", func(c draw.Canvas, r vg.Rectangle) {
		fill(c, r, tint(vermillion, 0.18))
		outline(c, r, vermillion, 3, nil)
	})
	add(t.anyMark(history.Entered), "conflict: enters while another is inside", func(c draw.Canvas, r vg.Rectangle) { pointer(c, vermillion, middle(r), 7) })
	add(t.anyMark(history.Rejected), "write rejected", func(c draw.Canvas, r vg.Rectangle) { cross(c, vermillion, middle(r), 6) })
	return entries
}

func sampleState(st state) func(draw.Canvas, vg.Rectangle) {
	return func(c draw.Canvas, r vg.Rectangle) { drawState(c, r, st, grey) }
}

func (t *timeline) visible(s span) bool {
	_, ok := s.within(t.window)
	return ok
}

func (t *timeline) anySegment(is func(segment) bool) bool {
	for _, l := range t.lanes {
		for _, g := range l.segments {
			if is(g) && t.visible(g.span) {
				return true
			}
		}
	}
	return false
}

func (t *timeline) anyZombie() bool {
	for _, z := range t.zombies {
		if t.visible(z.span) {
			return true
		}
	}
	return false
}

func (t *timeline) anyMark(kind history.Kind) bool {
	for _, l := range t.lanes {
		for _, m := range l.marks {
			if m.kind == kind && t.visible(span{m.at, m.at}) {
				return true
			}
		}
	}
	return false
}
