package compare

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"locklab/history"
)

// with is the source with a parameter set.
func with(src history.Source, path, value string) history.Source {
	set := maps.Clone(src.Params.Set)
	if set == nil {
		set = make(map[string]string)
	}
	set[path] = value
	src.Params.Set = set
	src.ScenarioHash += path + value
	return src
}

func simulated(scenario string) history.Source { return source(scenario, history.Sim, "lab") }

// feed pairs the records of two sides, and gives the first error.
func feed(a, b []history.Record) ([]PairedRow, error) {
	var p Pairing
	for i := range max(len(a), len(b)) {
		var left, right *history.Record
		if i < len(a) {
			left = &a[i]
		}
		if i < len(b) {
			right = &b[i]
		}
		if err := p.Add(left, right); err != nil {
			return nil, err
		}
	}
	return p.Rows(), p.Add(nil, nil)
}

func mustFeed(t interface{ Fatal(...any) }, a, b []history.Record) []PairedRow {
	rows, err := feed(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestPairsAreOfOneRun(t *testing.T) {
	a := recordsOf(simulated("d"), counts{30, 0, 20}, counts{31, 0, 20}, counts{28, 0, 20})
	b := recordsOf(simulated("e"), counts{15, 15, 20}, counts{31, 14, 19}, counts{29, 16, 20})
	rows := mustFeed(t, a, b)
	if len(rows) != 1 || rows[0].Runs != 3 {
		t.Fatalf("got %+v", rows)
	}
	for name, c := range map[string]struct {
		d                    Difference
		mean                 float64
		lower, equal, higher int64
	}{
		"conflicts":       {rows[0].Conflicts, -14.0 / 3, 1, 1, 1},
		"lost holds":      {rows[0].LostHolds, -1.0 / 3, 1, 2, 0},
		"rejected writes": {rows[0].RejectedWrites, 15, 0, 0, 3},
		"overlap":         {rows[0].OverlapNS, 0, 0, 3, 0},
	} {
		if c.d.Mean != c.mean || c.d.Lower != c.lower || c.d.Equal != c.equal || c.d.Higher != c.higher {
			t.Errorf("%s: got %+v, want mean %g, %d lower, %d equal, %d higher", name, c.d, c.mean, c.lower, c.equal, c.higher)
		}
	}
	if want := []Change{{"scenario", "d", "e"}}; !slices.Equal(rows[0].Contrast, want) {
		t.Errorf("contrast %v, want %v", rows[0].Contrast, want)
	}
}

// anySide draws the runs of up to 3 cells, which pairs of sides share.
func anySide(t *rapid.T, name string, cells, runs int, at func(history.Source) history.Source) []history.Record {
	var all []history.Record
	for cell := range cells {
		rows := make([]counts, runs)
		for i := range rows {
			rows[i] = counts{
				conflicts: rapid.Int64Range(0, 80).Draw(t, name),
				lost:      rapid.Int64Range(0, 2).Draw(t, name),
				rejected:  rapid.Int64().Filter(func(x int64) bool { return x >= 0 }).Draw(t, name),
			}
		}
		all = append(all, recordsOf(at(with(simulated("d"), "work", fmt.Sprint(cell))), rows...)...)
	}
	return all
}

// Swapping the sides negates every difference and swaps lower with higher; nothing else changes.
func TestSwappingNegates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells, runs := rapid.IntRange(1, 3).Draw(t, "cells"), rapid.IntRange(1, 12).Draw(t, "runs")
		a := anySide(t, "a", cells, runs, func(s history.Source) history.Source { return with(s, "lock.ttl", "1s") })
		b := anySide(t, "b", cells, runs, func(s history.Source) history.Source { return with(s, "lock.ttl", "2s") })
		there, back := mustFeed(t, a, b), mustFeed(t, b, a)
		for i := range there {
			for _, q := range quantities {
				d, e := q.in(&there[i]), q.in(&back[i])
				if d.Mean != -e.Mean || d.MeanA != e.MeanB || d.Lower != e.Higher || d.Equal != e.Equal || d.Higher != e.Lower ||
					d.P != e.P || d.Verdict != e.Verdict {
					t.Errorf("%s: %+v swapped is %+v", q.name, d, e)
				}
				if d.HalfWidth != nil && (*d.HalfWidth != *e.HalfWidth || *d.UnpairedHalfWidth != *e.UnpairedHalfWidth) {
					t.Errorf("%s: widths %v, %v swapped are %v, %v", q.name, *d.HalfWidth, *d.UnpairedHalfWidth, *e.HalfWidth, *e.UnpairedHalfWidth)
				}
			}
		}
	})
}

// The more two sides have in common, the narrower the paired interval; the unpaired one does not see it.
func TestPairingGains(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var a, b []counts
	for range 500 {
		common := r.Int64N(60)
		a, b = append(a, counts{conflicts: common + r.Int64N(3)}), append(b, counts{conflicts: common + 2 + r.Int64N(3)})
	}
	d := mustFeed(t, recordsOf(simulated("d"), a...), recordsOf(simulated("e"), b...))[0].Conflicts
	if d.Verdict != Differ || *d.HalfWidth > 0.2 || *d.UnpairedHalfWidth < 2 {
		t.Errorf("verdict %s, half width %g, unpaired %g", d.Verdict, *d.HalfWidth, *d.UnpairedHalfWidth)
	}
}

func TestNoPairs(t *testing.T) {
	d, e := simulated("d"), simulated("e")
	one, two := with(d, "lock.ttl", "1s"), with(d, "lock.ttl", "2s")
	seeded, real := e, e
	seeded.Seed, real.World = 7, history.Real
	runs := func(src history.Source, numbers ...int) []history.Record {
		var all []history.Record
		for _, n := range numbers {
			all = append(all, history.NewRecord(src, n, &history.Tally{}, 0, 0))
		}
		return all
	}
	for _, c := range []struct {
		name string
		a, b []history.Record
		want string
	}{
		{"seeds", runs(d, 0), runs(seeded, 0), "d has seed 1 in A, e seed 7 in B"},
		{"measured", runs(d, 0), runs(real, 0), "there are measured runs"},
		{"missing at the end", runs(d, 0, 1), runs(e, 0), "B ends in cell 1, where A goes on with run 1 of d"},
		{"missing in the middle", runs(d, 0, 1, 2), runs(e, 0, 2), "A has run 1 of d where B has run 2 of e"},
		{"too few in a cell", slices.Concat(runs(one, 0, 1), runs(two, 0)), slices.Concat(runs(one, 0), runs(two, 0, 1)),
			"cell 1: B goes on to d lock.ttl=2s after 1 runs, where A has more of d lock.ttl=1s"},
		{"too many in a cell", slices.Concat(runs(one, 0), runs(two, 0)), slices.Concat(runs(two, 0, 1), runs(one, 0)),
			"cell 1: A goes on to d lock.ttl=2s after 1 runs, where B has more of d lock.ttl=2s"},
		{"order of runs", runs(d, 1, 0), runs(e, 1, 0), "run 0 of d comes after run 1"},
		{"twice", runs(d, 0, 0), runs(e, 0, 0), "run 0 of d comes after run 0"},
		{"order of cells", slices.Concat(runs(one, 0), runs(two, 0)), slices.Concat(runs(two, 0), runs(one, 0)),
			"cell 2 is d lock.ttl=2s in A and d lock.ttl=1s in B, which differ otherwise than cell 1 does"},
		{"a cell missing", slices.Concat(runs(one, 0), runs(two, 0)), runs(one, 0), "B ends in cell 1"},
	} {
		_, err := feed(c.a, c.b)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestContrast(t *testing.T) {
	d := simulated("d")
	edited, scaled, ideal, machine, remeasured := d, d, source("d", history.Sim, "ideal"), source("d", history.Sim, "machine"), source("d", history.Sim, "machine")
	edited.ScenarioHash = "another"
	scaled.Params.Scale = 0.5
	machine.ProfileHash, remeasured.ProfileHash = "0123456789", "9876543210"
	for _, c := range []struct {
		a, b history.Source
		want []Change
	}{
		{d, d, nil},
		{d, simulated("e"), []Change{{"scenario", "d", "e"}}},
		{d, edited, []Change{{"scenario file", "one version", "another"}}},
		{d, with(d, "work", "1s"), []Change{{"work", asWritten, "1s"}}},
		{with(d, "work", "1s"), with(with(d, "work", "2s"), "think", "0s"), []Change{{"think", asWritten, "0s"}, {"work", "1s", "2s"}}},
		{d, scaled, []Change{{"scale", "1", "0.5"}}},
		{d, ideal, []Change{{"profile", "lab", "ideal"}}},
		{machine, remeasured, []Change{{"profile", "machine (01234567)", "machine (98765432)"}}},
	} {
		if got := contrast(&c.a, &c.b); !slices.Equal(got, c.want) {
			t.Errorf("got %v, want %v", got, c.want)
		}
	}
}
