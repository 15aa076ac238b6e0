package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"locklab/history"
)

// maxCells is the most cells of a grid.
const maxCells = 1_000_000_000

// A Grid is a scenario in all combinations of the values of some axes, in order, the last axis moving fastest. Its methods
// may be called from any goroutine.
type Grid struct {
	scenario *Scenario
	axes     []history.Axis
	paths    [][]pathStep // of the axes
	scale    float64
	cells    int
}

// NewGrid is the grid of a scenario, of which every duration is multiplied by scale after the axes have set their values.
// Every value of every axis is tried, with the first of the other axes; an error says which one makes the scenario impossible.
func NewGrid(s *Scenario, axes []history.Axis, scale float64) (*Grid, error) {
	g := &Grid{scenario: s, scale: scale}
	for _, axis := range axes {
		if axis.Path == "work" && s.WorkCPU {
			axis.Path = "work.cpu" // work alone would be no time on the processor any more
		}
		if slices.ContainsFunc(g.axes, func(a history.Axis) bool { return a.Path == axis.Path }) {
			return nil, fmt.Errorf("two axes are along %s; want each parameter once", axis.Path)
		}
		steps, err := splitPath(axis.Path)
		if err != nil {
			return nil, err
		}
		g.axes, g.paths = append(g.axes, axis), append(g.paths, steps)
	}
	var err error
	if g.cells, err = CountCells(g.axes); err != nil {
		return nil, err
	}
	return g, g.check()
}

// Lacks says what a scenario does not have and a parameter, given by its path, is a part of: "lock", a pause or a crash, e.g.
// "pauses[0]". It is "" if the parameter can be set: a time that is left out is 0, but a lock that is left out is none.
func (s *Scenario) Lacks(path string) string {
	steps, err := splitPath(path)
	if err != nil || !slices.Contains([]string{"lock", "pauses", "crashes"}, steps[0].key) {
		return ""
	}
	whole := 1
	if steps[0].key != "lock" {
		whole = min(2, len(steps)) // one of the list
	}
	if s.behaviour(mapping()).find(steps[:whole]) != nil {
		return ""
	}
	return steps[whole-1].path
}

// CountCells is the number of combinations of the axes' values: the cells of a grid. It is an error if there is none, or if they
// are very many.
func CountCells(axes []history.Axis) (int, error) {
	cells := 1
	for _, axis := range axes {
		n := len(axis.Values)
		if n == 0 {
			return 0, fmt.Errorf("axis %s has no values; want at least one", axis.Path)
		}
		if n > maxCells/cells {
			return 0, fmt.Errorf("the axes have more than %d combinations; want fewer values", maxCells)
		}
		cells *= n
	}
	return cells, nil
}

// check tries every value of every axis.
func (g *Grid) check() error {
	if err := g.checkAxesTogether(); err != nil {
		return err
	}
	if err := g.checkFirst(); err != nil {
		return err
	}
	stride := g.cells
	for _, axis := range g.axes {
		stride /= len(axis.Values)
		for i := 1; i < len(axis.Values); i++ {
			if _, _, err := g.Scenario(i * stride); err != nil {
				return fmt.Errorf("axis %s, value %s: %w", axis.Path, axis.Values[i], err)
			}
		}
	}
	return nil
}

// checkFirst tries the first values of all axes. An axis without which they are possible is the one to blame.
func (g *Grid) checkFirst() error {
	_, _, err := g.Scenario(0)
	if err == nil {
		return nil
	}
	first := g.Values(0)
	for a, axis := range g.axes {
		if _, _, other := g.with(first, a); other == nil {
			return fmt.Errorf("axis %s, value %s: %w", axis.Path, first[a], err)
		}
	}
	return fmt.Errorf("the first values of the axes (%s): %w", strings.Join(first, ", "), err)
}

// checkAxesTogether checks that no axis takes away what another has set.
func (g *Grid) checkAxesTogether() error {
	root := g.scenario.settable()
	for a, axis := range g.axes {
		if err := root.setPath(g.paths[a], plain(axis.Values[0])); err != nil {
			return fmt.Errorf("axis %s: %w", axis.Path, err)
		}
	}
	for a, axis := range g.axes {
		if n := root.find(g.paths[a]); n == nil || n.kind != plainNode {
			others := slices.DeleteFunc(slices.Clone(g.axes), func(o history.Axis) bool { return o.Path == axis.Path })
			return fmt.Errorf("axis %s: another axis (%s) takes it away; a scenario has only one of the two", axis.Path, pathsOf(others))
		}
	}
	return nil
}

func pathsOf(axes []history.Axis) string {
	var paths []string
	for _, axis := range axes {
		paths = append(paths, axis.Path)
	}
	return strings.Join(paths, ", ")
}

// Axes are the axes, with the paths of what they set.
func (g *Grid) Axes() []history.Axis { return g.axes }

// Cells is the number of combinations.
func (g *Grid) Cells() int { return g.cells }

// Values are the values of the axes in a cell, given by its number from 0.
func (g *Grid) Values(cell int) []string { return CellValues(g.axes, cell) }

// CellValues are the values of the axes in a cell of their grid, given by its number from 0.
func CellValues(axes []history.Axis, cell int) []string {
	values := make([]string, len(axes))
	for a, axis := range slices.Backward(axes) {
		n := len(axis.Values)
		values[a] = axis.Values[cell%n]
		cell /= n
	}
	return values
}

// Scenario is the scenario of a cell, and its hash before it was scaled.
func (g *Grid) Scenario(cell int) (s *Scenario, hash string, err error) {
	return g.with(g.Values(cell), -1)
}

// with is the scenario with the given values of the axes, but for one axis, if without is its index.
func (g *Grid) with(values []string, without int) (s *Scenario, hash string, err error) {
	root := g.scenario.settable()
	for a, value := range values {
		if a == without {
			continue
		}
		if err := root.setPath(g.paths[a], plain(value)); err != nil {
			return nil, "", err
		}
	}
	var d decoder
	changed, p := d.decode(root)
	if p != nil {
		return nil, "", errors.New(p.what)
	}
	scaled, err := Scaled(changed, g.scale)
	if err != nil {
		return nil, "", err
	}
	return scaled, changed.Hash(), nil
}

// Durations are the durations of the scenario that are constant and not left out, each multiplied by scale, in nanoseconds, by
// path.
func (s *Scenario) Durations(scale float64) map[string]int64 {
	found := make(map[string]int64)
	s.times(scale).behaviour(mapping()).durations("", found)
	return found
}

// durations adds the constant durations below a path. What stands in a law is a part of one that is not constant.
func (n *node) durations(path string, found map[string]int64) {
	if ns, ok := DurationNS(n.text); ok && n.kind == plainNode {
		found[path] = ns
	}
	for i, item := range n.items {
		switch {
		case n.kind == listNode:
			item.durations(fmt.Sprintf("%s[%d]", path, i), found)
		case !slices.Contains(lawKeys, n.keys[i]):
			item.durations(join(path, n.keys[i]), found)
		}
	}
}
