package study

import (
	"fmt"
	"slices"

	"locklab/compare"
	"locklab/plots"
	"locklab/plots/page"
)

// ReportFile is the name of a page in a folder of results.
const ReportFile = "report.html"

// unseen says what a page's timelines cannot show.
var unseen = []string{
	"Who holds the lock in truth, late and stale writes, a belief that is wrong, and commands under way are known in the simulator only. " +
		"Of a measured run the end of a lease is a bound: it ended at the latest as long after its worker learned of it as it lives.",
	"The times of a measured run are those at which its workers learned of what happened, each by its own clock.",
}

// ComparisonPage is the page of a comparison: the verdict, the table, figures, and runs, the most important first.
func ComparisonPage(title string, rows []compare.Row, figures []plots.Figure, runs []page.Run) *page.Page {
	verdict, sentence := compare.Headline(rows)
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, measuredFirst)
	sheet := compare.NewSheet(rows)
	p := &page.Page{
		Title:   title,
		Verdict: page.Verdict{Word: string(verdict), Sentence: sentence, Mood: moodOf(verdict)},
		Tables: []page.Table{{
			Caption: "Conflicts per run: published, simulated, measured",
			Columns: sheet.Columns, Rows: sheet.Cells, Notes: []string{sheet.Legend},
		}},
		Figures: figures, Runs: runs,
	}
	for _, h := range sheet.Header {
		p.Notes = append(p.Notes, h[0]+": "+h[1])
	}
	p.Notes = slices.Concat(p.Notes, []string{compare.Limits}, unseen, fewNotes(sheet.Notes))
	return p
}

// fewNotes are as many notes as one may want to read.
func fewNotes(notes []string) []string {
	const most = 30
	if len(notes) <= most {
		return notes
	}
	return append(slices.Clone(notes[:most]), fmt.Sprintf("and %d more notes of this kind, which compare prints", len(notes)-most))
}

// measuredFirst orders rows so that those come first of which something was measured.
func measuredFirst(a, b compare.Row) int { return min(b.N, 1) - min(a.N, 1) }

func moodOf(v compare.Verdict) page.Mood {
	switch v {
	case compare.Agree:
		return page.Good
	case compare.Differ:
		return page.Bad
	}
	return page.Plain
}
