package plots

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestAxesAreWhatTheirValuesAre(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		kind  measure
		log   bool
		unit  string
	}{
		"lengths":        {[]string{"100ms", "0.2s", "300ms", "400ms"}, length, false, "ms"},
		"long lengths":   {[]string{"1s", "10s", "20s"}, length, false, "s"},
		"short lengths":  {[]string{"0ms", "20us", "400us"}, length, false, "µs"},
		"by ratio":       {[]string{"10ms", "32ms", "100ms", "316ms"}, length, true, "ms"},
		"three":          {[]string{"10ms", "100ms", "1000ms"}, length, false, "ms"},
		"numbers":        {[]string{"2", "3", "4", "5"}, number, false, ""},
		"words":          {[]string{"plain", "compare"}, word, false, ""},
		"words and more": {[]string{"5", "{uniform: [1ms, 2ms]}", "7ms"}, word, false, ""},
	} {
		a := newAxis("x", c.texts)
		if a.kind != c.kind || a.log != c.log || a.unit != c.unit {
			t.Errorf("%s: got kind %d, log %v, unit %q, want %d, %v, %q", name, a.kind, a.log, a.unit, c.kind, c.log, c.unit)
		}
	}
	if a := newAxis("x", []string{"b", "a", "b"}); !slices.Equal(a.texts, []string{"b", "a"}) {
		t.Errorf("got %v, want words in their order, once each", a.texts)
	}
}

// Every value lies in its own part of the axis, and the parts follow each other from 0 to 1.
func TestEdgesEncloseTheirValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfNDistinct(rapid.IntRange(0, 1e6), 2, 30, rapid.ID[int]).Draw(t, "values")
		slices.Sort(values)
		var on []float64
		for _, v := range values {
			on = append(on, float64(v))
		}
		r := newRuler(number, on, nil)
		if r.edges[0] != 0 || r.edges[len(on)] != 1 || len(r.edges) != len(on)+1 {
			t.Fatalf("edges %v of %v", r.edges, on)
		}
		for i, v := range on {
			at := r.at(v)
			if at <= r.edges[i] || at >= r.edges[i+1] || math.Abs(r.value(at)-v) > 1e-6*(1+v) {
				t.Fatalf("%g is at %g, between %g and %g, where %g is", v, at, r.edges[i], r.edges[i+1], r.value(at))
			}
		}
		for _, most := range []int{2, 5, 10} {
			if ticks := r.ticks(most); len(ticks) > most+1 {
				t.Fatalf("%d ticks for room for %d: %v", len(ticks), most, ticks)
			}
		}
	})
}
