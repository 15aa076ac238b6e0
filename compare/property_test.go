package compare

import (
	"bytes"
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"locklab/history"
)

// anyLines are experiments of at most three scenarios with few different counts.
func anyLines(t *rapid.T) history.Lines {
	var all history.Lines
	for _, name := range []string{"a", "b", "c"}[:rapid.IntRange(1, 3).Draw(t, "scenarios")] {
		predicted := rapid.SliceOfN(rapid.Int64Range(0, 80), 1, 5).Draw(t, "predicted")
		measured := rapid.SliceOfN(rapid.Int64Range(0, 80), 0, 5).Draw(t, "measured")
		all = join(all, experimentOf(name, predicted, measured...), predictionOf(name, "lab", 30))
	}
	return all
}

func jsonOf(t *rapid.T, rows []Row) string {
	var b bytes.Buffer
	if err := WriteJSON(&b, rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The order of the lines, and so that of the files, changes nothing but the order of the scenarios. A p is above 0 and
// at most 1, but for a prediction with a single value, where it is 0 or 1.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := anyLines(t)
		shuffled := history.Lines{
			Records: rapid.Permutation(lines.Records).Draw(t, "records"),
			Cells:   rapid.Permutation(lines.Cells).Draw(t, "cells"),
		}
		rows, others := Rows(lines, Options{Wanted: 3}), Rows(shuffled, Options{Wanted: 3})
		slices.SortStableFunc(others, func(a, b Row) int { return cmp.Compare(a.Scenario, b.Scenario) })
		if a, b := jsonOf(t, rows), jsonOf(t, others); a != b {
			t.Errorf("got\n%s\nin another order\n%s", a, b)
		}
		for _, r := range rows {
			if r.P == nil {
				continue
			}
			certain := r.Simulated.Conflicts.Min == r.Simulated.Conflicts.Max
			if *r.P > 1 || !certain && *r.P <= 0 || certain && *r.P != 0 && *r.P != 1 {
				t.Errorf("p of %v is %v", r.Measured.Conflicts, *r.P)
			}
		}
	})
}
