package page

import "fmt"

// How many rows of a table are seen at once, and how many there are at most.
const (
	rowsAtOnce = 30
	mostRows   = 400
)

// A Table is a table of words. Rows are as long as Columns. Of many, the first are seen at once and others on demand.
type Table struct {
	Caption string
	Columns []string
	Rows    [][]string
	Notes   []string // below it, on how to read it
}

// First are the rows that are seen at once.
func (t Table) First() [][]string { return t.Rows[:min(len(t.Rows), rowsAtOnce)] }

// Others are the rows that are seen on demand.
func (t Table) Others() [][]string {
	if len(t.Rows) <= rowsAtOnce {
		return nil
	}
	return t.Rows[rowsAtOnce:min(len(t.Rows), mostRows)]
}

// LeftOut says how many rows are left out, if some are.
func (t Table) LeftOut() string {
	if len(t.Rows) <= mostRows {
		return ""
	}
	return fmt.Sprintf("%d more rows are left out.", len(t.Rows)-mostRows)
}

// looks is how a cell looks: verdicts stand out, and long texts are broken into lines.
func looks(word string) string {
	const long = 40
	switch {
	case word == "agree" || word == "holds":
		return string(Good)
	case word == "differ" || word == "violated":
		return string(Bad)
	case len(word) > long:
		return "long"
	}
	return ""
}
