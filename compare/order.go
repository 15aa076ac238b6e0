package compare

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	"locklab/history"
)

// appearance is the place of each scenario's name among those that are in the lines: first come the cells, which are
// predictions, then the records.
func appearance(lines history.Lines) map[string]int {
	places := make(map[string]int)
	see := func(name string) {
		if _, seen := places[name]; !seen {
			places[name] = len(places)
		}
	}
	for i := range lines.Cells {
		see(lines.Cells[i].Scenario)
	}
	for i := range lines.Records {
		see(lines.Records[i].Scenario)
	}
	return places
}

// compare puts rows in the order in which a reader looks for them: by scenario, then by parameters.
func (r *Row) compare(o *Row) int {
	return cmp.Or(cmp.Compare(r.Scenario, o.Scenario), compareParams(&r.Params, &o.Params), cmp.Compare(r.ScenarioHash, o.ScenarioHash))
}

// compareParams goes by what is set, then by the values in the order of their paths, then by the scale.
func compareParams(a, b *history.Params) int {
	paths := slices.Sorted(maps.Keys(a.Set))
	if c := slices.Compare(paths, slices.Sorted(maps.Keys(b.Set))); c != 0 {
		return c
	}
	for _, path := range paths {
		if c := compareValues(a.Set[path], b.Set[path]); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.Scale, b.Scale)
}

// amount is a number, or a length of time with its unit.
var amount = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?(ns|[uµμ]s|ms|s|m|h)?`)

// A part of a value is the words before an amount, and the amount: a number, or nanoseconds.
type part struct {
	words string
	size  float64
}

func (p part) compare(o part) int {
	return cmp.Or(cmp.Compare(p.words, o.words), cmp.Compare(p.size, o.size))
}

// compareValues goes by the amounts in the values: 900ms comes before 1s, and {exponential: 9ms} before {exponential: 10ms}.
func compareValues(a, b string) int {
	if a == b {
		return 0
	}
	return cmp.Or(slices.CompareFunc(partsOf(a), partsOf(b), part.compare), cmp.Compare(a, b))
}

func partsOf(value string) []part {
	var parts []part
	from := 0
	for _, at := range amount.FindAllStringIndex(value, -1) {
		parts = append(parts, part{value[from:at[0]], sizeOf(value[at[0]:at[1]])})
		from = at[1]
	}
	return append(parts, part{words: value[from:]})
}

// sizeOf is the size of an amount; one that is out of range is infinite, or 0.
func sizeOf(text string) float64 {
	if d, err := time.ParseDuration(text); err == nil {
		return float64(d)
	}
	v, _ := strconv.ParseFloat(text, 64)
	return v
}
