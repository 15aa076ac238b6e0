package plots

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A measure says what the values of an axis are.
type measure uint8

const (
	word   measure = iota // anything: side by side in the order in which they came
	number                // on a true scale
	length                // a length of time, on a true scale, kept in nanoseconds
)

// An axis is one parameter of a sweep and its values: ascending, unless they are words.
type axis struct {
	path  string
	name  string // what people call it, e.g. TTL
	kind  measure
	texts []string
	index map[string]int
	ruler // its values are nanoseconds of a length, the place of a word
}

// newAxis takes the values as they are written, in any order, twice the same too.
func newAxis(path string, texts []string) axis {
	a := axis{path: path, name: nameOf(path), kind: measureOf(texts), index: make(map[string]int)}
	for _, t := range texts {
		if _, twice := a.index[key(t)]; !twice {
			a.index[key(t)] = 0
			a.texts = append(a.texts, t)
		}
	}
	if a.kind != word {
		slices.SortStableFunc(a.texts, func(s, t string) int { return cmp.Compare(parse(a.kind, s), parse(a.kind, t)) })
	}
	values := make([]float64, len(a.texts))
	for i, t := range a.texts {
		a.index[key(t)], values[i] = i, float64(i)
		if a.kind != word {
			values[i] = parse(a.kind, t)
		}
	}
	a.ruler = newRuler(a.kind, values, a.texts)
	return a
}

// key is one string for all ways to write a value.
func key(text string) string {
	if v := parse(number, text); !math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	if v := parse(length, text); !math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', -1, 64) + "ns"
	}
	return text
}

// place is where a value is on the axis, between its ends; false if it is not there.
func (a *axis) place(text string) (float64, bool) {
	if i, ok := a.index[key(text)]; ok {
		return a.values[i], true
	}
	v := parse(a.kind, text)
	return v, a.kind != word && a.at(v) >= 0 && a.at(v) <= 1 // not if it is NaN
}

// measureOf finds what all values can be.
func measureOf(texts []string) measure {
	for _, kind := range []measure{number, length} {
		if !slices.ContainsFunc(texts, func(t string) bool { return math.IsNaN(parse(kind, t)) }) {
			return kind
		}
	}
	return word
}

// parse is the value of a number or, in nanoseconds, of a length of time; NaN if it is neither.
func parse(kind measure, text string) float64 {
	if kind == length {
		if d, err := time.ParseDuration(text); err == nil {
			return float64(d)
		}
		return math.NaN()
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

var pauseForm = regexp.MustCompile(`^pauses\[([0-9]+)\]\.for$`)

// nameOf is what people call a parameter.
func nameOf(path string) string {
	switch path {
	case "lock.ttl":
		return "TTL"
	case "lock.retry.every":
		return "retry"
	case "think":
		return "think time"
	case "delay.network":
		return "network delay"
	case "delay.timer":
		return "timer lateness"
	}
	if m := pauseForm.FindStringSubmatch(path); m != nil {
		if m[1] == "0" {
			return "pause"
		}
		return "pause " + m[1]
	}
	return path
}

// label names the axis, its path if that is another word, and its unit.
func (a *axis) label() string {
	said := a.name
	if a.name != a.path {
		said += ", " + a.path
	}
	if a.kind == length {
		said += " (" + a.unit + ")"
	}
	return said
}

// show is the i-th of the values as it is written above a panel, e.g. "TTL: 500 ms".
func (a *axis) show(i int) string {
	return a.name + ": " + showValue(a.texts[i])
}

// lengthOf writes nanoseconds in the largest unit that leaves no zero before the point.
func lengthOf(ns float64) string {
	unit, one := unitOf(ns)
	return strconv.FormatFloat(ns/one, 'g', 6, 64) + " " + unit
}

// unitOf is the unit of lengths of time up to most nanoseconds, and its own nanoseconds.
func unitOf(most float64) (name string, ns float64) {
	switch {
	case most >= 10e9:
		return "s", 1e9
	case most >= 1e6 || most == 0:
		return "ms", 1e6
	case most >= 1e3:
		return "µs", 1e3
	}
	return "ns", 1
}

// choices lists an axis's values for a message.
func (a *axis) choices() string {
	const few = 8
	if len(a.texts) <= few {
		return strings.Join(a.texts, ", ")
	}
	return fmt.Sprintf("%s … %s (%d values)", strings.Join(a.texts[:3], ", "), a.texts[len(a.texts)-1], len(a.texts))
}
