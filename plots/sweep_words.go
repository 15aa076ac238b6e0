package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// simulated says what was simulated, as a sentence.
func (s *sweep) simulated() string {
	said := []string{s.runsPerCell()}
	if s.Profile != "" {
		said = append(said, "profile "+s.Profile)
	}
	said = append(said, fmt.Sprintf("seed %d", s.Seed))
	said = append(said, changes(s.Params)...)
	for _, f := range s.fixed {
		said = append(said, nameOf(f.path)+" "+showValue(f.text))
	}
	text := strings.Join(append(said, s.constants()...), ", ") + "."
	switch {
	case s.elsewhere == 1:
		text += "  Not shown: 1 measured run that is not of these cells."
	case s.elsewhere > 1:
		text += fmt.Sprintf("  Not shown: %d measured runs that are not of these cells.", s.elsewhere)
	}
	return text
}

// showValue writes a length of time with a space before its unit, and all else as it is.
func showValue(text string) string {
	if v := parse(length, text); math.IsNaN(parse(number, text)) && !math.IsNaN(v) {
		return lengthOf(v)
	}
	return text
}

// missing counts the cells without runs, and those without an entry.
func (s *sweep) missing() (cells, empty int) {
	for i := range s.cells {
		switch o := &s.cells[i]; {
		case o.runs == 0:
			cells++
		case math.IsNaN(o.conflicts.mean):
			empty++
		}
	}
	return cells, empty
}

// gaps explain cells that have no rate, with a sample of how they look.
func (s *sweep) gaps(sample func(draw.Canvas, vg.Rectangle)) []legendEntry {
	var entries []legendEntry
	add := func(n int, text string) {
		if n > 0 {
			entries = append(entries, legendEntry{fmt.Sprintf(text, n, len(s.cells)), sample})
		}
	}
	missing, empty := s.missing()
	add(missing, "not computed: %d of %d cells")
	add(empty, "without an entry: %d of %d cells")
	return entries
}

func (s *sweep) runsPerCell() string {
	least, most := int64(0), int64(0)
	for i := range s.cells {
		if n := s.cells[i].runs; n > 0 {
			most = max(most, n)
			if least == 0 || n < least {
				least = n
			}
		}
	}
	if least == most {
		return fmt.Sprintf("%d simulated runs per cell", most)
	}
	return fmt.Sprintf("%d to %d simulated runs per cell", least, most)
}

// constants are the lengths of time that place the boundaries and that no axis changes.
func (s *sweep) constants() []string {
	var said []string
	for _, path := range []string{"lock.ttl", s.pausePath(), "work"} {
		_, set := s.Params.Set[path]
		fixed := slices.ContainsFunc(s.fixed, func(f setting) bool { return f.path == path })
		if ns, ok := s.constant(path, nil); ok && !set && !fixed && ns > 0 {
			said = append(said, nameOf(path)+" "+lengthOf(ns))
		}
	}
	return said
}
