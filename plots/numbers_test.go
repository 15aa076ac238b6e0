package plots

import (
	"slices"
	"testing"

	"locklab/history"
)

// numbersOf are the numbers behind the figure of the given name.
func numbersOf(t *testing.T, l history.Lines, opts Options, name string) Numbers {
	t.Helper()
	figures, err := Figures(l, opts)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(figures, func(f Figure) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no figure %s among %q", name, namesOf(figures))
	}
	n := figures[i].Numbers
	for _, row := range n.Rows {
		if len(row) != len(n.Columns) {
			t.Fatalf("%s: %q in columns %q", name, row, n.Columns)
		}
	}
	return n
}

func TestNumbersAreThoseThatAreDrawn(t *testing.T) {
	many := Options{Calibration: manyCells(20)}
	sweep := swept(func(map[string]string) int64 { return 40 }, spaced("lock.ttl", 500, 1000, 3), spaced("pauses[0].for", 0, 1200, 2))
	for _, test := range []struct {
		figure string
		lines  history.Lines
		opts   Options
		rows   int
		want   []string // one of the rows
	}{
		{"conflicts", lesson(), Options{}, 5, nil},
		{"agreement", lesson(), Options{}, 5, nil},
		{"sweep", sweep, Options{}, 6, []string{"500ms", "1200ms", "3", "50 (48.8 to 51.2)", "25", "simulated"}},
		{"forecasts", lesson(), many, 40, []string{"conflicts per run", "1", "0 (0 to 2)", "9", "outside"}},
		{"transforms", lesson(), many, 10, []string{"conflicts per run", "0.9 to 1", "9", "0 to 6"}},
		{"coverage", lesson(), many, 4, []string{"conflicts per run", "50", "55 (30 to 77)", "62", "15"}},
	} {
		n := numbersOf(t, test.lines, test.opts, test.figure)
		if len(n.Rows) != test.rows {
			t.Errorf("%s: %d rows, want %d: %q", test.figure, len(n.Rows), test.rows, n.Rows)
		}
		if test.want != nil && !slices.ContainsFunc(n.Rows, func(row []string) bool { return slices.Equal(row, test.want) }) {
			t.Errorf("%s: no %q in %q", test.figure, test.want, n.Rows)
		}
	}
}

func TestNumbersOfManyCellsAreCutShort(t *testing.T) {
	n := numbersOf(t, swept(nothing, spaced("lock.ttl", 100, 10, 30), spaced("pauses[0].for", 0, 10, 30)), Options{}, "sweep")
	if last := n.Rows[len(n.Rows)-1]; len(n.Rows) != mostRows+1 || last[0] != "and 400 more" {
		t.Errorf("%d rows, the last %q", len(n.Rows), last)
	}
}
