package plots

import (
	"fmt"

	"locklab/history"
)

// swept is a sweep of lesson/d over the given axes. In each cell 20 of 80 holds are lost if TTL < pause + work; outcomes of
// its three runs are count, more or less one.
func swept(count func(set map[string]string) int64, axes ...history.Axis) history.Lines {
	src := source("lesson/d", history.Sim, "lab", 31)
	head := history.Sweep{
		Kind: "sweep", Source: src, Axes: axes, Runs: 3,
		DurationsNS: map[string]int64{"lock.ttl": 1000 * ms, "pauses[0].for": 1200 * ms, "work": 300 * ms, "think": 10 * ms},
	}
	l := history.Lines{Sweeps: []history.Sweep{head}}
	each(axes, map[string]string{}, func(set map[string]string) {
		c := src
		c.Params.Set = set
		l.Cells = append(l.Cells, sweptCell(c, count(set)))
	})
	return l
}

// each gives every combination of values, the last axis moving fastest.
func each(axes []history.Axis, set map[string]string, do func(map[string]string)) {
	if len(axes) == 0 {
		do(set)
		return
	}
	for _, v := range axes[0].Values {
		more := map[string]string{axes[0].Path: v}
		for path, value := range set {
			more[path] = value
		}
		each(axes[1:], more, do)
	}
}

func sweptCell(src history.Source, conflicts int64) history.Cell {
	ttl, pause := parse(length, src.Params.Set["lock.ttl"]), parse(length, src.Params.Set["pauses[0].for"])
	lost := int64(0)
	if ttl < pause+300e6 {
		lost = 20
	}
	c := history.NewCell(src)
	for _, more := range []int64{-1, 0, 1} {
		c.Add(&history.Tally{Entries: 80, Conflicts: max(0, conflicts+more), LostHolds: lost}, 1, false)
	}
	return *c
}

func nothing(map[string]string) int64 { return 0 }

// some is a number of conflicts that differs from cell to cell.
func some(set map[string]string) int64 {
	n := int64(1)
	for _, r := range set["lock.ttl"] + set["pauses[0].for"] {
		n = n*31 + int64(r)
	}
	return 1 + n%79
}

// spaced is an axis of n values from lo on, in ms.
func spaced(path string, lo, step, n int) history.Axis {
	a := history.Axis{Path: path}
	for i := range n {
		a.Values = append(a.Values, fmt.Sprintf("%dms", lo+step*i))
	}
	return a
}

func listed(path string, values ...string) history.Axis {
	return history.Axis{Path: path, Values: values}
}

// measuredAt is a real run of lesson/d with the given settings.
func measuredAt(conflicts int64, set map[string]string) history.Record {
	src := source("lesson/d", history.Real, "machine", 31)
	src.Params.Set = set
	return record(src, 0, conflicts)
}
