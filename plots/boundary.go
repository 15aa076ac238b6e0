package plots

import (
	"cmp"
	"math"
	"slices"
)

// A boundary is where lengths of time of a scenario balance: the sum of the terms is 0. What happens on one side of it
// cannot happen on the other, so far as commands take no time.
type boundary struct {
	name             string
	ttl, pause, work float64 // how often each is counted
}

// The boundaries of a lease that is taken, paused in, worked under and released, the one that matters most first:
//   - a hold lasts for pause + work: a longer lease outlives it, and nothing fails;
//   - a hold without a pause lasts for work: a shorter lease never lasts;
//   - a lease that is as long as the pause ends as its worker wakes: with a longer pause, another enters first;
//   - that other works from the end of the lease on: it has left when a worker that is paused for longer wakes.
var boundaries = []boundary{
	{"TTL = pause + work", 1, -1, -1},
	{"TTL = work", 1, 0, -1},
	{"TTL = pause", 1, -1, 0},
	{"pause = TTL + work", 1, -1, 1},
}

// A balance is how a boundary's sum depends on what is drawn: by * value + rest, for each axis that is one of its terms.
type balance struct {
	x, y, rest float64
}

// balance is false if not all terms are known, or none of the axes is one of them.
func (s *sweep) balance(b boundary, x, y *axis, more ...setting) (balance, bool) {
	var sum balance
	for _, term := range []struct {
		times float64
		path  string
	}{{b.ttl, "lock.ttl"}, {b.pause, s.pausePath()}, {b.work, "work"}} {
		switch {
		case term.times == 0:
		case term.path == x.path && x.kind == length:
			sum.x += term.times
		case y != nil && term.path == y.path && y.kind == length:
			sum.y += term.times
		default:
			ns, ok := s.constant(term.path, more)
			if !ok || ns == 0 { // without a pause or without work, the line is one without that term
				return sum, false
			}
			sum.rest += term.times * ns
		}
	}
	return sum, sum.x != 0 || sum.y != 0
}

// pausePath is the pause that an axis sets, or the first.
func (s *sweep) pausePath() string {
	for i := range s.axes {
		if pauseForm.MatchString(s.axes[i].path) {
			return s.axes[i].path
		}
	}
	return "pauses[0].for"
}

// constant is a length of time, in nanoseconds, that is the same all over a panel: it may have settings of its own.
func (s *sweep) constant(path string, more []setting) (float64, bool) {
	for _, set := range append(slices.Clone(more), s.fixed...) {
		if set.path == path {
			v := parse(length, set.text)
			return v, !math.IsNaN(v)
		}
	}
	if slices.ContainsFunc(s.axes, func(a axis) bool { return a.path == path }) {
		return 0, false
	}
	if text, ok := s.Params.Set[path]; ok {
		v := parse(length, text)
		return v, !math.IsNaN(v)
	}
	ns, ok := s.durations[path]
	return float64(ns), ok
}

// A spot is a place in a panel, each coordinate from 0 to 1.
type spot struct{ x, y float64 }

// trace is the part of a boundary that lies within a panel, from left to right: two ends if it is straight.
func (b balance) trace(x, y *ruler) []spot {
	if b.y == 0 {
		at := x.at(-b.rest / b.x)
		return inside01([]spot{{at, 0}, {at, 1}})
	}
	if b.x == 0 {
		at := y.at(-b.rest / b.y)
		return inside01([]spot{{0, at}, {1, at}})
	}
	const parts = 128
	var line []spot
	for i := range parts + 1 {
		at := float64(i) / parts
		line = append(line,
			spot{at, y.at(-(b.rest + b.x*x.value(at)) / b.y)},
			spot{x.at(-(b.rest + b.y*y.value(at)) / b.x), at})
	}
	line = inside01(line)
	slices.SortFunc(line, func(p, q spot) int {
		rise := cmp.Compare(p.y, q.y)
		if b.x*b.y > 0 { // it falls
			rise = -rise
		}
		return cmp.Or(cmp.Compare(p.x, q.x), rise)
	})
	if n := len(line); n > 2 && !x.log && !y.log {
		line = []spot{line[0], line[n-1]}
	}
	return line
}

// inside01 drops the spots outside of the panel.
func inside01(line []spot) []spot {
	const tiny = 1e-9
	within := func(v float64) bool { return v >= -tiny && v <= 1+tiny }
	return slices.DeleteFunc(line, func(p spot) bool { return !within(p.x) || !within(p.y) })
}
