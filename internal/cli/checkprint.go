package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"locklab/history"
	"locklab/internal/study"
	"locklab/scenarios"
	"locklab/sim/explore"
)

// print prints the verdicts, and tells the counterexamples.
func (c *checkCommand) print(w io.Writer, e *study.Experiment, p *scenarios.Profile, r *explore.Report, verdicts []checkVerdict) error {
	if c.json {
		for i := range verdicts {
			if err := json.NewEncoder(w).Encode(&verdicts[i]); err != nil {
				return err
			}
		}
		return nil
	}
	fmt.Fprintln(w, whatWasChecked(e, p, r))
	if len(r.ByLevel) > 1 {
		fmt.Fprintln(w, deviationsTried(&r.Bounds))
	}
	fmt.Fprintln(w)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, v := range verdicts {
		fmt.Fprintf(out, "%s\t%s\t%s\n", v.Property, v.Verdict, because(&v))
	}
	for _, not := range notChecked(e.Scenario) {
		fmt.Fprintf(out, "%s\tnot checked\t%s\n", not.property, not.why)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for i := range verdicts {
		if err := tell(w, &verdicts[i]); err != nil {
			return err
		}
	}
	return nil
}

// tell tells a counterexample as a story, up to the violation.
func tell(w io.Writer, v *checkVerdict) error {
	if v.Counterexample == nil {
		return nil
	}
	fmt.Fprintf(w, "\n%s is violated %s (%s):\n", v.Property, because(v), v.File)
	for i := range v.replayed.Deviations {
		fmt.Fprintf(w, "  %s\n", v.replayed.Deviations[i].String())
	}
	return history.WriteStory(w, upTo(v.Property, v.replayed.Events))
}

// upTo is the part of a story that ends with the violation of the property.
func upTo(p explore.Property, events []history.Event) []history.Event {
	for i := range events {
		e := &events[i]
		if p == explore.NoConflict && e.Kind == history.Entered && e.Inside > 1 ||
			p == explore.NoStaleWrite && e.Kind == history.StaleAccepted ||
			p == explore.TokenOrder && e.Kind == history.TokenDisorder ||
			p == explore.NoLostUpdate && e.Kind == history.LostUpdate || p == explore.DoneOnce && e.Kind == history.DoneTwice {
			return events[:i+1]
		}
	}
	return events
}
