package compare

import (
	"strings"
	"testing"
)

func TestHeadlineSumsTheRowsUp(t *testing.T) {
	row := func(name string, v Verdict, why string) Row { return Row{Scenario: name, Verdict: v, Why: why} }
	agree, differ, unknown := row("a", Agree, ""), row("b", Differ, "far off"), row("c", Unknown, "no measurement")
	few := row("d", Unknown, "only 2 repetitions, need 3")
	few.Measured = &Measurement{}
	for _, test := range []struct {
		rows []Row
		word Verdict
		want string
	}{
		{nil, Unknown, ""},
		{[]Row{agree, agree}, Agree, "What was measured is what was predicted, as far as these repetitions can tell."},
		{[]Row{agree, unknown}, Unknown, "What was measured is what was predicted in 1 of 2 rows, as far as can be told; 1 could not be tested."},
		{[]Row{agree, differ, unknown}, Differ, "What was measured is not what was predicted in 1 of 3 rows: b; 1 could not be tested."},
		{[]Row{unknown, unknown}, Unknown, "Nothing could be tested: no measurement."},
		{[]Row{unknown, few}, Unknown, "Nothing could be tested: only 2 repetitions, need 3, and other reasons."},
		{[]Row{differ, differ, differ, differ, differ, differ, differ}, Differ, "What was measured is not what was predicted in 7 of 7 rows: b, b, b, b, b and 2 more."},
	} {
		if word, got := Headline(test.rows); word != test.word || got != test.want {
			t.Errorf("%s %q, want %s %q", word, got, test.word, test.want)
		}
	}
}

// A sheet has what the table has, with the verdict before what explains it.
func TestSheetHasAllOfTheTable(t *testing.T) {
	rows := Rows(lessonLike(), Options{})
	for _, harmful := range []bool{false, true} {
		if rows[0].Simulated.updates = harmful; harmful {
			rows[0].Simulated.Damage.Max = 1
		}
		checkSheet(t, rows)
	}
}

func checkSheet(t *testing.T, rows []Row) {
	t.Helper()
	sheet, table := NewSheet(rows), newTable(rows)
	if got := strings.Join(sheet.Columns, ", "); !strings.HasPrefix(got, "scenario, published, simulated lab, simulated machine, measured, verdict") {
		t.Errorf("columns %s", got)
	}
	if len(sheet.Columns) != len(table.columns) || len(sheet.Cells) != len(table.cells) || len(sheet.Notes) != len(table.footnotes) {
		t.Errorf("%d columns, %d rows, %d notes", len(sheet.Columns), len(sheet.Cells), len(sheet.Notes))
	}
	for i, cells := range sheet.Cells {
		if len(cells) != len(sheet.Columns) || cells[0] != table.cells[i][0] || cells[5] != table.cells[i][len(cells)-1] {
			t.Errorf("row %q of %q", cells, table.cells[i])
		}
	}
}
