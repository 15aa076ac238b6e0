package plots

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"locklab/history"
)

// A sweep is what became of one scenario in the cells of a grid.
type sweep struct {
	history.Source           // of all cells, without what the axes set
	axes           []axis    // each with two values or more
	fixed          []setting // the axes that have one value left
	cells          []outcome // one for each combination, the last axis moving fastest
	measured       []measurement
	elsewhere      int // measured runs that have no place in the grid
	durations      map[string]int64
}

// A setting is a parameter and its value.
type setting struct{ path, text string }

// An outcome is what came of a cell.
type outcome struct {
	runs            int64 // 0 if it is missing
	conflicts, lost rate  // of the entries; NaN if there were none
}

// A measurement is what came of the real runs at one place, which need not be that of a cell.
type measurement struct {
	at []float64 // by axis
	outcome
}

// isSweep reports whether cells are those of a sweep: it says so, or cells of one scenario differ in what was set.
func isSweep(l *history.Lines) bool {
	if len(l.Sweeps) > 0 {
		return true
	}
	differ := false
	for i := range l.Cells {
		if l.Cells[i].Scenario != l.Cells[0].Scenario {
			return false
		}
		differ = differ || !maps.Equal(l.Cells[i].Params.Set, l.Cells[0].Params.Set)
	}
	return differ
}

// newSweep sorts cells and measured records into a grid. where keeps only some values of axes: "path=value" each.
func newSweep(l *history.Lines, where []string) (*sweep, error) {
	s := new(sweep)
	paths, err := s.head(l)
	if err != nil {
		return nil, err
	}
	only, err := choose(paths, where)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		if a := newAxis(p.Path, p.Values); len(a.values) > 1 {
			s.axes = append(s.axes, a)
		} else {
			s.fixed = append(s.fixed, setting{a.path, a.texts[0]})
		}
	}
	if len(s.axes) == 0 {
		return nil, errors.New("a sweep of one cell: there is nothing to draw it against; sweep an axis of two values or more")
	}
	if err := s.fill(l.Cells, paths, only); err != nil {
		return nil, err
	}
	s.measure(l.Records)
	return s, nil
}

// head finds out what the cells are made of: by the first lines of their files, or by how the cells differ.
func (s *sweep) head(l *history.Lines) ([]history.Axis, error) {
	if len(l.Sweeps) == 0 {
		s.Source = l.Cells[0].Source
		axes, base := differences(l.Cells)
		s.Params.Set = base
		return axes, nil
	}
	first := l.Sweeps[0]
	for _, o := range l.Sweeps[1:] {
		if o.Scenario != first.Scenario {
			return nil, fmt.Errorf("sweeps of %s and of %s: draw one at a time", first.Scenario, o.Scenario)
		}
		if !slices.EqualFunc(o.Axes, first.Axes, func(a, b history.Axis) bool { return a.Path == b.Path && slices.Equal(a.Values, b.Values) }) {
			return nil, fmt.Errorf("two sweeps of %s over different axes: draw one at a time", first.Scenario)
		}
	}
	for _, a := range first.Axes {
		if len(a.Values) == 0 {
			return nil, fmt.Errorf("the sweep of %s has no values of %s: its first line is broken; make it again", first.Scenario, a.Path)
		}
	}
	s.Source, s.durations = first.Source, first.DurationsNS
	return slices.Clone(first.Axes), nil
}

// differences are the axes along which cells differ, by path, and what is set alike in all.
func differences(cells []history.Cell) (axes []history.Axis, base map[string]string) {
	values := make(map[string][]string)
	for i := range cells {
		for path, v := range cells[i].Params.Set {
			if !slices.Contains(values[path], v) {
				values[path] = append(values[path], v)
			}
		}
	}
	base = make(map[string]string)
	for _, path := range slices.Sorted(maps.Keys(values)) {
		if len(values[path]) == 1 {
			base[path] = values[path][0]
		} else {
			axes = append(axes, history.Axis{Path: path, Values: values[path]})
		}
	}
	return axes, base
}

// chosen are the keys of the values that were asked for, by path; nil for all.
type chosen map[string]map[string]bool

// choose keeps only the values that were asked for in the axes.
func choose(axes []history.Axis, where []string) (chosen, error) {
	only := make(chosen)
	for _, w := range where {
		path, value, _ := strings.Cut(w, "=")
		i := slices.IndexFunc(axes, func(a history.Axis) bool { return a.Path == path || strings.EqualFold(nameOf(a.Path), path) })
		if i < 0 {
			return nil, fmt.Errorf("--where %s: no axis of that name; there are %s", w, pathsOf(axes))
		}
		a := newAxis(axes[i].Path, axes[i].Values)
		if _, ok := a.index[key(value)]; !ok {
			return nil, fmt.Errorf("--where %s: no such value of %s; there are %s", w, a.path, a.choices())
		}
		if only[a.path] == nil {
			only[a.path] = make(map[string]bool)
		}
		only[a.path][key(value)] = true
	}
	for i := range axes {
		if keep := only[axes[i].Path]; keep != nil {
			axes[i].Values = slices.DeleteFunc(slices.Clone(axes[i].Values), func(v string) bool { return !keep[key(v)] })
		}
	}
	return only, nil
}

func pathsOf(axes []history.Axis) string {
	var paths []string
	for _, a := range axes {
		paths = append(paths, a.Path)
	}
	return strings.Join(paths, ", ")
}
