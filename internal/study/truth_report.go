package study

import (
	"context"
	"fmt"
	"io"
	"strings"

	"locklab/compare"
	"locklab/history"
	"locklab/scenarios"
)

// A TruthReport says how far predictions can be trusted on this machine. One JSON line.
type TruthReport struct {
	Kind        string               `json:"kind"` // "truth"
	Seed        uint64               `json:"seed"`
	Scenarios   int                  `json:"scenarios"`
	Measured    int                  `json:"measured"` // of them, how many have a run that counts
	Repeated    int                  `json:"repeated"` // runs that did not count, and were made once more
	Runs        int                  `json:"runs"`     // simulated, of each under each profile
	Store       history.Store        `json:"store"`
	Verdict     compare.Trust        `json:"verdict"` // that of the conflicts
	Conflicts   Verdict              `json:"conflicts"`
	Overlap     Verdict              `json:"overlap_ns"`
	Calibration *compare.Calibration `json:"calibration"`
	Sensitivity []Sensitive          `json:"sensitivity"` // of the cells with the largest discrepancies

	Profile *scenarios.Profile `json:"-"` // what was measured of this machine
}

// A Verdict says whether the predictions of one measure hold.
type Verdict struct {
	Verdict compare.Trust `json:"verdict"`
	Why     string        `json:"why"`
}

func newVerdict(s *compare.Score) Verdict {
	verdict, why := s.Trust()
	return Verdict{verdict, why}
}

func (t *truth) newReport(c *compare.Calibration) TruthReport {
	left, reps := t.left()
	r := TruthReport{
		Kind: "truth", Seed: t.Seed, Scenarios: len(t.set), Measured: len(t.set) - len(left), Runs: t.Runs,
		Store: t.bench.store(), Calibration: c, Sensitivity: []Sensitive{},
		Profile: t.profile,
	}
	for _, n := range reps {
		r.Repeated += n - 1
	}
	r.Conflicts, r.Overlap = newVerdict(&c.Conflicts), newVerdict(&c.Overlap)
	r.Verdict = r.Conflicts.Verdict
	return r
}

// explain says of the largest discrepancies what their outcome is most sensitive to.
func (t *truth) explain(ctx context.Context, c *compare.Calibration) (err error) {
	t.Progress.Begin("explain", compare.Shown)
	x := Explanation{Seed: t.Seed, Done: t.Progress.Add, Known: func(cell *compare.Scored) (*Experiment, *scenarios.Profile) {
		return t.experiment(cell.ScenarioHash), t.profile
	}}
	t.report.Sensitivity, err = x.Explain(ctx, c)
	return err
}

// experiment is the one with the given hash.
func (t *truth) experiment(hash string) *Experiment {
	for i := range t.set {
		if t.set[i].hash == hash {
			return &t.set[i].Experiment
		}
	}
	return nil
}

// head is what stands above the calibration.
func (r *TruthReport) head() [][2]string {
	measured := fmt.Sprintf("%d of %d, once each, on %s %s", r.Measured, r.Scenarios, r.Store.Product, r.Store.Version)
	if r.Repeated > 0 {
		measured += fmt.Sprintf("; %d runs that did not count were repeated", r.Repeated)
	}
	return [][2]string{
		{"the prediction", string(r.Verdict)},
		{"conflicts", string(r.Conflicts.Verdict) + ": " + r.Conflicts.Why},
		{"overlap", string(r.Overlap.Verdict) + ": " + r.Overlap.Why},
		{"scenarios", fmt.Sprintf("%d random ones of seed %d, %d runs of each under each profile", r.Scenarios, r.Seed, r.Runs)},
		{"measured", measured},
	}
}

// WriteText writes the report for a terminal.
func (r *TruthReport) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, line := range r.head() {
		fmt.Fprintf(&b, "%-15s %s\n", line[0], line[1])
	}
	b.WriteString("\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return r.Calibration.WriteText(w)
}

// WriteMarkdown writes what WriteText does, as Markdown.
func (r *TruthReport) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	for _, line := range r.head() {
		fmt.Fprintf(&b, "- %s: %s\n", line[0], line[1])
	}
	b.WriteString("\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return r.Calibration.WriteMarkdown(w)
}

// WriteJSON writes the report as one JSON line.
func (r *TruthReport) WriteJSON(w io.Writer) error { return history.WriteLine(w, r) }
