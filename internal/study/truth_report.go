package study

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"locklab/compare"
	"locklab/history"
)

// A TruthReport says how far predictions can be trusted on this machine. One JSON line.
type TruthReport struct {
	Kind        string               `json:"kind"` // "truth"
	Seed        uint64               `json:"seed"`
	Scenarios   int                  `json:"scenarios"`
	Measured    int                  `json:"measured"` // of them; the others were not before the end
	Repeated    int                  `json:"repeated"` // measurements that were not usable and were made once more
	Runs        int                  `json:"runs"`     // simulated, of each under each profile
	Store       history.Store        `json:"store"`
	Verdict     compare.Trust        `json:"verdict"` // that of the conflicts
	Conflicts   Verdict              `json:"conflicts"`
	Overlap     Verdict              `json:"overlap_ns"`
	Calibration *compare.Calibration `json:"calibration"`
	Sensitivity []Sensitive          `json:"sensitivity"` // of the cells with the largest discrepancies
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

// Sensitive is what the outcome of a cell is sensitive to.
type Sensitive struct {
	Cell string `json:"cell"`
	*Sensitivity
}

func (t *truth) newReport(c *compare.Calibration) TruthReport {
	left, reps := t.left()
	r := TruthReport{
		Kind: "truth", Seed: t.Seed, Scenarios: len(t.set), Measured: len(t.set) - len(left), Runs: t.Runs,
		Store: t.bench.store(), Calibration: c, Sensitivity: []Sensitive{},
	}
	for _, n := range reps {
		r.Repeated += n - 1
	}
	r.Conflicts, r.Overlap = newVerdict(&c.Conflicts), newVerdict(&c.Overlap)
	r.Verdict = r.Conflicts.Verdict
	return r
}

// explain says of the largest discrepancies what their outcome is most sensitive to.
func (t *truth) explain(ctx context.Context, c *compare.Calibration) error {
	const runs = 2000
	const likely = 0.1 // from this p on, there is nothing to explain
	largest := c.Largest[:min(len(c.Largest), compare.Shown)]
	largest = slices.DeleteFunc(slices.Clone(largest), func(s compare.Scored) bool { return s.P >= likely })
	t.Progress.Begin("explain", len(largest))
	prediction := Prediction{Profile: t.profile, Seed: t.Seed, Runs: runs}
	why := make(map[string]string)
	for i := range largest {
		cell := &largest[i]
		s, err := prediction.Sensitivity(ctx, t.experiment(cell.ScenarioHash))
		if err != nil {
			return err
		}
		t.report.Sensitivity = append(t.report.Sensitivity, Sensitive{cell.Cell, s})
		why[cell.Cell] = s.Words(cell)
		t.Progress.Add(1)
	}
	c.Explain(why)
	return nil
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
	measured := fmt.Sprintf("%d, once each, on %s %s", r.Measured, r.Store.Product, r.Store.Version)
	if r.Repeated > 0 {
		measured += fmt.Sprintf("; %d measurements that were not usable were repeated", r.Repeated)
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
