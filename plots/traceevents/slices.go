package traceevents

import (
	"cmp"
	"slices"

	"locklab/history"
)

// A slice is something that goes on for a while.
type slice struct {
	history.Span
	name string
	cat  string
}

// activities are what a worker does.
func activities(spans *[history.NumActivities][]history.Span, wrong []history.Span) []slice {
	var all []slice
	for a := range spans {
		for _, s := range spans[a] {
			all = append(all, slice{s, history.Activity(a).String(), "worker"})
		}
	}
	for _, s := range wrong {
		all = append(all, slice{s, "does not hold it", "mistaken"})
	}
	return all
}

// putSlices puts the slices of one track. There each must lie within the one that it begins in: one that does not is cut in two.
func putSlices(tid int, all []slice, put func(event)) {
	longestFirst := func(a, b slice) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To))
	}
	slices.SortStableFunc(all, longestFirst)
	var open []int64 // the ends of those that the next may lie in
	for len(all) > 0 {
		s := all[0]
		all = all[1:]
		for len(open) > 0 && open[len(open)-1] <= s.From {
			open = open[:len(open)-1]
		}
		if n := len(open); n > 0 && open[n-1] < s.To {
			rest := s
			rest.From, s.To = open[n-1], open[n-1]
			at, _ := slices.BinarySearchFunc(all, rest, longestFirst)
			all = slices.Insert(all, at, rest)
		}
		open = append(open, s.To)
		length := micros(s.To - s.From)
		put(event{Name: s.name, Cat: s.cat, Phase: "X", TS: micros(s.From), Dur: &length, PID: pid, TID: tid})
	}
}
