package compare

import (
	"fmt"
	"slices"
	"strings"
)

// A Sheet is a table of rows as words, for who lays it out in another way than WriteText and WriteMarkdown.
type Sheet struct {
	Header  [][2]string // what the rows came from: name, value
	Columns []string    // what was published, simulated, measured, and the verdict come first
	Cells   [][]string  // by row; each as long as Columns
	Legend  string      // how to read it
	Notes   []string    // what is to be known about verdicts and numbers
}

// sheetOrder is the order of a Sheet's columns among so many of a table, of which the verdict is the last and p the one before: the
// verdict before what explains it.
func sheetOrder(columns int) []int {
	order := []int{0, 1, 3, 4, 5, columns - 1}
	for i := 6; i < columns-2; i++ {
		order = append(order, i)
	}
	return append(order, 2, columns-2)
}

// NewSheet is the rows as a sheet.
func NewSheet(rows []Row) Sheet {
	t := newTable(rows)
	s := Sheet{Header: t.header, Legend: t.legend, Notes: t.footnotes}
	order := sheetOrder(len(t.columns))
	for _, i := range order {
		s.Columns = append(s.Columns, strings.TrimSpace(t.columns[i][0]+" "+t.columns[i][1]))
	}
	for _, cells := range t.cells {
		var row []string
		for _, i := range order {
			row = append(row, cells[i])
		}
		s.Cells = append(s.Cells, row)
	}
	return s
}

// Headline sums the rows up in one verdict, as ExitCode does, and in a sentence. It is "" for no rows.
func Headline(rows []Row) (Verdict, string) {
	if len(rows) == 0 {
		return Unknown, ""
	}
	names := labels(rows)
	by := make(map[Verdict][]string)
	for i := range rows {
		by[rows[i].Verdict] = append(by[rows[i].Verdict], names[i])
	}
	untested := ""
	if n := len(by[Unknown]); n > 0 {
		untested = fmt.Sprintf("; %d could not be tested", n)
	}
	switch differ := by[Differ]; {
	case len(differ) > 0:
		return Differ, fmt.Sprintf("What was measured is not what was predicted in %d of %d rows: %s%s.", len(differ), len(rows), few(differ), untested)
	case len(by[Agree]) == 0:
		return Unknown, "Nothing could be tested: " + whyUntested(rows) + "."
	case untested != "":
		return Unknown, fmt.Sprintf("What was measured is what was predicted in %d of %d rows, as far as can be told%s.", len(by[Agree]), len(rows), untested)
	}
	return Agree, "What was measured is what was predicted, as far as these repetitions can tell."
}

// whyUntested is why no row could be tested: the reason of all, or of the first that was measured.
func whyUntested(rows []Row) string {
	first := &rows[max(0, slices.IndexFunc(rows, func(r Row) bool { return r.Measured != nil }))]
	if slices.ContainsFunc(rows, func(r Row) bool { return r.Why != first.Why }) {
		return first.Why + ", and other reasons"
	}
	return first.Why
}

// few are some names, as many as a sentence can carry.
func few(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
