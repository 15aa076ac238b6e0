package plots

import (
	"fmt"
	"math"
	"slices"

	"locklab/history"
)

// How cells and records find their place in the grid of a sweep.

// fill puts every cell into its place. Cells of one place are pooled: they are parts of it.
func (s *sweep) fill(cells []history.Cell, axes []history.Axis, only chosen) error {
	n := 1
	for i := range s.axes {
		n *= len(s.axes[i].values)
	}
	pooled := make([]pool, n)
	for i := range cells {
		c := &cells[i]
		if err := s.belongs(c, axes); err != nil {
			return err
		}
		if !only.has(c.Params.Set) {
			continue
		}
		at, err := s.placeOf(c.Params.Set)
		if err != nil {
			return err
		}
		pooled[at].add(c)
	}
	s.cells = make([]outcome, n)
	for i := range pooled {
		p, o := &pooled[i], &s.cells[i]
		o.runs = p.runs
		o.conflicts, _ = rateOf(&p.conflicts, &p.entries)
		o.lost, _ = rateOf(&p.lost, &p.entries)
	}
	return nil
}

// A pool is what a figure shows of all cells of one place.
type pool struct {
	runs                     int64
	entries, conflicts, lost history.Histogram
}

func (p *pool) add(c *history.Cell) {
	p.runs += c.Runs
	p.entries.Merge(&c.Entries)
	p.conflicts.Merge(&c.Conflicts)
	p.lost.Merge(&c.LostHolds)
}

// belongs checks that a cell is one of this sweep.
func (s *sweep) belongs(c *history.Cell, axes []history.Axis) error {
	for _, differ := range []struct {
		what         string
		theirs, ours any
	}{
		{"scenario", c.Scenario, s.Scenario}, {"profile", c.Profile + " " + clipHash(c.ProfileHash), s.Profile + " " + clipHash(s.ProfileHash)},
		{"seed", c.Seed, s.Seed}, {"scale", c.Params.Scale, s.Params.Scale},
	} {
		if differ.theirs != differ.ours {
			return fmt.Errorf("cells of %s %v and of %s %v: draw the files of one sweep at a time", differ.what, differ.ours, differ.what, differ.theirs)
		}
	}
	for _, a := range axes {
		if _, ok := c.Params.Set[a.Path]; !ok {
			return fmt.Errorf("a cell of %s does not set %s, which others set: draw its file without theirs", c.Scenario, a.Path)
		}
	}
	for path, text := range c.Params.Set {
		isAxis := slices.ContainsFunc(axes, func(a history.Axis) bool { return a.Path == path })
		if base, ok := s.Params.Set[path]; !isAxis && (!ok || base != text) {
			return fmt.Errorf("a cell of %s sets %s=%s, which is no axis of the sweep: draw the files of one sweep at a time", c.Scenario, path, text)
		}
	}
	return nil
}

// has reports whether a cell's values were asked for.
func (only chosen) has(set map[string]string) bool {
	for path, keep := range only {
		if !keep[key(set[path])] {
			return false
		}
	}
	return true
}

// placeOf is the number of the cell with these values.
func (s *sweep) placeOf(set map[string]string) (int, error) {
	at := 0
	for i := range s.axes {
		a := &s.axes[i]
		k, ok := a.index[key(set[a.path])]
		if !ok {
			return 0, fmt.Errorf("a cell with %s=%s, which is no value of that axis (%s): it is of another sweep", a.path, set[a.path], a.choices())
		}
		at = at*len(a.values) + k
	}
	return at, nil
}

// measure groups real records by their place.
func (s *sweep) measure(records []history.Record) {
	groups := make(map[string][]*history.Record)
	var order []string
	places := make(map[string][]float64)
	for i := range records {
		r := &records[i]
		if r.World != history.Real {
			continue // the cells have them
		}
		at, ok := s.whereMeasured(&r.Source)
		if !ok {
			s.elsewhere++
			continue
		}
		group := fmt.Sprint(at)
		if groups[group] == nil {
			order = append(order, group)
			places[group] = at
		}
		groups[group] = append(groups[group], r)
	}
	for _, group := range order {
		of := groups[group]
		s.measured = append(s.measured, measurement{places[group], outcome{
			runs:      int64(len(of)),
			conflicts: repeated(of, func(r *history.Record) int64 { return r.Conflicts }),
			lost:      repeated(of, func(r *history.Record) int64 { return r.LostHolds }),
		}})
	}
}

// whereMeasured finds the place of a real run: by what it set, and what the scenario says of the rest. It reports false
// if it is outside of the grid or another parameter differs.
func (s *sweep) whereMeasured(src *history.Source) (at []float64, ok bool) {
	if src.Scenario != s.Scenario || src.Params.Scale != s.Params.Scale {
		return nil, false
	}
	used := 0
	value := func(path string) (string, bool) {
		if text, ok := src.Params.Set[path]; ok {
			used++
			return text, true
		}
		ns, ok := s.durations[path]
		return fmt.Sprintf("%dns", ns), ok
	}
	for i := range s.axes {
		text, ok := value(s.axes[i].path)
		v, within := s.axes[i].place(text)
		if !ok || !within {
			return nil, false
		}
		at = append(at, v)
	}
	for _, f := range s.fixed {
		text, ok := value(f.path)
		if !ok || key(text) != key(f.text) {
			return nil, false
		}
	}
	for path, text := range s.Params.Set {
		if src.Params.Set[path] != text {
			return nil, false
		}
		used++
	}
	return at, used == len(src.Params.Set)
}

// repeated is the rate of a count per entry over repetitions, with least and most as its interval.
func repeated(records []*history.Record, count func(*history.Record) int64) rate {
	var counts, entries float64
	var v rate
	for _, r := range records {
		if r.Entries > 0 {
			v.dots = append(v.dots, percent(float64(count(r)), float64(r.Entries)))
		}
		counts, entries = counts+float64(count(r)), entries+float64(r.Entries)
	}
	if len(v.dots) == 0 {
		return rate{mean: math.NaN()}
	}
	v.mean, v.lo, v.hi = percent(counts, entries), slices.Min(v.dots), slices.Max(v.dots)
	return v
}
