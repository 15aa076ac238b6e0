package plots

import (
	"fmt"
	"slices"
)

const (
	mostPanels = 12
	fewValues  = 3 // so many values of an axis make curves in panels of their own rather than a heat map
)

// Roles say which axis of a sweep runs to the right, which upwards, and which has a panel for each of its values. They are
// numbers of axes; -1 for none.
type roles struct{ x, y, by int }

// roles are those that suit the axes: curves over one, a heat map over two, panels for a third.
func (s *sweep) roles() (roles, error) {
	short, words := 0, -1
	for i := range s.axes {
		if len(s.axes[i].values) <= len(s.axes[short].values) {
			short = i
		}
		if s.axes[i].kind == word && len(s.axes[i].values) <= mostPanels {
			words = i
		}
	}
	r := roles{0, 1, -1}
	switch n := len(s.axes); {
	case n == 1:
		r = roles{0, -1, -1}
	case n == 2 && words >= 0 && s.axes[1-words].kind != word:
		r = roles{1 - words, -1, words}
	case n == 2 && len(s.axes[short].values) <= fewValues && s.axes[1-short].kind != word:
		r = roles{1 - short, -1, short}
	case n == 3:
		r = [...]roles{{1, 2, 0}, {0, 2, 1}, {0, 1, 2}}[short]
	case n > 3:
		last := &s.axes[n-1]
		return r, fmt.Errorf("a sweep over %d axes, and a figure shows three: choose values of the others, e.g. --where %s=%s", n, last.path, last.texts[0])
	}
	if r.by >= 0 && len(s.axes[r.by].values) > mostPanels {
		a := &s.axes[r.by]
		return r, fmt.Errorf("a panel for each of %d values of %s would be too small to read, %d at most: choose values, e.g. --where %s=%s",
			len(a.values), a.path, mostPanels, a.path, a.texts[0])
	}
	return r, nil
}

// cell is that with the given numbers of values; those of axes that have no role here do not matter.
func (s *sweep) cell(r roles, x, y, by int) *outcome {
	n := 0
	for i := range s.axes {
		n *= len(s.axes[i].values)
		switch i {
		case r.x:
			n += x
		case r.y:
			n += y
		case r.by:
			n += by
		}
	}
	return &s.cells[n]
}

// keepMeasured drops what was measured between panels, and counts it.
func (s *sweep) keepMeasured(r roles) {
	s.measured = slices.DeleteFunc(s.measured, func(m measurement) bool {
		between := r.by >= 0 && !slices.Contains(s.axes[r.by].values, m.at[r.by])
		if between {
			s.elsewhere += int(m.runs)
		}
		return between
	})
}

// measuredIn is what was measured in a panel.
func (s *sweep) measuredIn(r roles, by int) []measurement {
	if r.by < 0 {
		return s.measured
	}
	return slices.DeleteFunc(slices.Clone(s.measured), func(m measurement) bool { return m.at[r.by] != s.axes[r.by].values[by] })
}

// set is what distinguishes a panel from the others.
func (s *sweep) set(r roles, by int) []setting {
	if r.by < 0 {
		return nil
	}
	return []setting{{s.axes[r.by].path, s.axes[r.by].texts[by]}}
}
