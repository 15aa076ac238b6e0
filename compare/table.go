package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"locklab/history"
)

// legend says how to read a table.
const legend = "Rank: where the published conflicts stand among simulated runs, those under lab if there are any, from 0 (below " +
	"all) to 1; shown, never tested. Simulated: mean and central 95 % of the conflicts of all runs. Measured: the conflicts of every " +
	"repetition (of more than 5 the mean, the range and their number). Rejected writes and lost holds: simulated " +
	"mean→measured. Only conflicts are tested. p: how likely repetitions as far off as these are if the prediction is right."

// legendOfDamage is for tables with scenarios that change a resource.
const (
	onlyConflicts  = "Only conflicts are tested."
	legendOfDamage = "Damage: updates lost, jobs done twice or not at all, likewise. Conflicts and damage are tested, nothing else."
)

// A table is rows as words, for the terminal or for Markdown.
type table struct {
	header    [][2]string // name, value
	columns   [][2]string // title and its second line, one for each cell
	cells     [][]string
	legend    string // how to read it
	footnotes []string
	limits    string // what its verdicts are worth
}

func newTable(rows []Row) table {
	reference := common(rows, func(r *Row) *Prediction { return r.Reference })
	machine := common(rows, func(r *Row) *Prediction { return r.Simulated })
	names := labels(rows)
	t := table{header: header(rows), legend: legend, limits: Limits, columns: [][2]string{
		{"", "scenario"}, {"", "published"}, {"", "rank"}, {"simulated", reference}, {"simulated", machine}, {"", "measured"},
		{"rejected", "writes"}, {"lost", "holds"}, {"", "damage"}, {"", "p"}, {"", "verdict"},
	}}
	const damage = 8
	harmless := !slices.ContainsFunc(rows, Row.updates)
	if harmless {
		t.columns = slices.Delete(t.columns, damage, damage+1)
	} else {
		t.legend = strings.Replace(t.legend, onlyConflicts, legendOfDamage, 1)
	}
	for i := range rows {
		words := cells(&rows[i], names[i], reference, machine)
		if harmless {
			words = slices.Delete(words, damage, damage+1)
		}
		t.cells = append(t.cells, words)
		for _, note := range append(slices.DeleteFunc([]string{rows[i].Why}, isEmpty), rows[i].Findings...) {
			t.footnotes = append(t.footnotes, names[i]+": "+note)
		}
	}
	return t
}

// updates reports whether something was written at a commit, predicted or measured.
func (r Row) updates() bool {
	return r.Simulated != nil && r.Simulated.updates || r.Reference != nil && r.Reference.updates || r.Measured != nil && r.Measured.updates
}

func isEmpty(s string) bool { return s == "" }

// cells are the words of one row.
func cells(r *Row, name, reference, machine string) []string {
	measured := none
	var rejected, lost, damage []int64
	if m := r.Measured; m != nil && r.N > 0 {
		measured, rejected, lost, damage = repetitions(m.Conflicts), m.RejectedWrites, m.LostHolds, m.Damage
	}
	var simulatedRejected, simulatedLost, simulatedDamage *history.Stat
	if p := r.Simulated; p != nil {
		simulatedRejected, simulatedLost, simulatedDamage = &p.RejectedWrites, &p.LostHolds, &p.Damage
	}
	return []string{
		name, published(r.Published), rankOf(r.Place), predicted(r.Reference, reference), predicted(r.Simulated, machine), measured,
		beside(simulatedRejected, rejected), beside(simulatedLost, lost), beside(simulatedDamage, damage), probability(r.P), string(r.Verdict),
	}
}

// predicted is the prediction's conflicts, with the profile's name if the column has another.
func predicted(p *Prediction, column string) string {
	switch {
	case p == nil:
		return none
	case p.Profile != column:
		return interval(p.Conflicts) + " " + p.Profile
	}
	return interval(p.Conflicts)
}

// common names the profiles of a column: in all but mixed tables, one.
func common(rows []Row, of func(*Row) *Prediction) string {
	names := make(map[string]bool)
	for i := range rows {
		if p := of(&rows[i]); p != nil {
			names[p.Profile] = true
		}
	}
	if len(names) == 0 {
		return none
	}
	return strings.Join(slices.Sorted(maps.Keys(names)), ", ")
}

// labels name the rows: by scenario and what was set, and by the scenario's hash where that is not enough.
func labels(rows []Row) []string {
	mixed := len(scales(rows)) > 1
	names := make([]string, len(rows))
	hashes := make(map[string]map[string]bool)
	for i := range rows {
		names[i] = label(&rows[i], mixed)
		if hashes[names[i]] == nil {
			hashes[names[i]] = make(map[string]bool)
		}
		hashes[names[i]][rows[i].ScenarioHash] = true
	}
	for i, name := range names {
		if len(hashes[name]) > 1 {
			names[i] = fmt.Sprintf("%s (%.8s)", name, rows[i].ScenarioHash)
		}
	}
	return names
}

func label(r *Row, scaled bool) string {
	words := append([]string{r.Scenario}, settings(r.Params.Set)...)
	if scaled {
		words = append(words, scaleOf(r.Params))
	}
	return strings.Join(words, " ")
}

// settings are the parameters that were set, e.g. "lock.ttl=1s", in the order of their paths.
func settings(set map[string]string) []string {
	var words []string
	for _, path := range slices.Sorted(maps.Keys(set)) {
		words = append(words, path+"="+set[path])
	}
	return words
}

func scaleOf(p history.Params) string { return fmt.Sprintf("scale=%g", p.Scale) }

// header says what the rows came from.
func header(rows []Row) [][2]string {
	var seeds []uint64
	var stores []history.Store
	var runs, reps []int64
	var left int64
	for _, r := range rows {
		reps = append(reps, int64(r.N))
		for _, p := range []*Prediction{r.Reference, r.Simulated} {
			if p != nil {
				seeds, runs = append(seeds, p.Seeds...), append(runs, p.Runs)
			}
		}
		if m := r.Measured; m != nil {
			seeds, stores = append(seeds, m.Seeds...), append(stores, m.Stores...)
			left += m.Disturbed
		}
	}
	slices.Sort(seeds)
	measured := span(reps) + " repetitions per scenario, on " + distinct(stores, storeName)
	if left > 0 {
		measured += "; " + disturbed(left)
	}
	return [][2]string{
		{"seed", distinct(seeds, func(s uint64) string { return fmt.Sprint(s) })},
		{"simulated", span(runs) + " runs per scenario and profile"},
		{"measured", measured},
		{"scale", distinct(scales(rows), func(s float64) string { return fmt.Sprint(s) })},
	}
}

func storeName(s history.Store) string { return strings.TrimSpace(s.Product + " " + s.Version) }

func scales(rows []Row) []float64 {
	var all []float64
	for _, r := range rows {
		all = append(all, r.Params.Scale)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// distinct names every value once, in the order in which they first come.
func distinct[T comparable](values []T, name func(T) string) string {
	var words []string
	for _, v := range values {
		if word := name(v); !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return none
	}
	return strings.Join(words, ", ")
}

// span is e.g. "3", or "0 to 3".
func span(counts []int64) string {
	if len(counts) == 0 {
		return "0"
	}
	lo, hi := slices.Min(counts), slices.Max(counts)
	if lo == hi {
		return fmt.Sprint(lo)
	}
	return fmt.Sprintf("%d to %d", lo, hi)
}
