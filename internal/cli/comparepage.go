package cli

import (
	"locklab/compare"
	"locklab/history"
	"locklab/internal/study"
	"locklab/plots"
	"locklab/plots/page"
)

// writeComparison writes a comparison as a page: its figures, one run of predictions whose scenarios and profiles are known, and
// the runs whose events are in the files.
func writeComparison(path string, names []string, files []history.Lines, rows []compare.Row, profiles []string) error {
	known, err := knownProfiles(profiles)
	if err != nil {
		return err
	}
	runs := study.RowRuns(rows, known)
	sources := sourcesOf(rows)
	for i, name := range names {
		if len(files[i].Events) > 0 {
			runs = append(runs, study.FileRun(name, files[i].Events, sources))
		}
	}
	lines := joined(files)
	lines.Events = nil
	figures, err := plots.Figures(lines, plots.Options{Calibration: study.Calibration(lines)})
	if err != nil {
		return err
	}
	return writePage(path, study.ComparisonPage("Predicted and measured", rows, figures, study.InTurn(runs)))
}

// sourcesOf say what the rows' runs came from.
func sourcesOf(rows []compare.Row) []history.Source {
	var all []history.Source
	for i := range rows {
		all = append(all, history.Source{Scenario: rows[i].Scenario, ScenarioHash: rows[i].ScenarioHash, Params: rows[i].Params})
	}
	return all
}

func writePage(path string, p *page.Page) error { return writeFile(path, p.Write) }
