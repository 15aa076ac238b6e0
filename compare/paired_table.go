package compare

import (
	"fmt"
	"math"
	"strings"
)

// pairedLegend says how to read a table of differences.
const pairedLegend = "A, B: means per run. B − A: its mean over the pairs of runs with the same number, ± half of its 95 % interval; " +
	"beside it what that would be if the runs were not paired. Lower, equal, higher: how many runs of B have less, as much, more than " +
	"A's run. p: how likely differences that lean so far to one side are if neither is favoured."

func newPairedTable(rows []PairedRow) table {
	t := table{header: pairedHeader(rows), legend: pairedLegend, limits: PairedLimits, columns: [][2]string{
		{"", "cell"}, {"", "per run"}, {"", "A"}, {"", "B"}, {"", "B − A"}, {"", "±"}, {"unpaired", "±"},
		{"runs", "lower"}, {"", "equal"}, {"", "higher"}, {"", "p"}, {"", "verdict"},
	}}
	zero := alwaysZero(rows)
	for i := range rows {
		name := rows[i].name()
		for k, q := range quantities {
			if zero[k] {
				continue
			}
			d := q.in(&rows[i])
			t.cells = append(t.cells, append([]string{name, q.show}, d.words(q.unit)...))
			if d.Why != "" {
				t.footnotes = append(t.footnotes, fmt.Sprintf("%s, %s: %s", name, q.name, d.Why))
			}
		}
		t.footnotes = append(t.footnotes, cutShort(name+" in A", rows[i].BoundedA, rows[i].Runs)...)
		t.footnotes = append(t.footnotes, cutShort(name+" in B", rows[i].BoundedB, rows[i].Runs)...)
	}
	t.footnotes = append(t.footnotes, pairedNotes(rows, zero)...)
	return t
}

// alwaysZero says of each quantity whether no run of any cell has any of it, and so its lines are left out. Those of the
// conflicts, which come first, never are.
func alwaysZero(rows []PairedRow) [len(quantities)]bool {
	var zero [len(quantities)]bool
	for k, q := range quantities {
		zero[k] = k > 0
		for i := range rows {
			d := q.in(&rows[i])
			zero[k] = zero[k] && d.MeanA == 0 && d.MeanB == 0
		}
	}
	return zero
}

// pairedNotes say what is to be known about the table as a whole.
func pairedNotes(rows []PairedRow, zero [len(quantities)]bool) []string {
	var notes, names []string
	for k, q := range quantities {
		if zero[k] {
			names = append(names, q.name)
		}
	}
	if len(names) > 0 {
		notes = append(notes, "0 in every run: "+strings.Join(names, ", "))
	}
	if len(rows) > 0 && len(rows[0].Contrast) > 1 {
		notes = append(notes, fmt.Sprintf("A and B differ in %d things: a difference is that of all of them together", len(rows[0].Contrast)))
	}
	return notes
}

// name names a row by what its two cells have in common, or by both scenarios.
func (r *PairedRow) name() string {
	if common := r.unchanged(); common != "" {
		return common
	}
	return r.A.Scenario + " → " + r.B.Scenario
}

func pairedHeader(rows []PairedRow) [][2]string {
	var a, b []string
	var runs []int64
	var seeds []uint64
	var profiles []string
	for i := range rows {
		r := &rows[i]
		runs, seeds, profiles = append(runs, r.Runs), append(seeds, r.A.Seed), append(profiles, r.A.Profile, r.B.Profile)
	}
	if len(rows) > 0 {
		for _, c := range rows[0].Contrast {
			a, b = append(a, c.What+" "+c.A), append(b, c.What+" "+c.B)
		}
	}
	if len(a) == 0 {
		a, b = []string{"the same as B"}, []string{"the same as A"}
	}
	return [][2]string{
		{"A", strings.Join(a, ", ")},
		{"B", strings.Join(b, ", ")},
		{"seed", distinct(seeds, func(s uint64) string { return fmt.Sprint(s) })},
		{"runs", span(runs) + " of each cell"},
		{"profile", distinct(profiles, func(s string) string { return s })},
	}
}

// words are the difference in a table, each unit of the value as one.
func (d *Difference) words(unit float64) []string {
	decimals := d.decimals(unit)
	number := func(x float64) string { return fmt.Sprintf("%.*f", decimals, x/unit) }
	half := func(x *float64) string {
		if x == nil {
			return none
		}
		return number(*x)
	}
	return []string{
		number(d.MeanA), number(d.MeanB), number(d.Mean), half(d.HalfWidth), half(d.UnpairedHalfWidth),
		fmt.Sprint(d.Lower), fmt.Sprint(d.Equal), fmt.Sprint(d.Higher), probability(&d.P), string(d.Verdict),
	}
}

// decimals is how many make two digits of the interval count; 1 where it has no width.
func (d *Difference) decimals(unit float64) int {
	if d.HalfWidth == nil || *d.HalfWidth == 0 {
		return 1
	}
	return min(9, max(0, 1-int(math.Floor(math.Log10(*d.HalfWidth/unit)))))
}
