package compare

import (
	"testing"

	"locklab/history"
)

// What is published stands among the runs of the reference, else of the prediction that is tested; not among runs of another scale.
func TestPlaceOfPublished(t *testing.T) {
	under := func(profile string, published, scale float64, conflicts ...int64) history.Lines {
		src := source("lesson/d", history.Sim, profile)
		src.Published, src.Params.Scale = &history.Counts{Entries: 80, Conflicts: int64(published)}, scale
		return history.Lines{Cells: []history.Cell{cellOf(src, 1, conflictsOnly(conflicts...)...)}}
	}
	for _, c := range []struct {
		name  string
		lines history.Lines
		want  Place // of no profile: nil
	}{
		{"in the middle", under("lab", 31, 1, 30, 31, 31, 32), Place{"lab", 0.5, 1}},
		{"below all", under("lab", 29, 1, 30, 31, 31, 32), Place{"lab", 0, 2.0 / 5}},
		{"above all", under("machine", 33, 1, 30, 31, 31, 32), Place{"machine", 1, 2.0 / 5}},
		{"both", join(under("machine", 31, 1, 40), under("lab", 31, 1, 20, 31)), Place{"lab", 0.75, 1}},
		{"scaled", under("lab", 31, 0.1, 30, 31), Place{}},
		{"without runs", under("lab", 31, 1), Place{}},
		{"not published", predictionOf("lesson/d", "lab", 30), Place{}},
	} {
		rows := Rows(c.lines, Options{})
		got := Place{}
		if p := rows[0].Place; p != nil {
			got = *p
		}
		if got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}
