package cli

import (
	"fmt"
	"strings"

	"locklab/internal/study"
	"locklab/plots/page"
	"locklab/scenarios"
	"locklab/sim/explore"
)

// checkPage is the page of a check: the verdicts, and the counterexamples as runs.
func checkPage(e *study.Experiment, p *scenarios.Profile, r *explore.Report, verdicts []checkVerdict) *page.Page {
	table := page.Table{
		Caption: whatWasChecked(e, p, r),
		Columns: []string{"property", "verdict", "", "counterexample"},
	}
	out := &page.Page{Title: e.Scenario.Name + ": every small deviation from the quiet run", Verdict: checkHeadline(verdicts)}
	for i := range verdicts {
		v := &verdicts[i]
		var how []string
		if v.replayed != nil {
			out.Runs = append(out.Runs, v.replayed.Run(v.Property))
			for k := range v.replayed.Deviations {
				how = append(how, v.replayed.Deviations[k].String())
			}
		}
		table.Rows = append(table.Rows, []string{string(v.Property), v.Verdict, because(v), strings.Join(how, "; ")})
	}
	for _, not := range notChecked(e.Scenario) {
		table.Rows = append(table.Rows, []string{string(not.property), "not checked", not.why, ""})
	}
	out.Tables = []page.Table{table}
	out.Notes = []string{
		strings.ReplaceAll(deviationsTried(&r.Bounds), "\n", " "),
		"The quiet run is the scenario with its own pauses off and every law at its median. A property that holds does so within these choices; what is not among them was not tried.",
	}
	return out
}

// checkHeadline sums the verdicts up.
func checkHeadline(verdicts []checkVerdict) page.Verdict {
	by := make(map[string][]string)
	for i := range verdicts {
		by[verdicts[i].Verdict] = append(by[verdicts[i].Verdict], string(verdicts[i].Property))
	}
	switch violated, unknown := by["violated"], by["unknown"]; {
	case len(violated) > 0:
		return page.Verdict{Word: "violated", Mood: page.Bad, Sentence: fmt.Sprintf("%d of %d properties can be violated by a small deviation: %s.",
			len(violated), len(verdicts), strings.Join(violated, "; "))}
	case len(unknown) > 0:
		return page.Verdict{Word: "unknown", Mood: page.Plain, Sentence: "No property was violated so far, but not all runs were tried."}
	}
	return page.Verdict{Word: "holds", Mood: page.Good, Sentence: "No small deviation that was tried violates a property."}
}
