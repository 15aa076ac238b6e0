package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"locklab/history"
	"locklab/internal/study"
	"locklab/plots"
	"locklab/scenarios"
	"locklab/sim/explore"
)

// checkCommand is what check was asked for.
type checkCommand struct {
	with    experimentFlags
	profile profileFlag
	pause   time.Duration
	bounds  explore.Bounds
	output  string
	json    bool
}

func newCheck() *cobra.Command {
	var c checkCommand
	cmd := &cobra.Command{
		Use:   "check SCENARIO",
		Short: "Try every small deviation from the quiet run; find the smallest counterexample",
		Long: `Takes the scenario's quiet run (its own pauses off, every law at its median) and
tries every small deviation from it: a pause or a crash before and during every
step of every worker, each latency short or long, each retry early or late, and
the order of commands that arrive at one instant. It enumerates all runs with no
deviation, then with one, then with two, so the first violation that it finds is
a smallest one.

A property holds within these choices, or is violated by a counterexample: told
as a story, drawn, and saved as a file that trace and real --replay carry out.
report.html shows the verdicts, and the counterexamples as a timeline.

Exit code: 0 all hold, 1 some are violated, 3 none is, but --max-runs was reached.`,
		Example: `  locklab check lesson/b
  locklab check lesson/e --set fencing.token=inside --set fencing.check=commit
  locklab trace out/check/lesson-b-no-conflict.json
  locklab real --replay out/check/lesson-b-no-conflict.json`,
		Args: exactlyOne("a scenario; `locklab scenarios list` shows what is built in"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.DurationVar(&c.pause, "pause", 0, "how long a worker is stopped; 0 for one fifth longer than the TTL, or than the work without a lock")
	flags.Int32Var(&c.bounds.Rounds, "rounds", 2, "rounds of each worker")
	flags.IntVar(&c.bounds.Deviations, "deviations", 2, "deviations in one run, at most")
	flags.Int64Var(&c.bounds.MaxRuns, "max-runs", 50_000_000, "give up after so many runs; 0 for no limit")
	flags.StringVarP(&c.output, "output", "o", "out/check", "the `DIR`ectory for counterexamples")
	flags.BoolVar(&c.json, "json", false, "print JSON lines")
	c.profile.register(flags, "lab")
	c.with.register(flags)
	return cmd
}

func (c *checkCommand) run(cmd *cobra.Command, name string) error {
	experiments, err := c.with.load([]string{name})
	if err != nil {
		return err
	}
	c.bounds.Pause = int64(c.pause)
	if err := c.bounds.Validate(); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	profile, err := c.profile.load(cmd.ErrOrStderr(), measureUsual(cmd))
	if err != nil {
		return err
	}
	if err := makeDir(c.output); err != nil { // before what may take long
		return err
	}
	found, err := c.explore(cmd.Context(), cmd.ErrOrStderr(), experiments[0], profile)
	if err != nil {
		return err
	}
	verdicts, err := c.verdicts(experiments[0], profile, found)
	if err != nil {
		return err
	}
	report := filepath.Join(c.output, study.ReportFile)
	if err := writePage(report, checkPage(experiments[0], profile, found, verdicts)); err != nil {
		return err
	}
	if err := c.print(cmd.OutOrStdout(), experiments[0], profile, found, verdicts); err != nil {
		return err
	}
	return exitWith(checkCode(verdicts))
}

func (c *checkCommand) explore(ctx context.Context, stderr io.Writer, e *study.Experiment, p *scenarios.Profile) (*explore.Report, error) {
	line := newCounter(stderr, "runs")
	defer line.end()
	report, err := explore.Explore(ctx, e.Scenario, p, c.bounds, line.show)
	if err != nil {
		return nil, fmt.Errorf("check %s: %w", e.Scenario.Name, err)
	}
	return report, nil
}

// A checkVerdict is what was found about one property, as check --json prints it.
type checkVerdict struct {
	Scenario       string                `json:"scenario"`
	Property       explore.Property      `json:"property"`
	Verdict        string                `json:"verdict"` // holds, violated, unknown
	Runs           int64                 `json:"runs"`
	Deviations     int                   `json:"deviations"` // of the counterexample; else as far as was looked
	Counterexample *study.Counterexample `json:"counterexample"`
	File           string                `json:"file,omitempty"`
	Bounds         explore.Bounds        `json:"bounds"`

	replayed *study.Replayed // the counterexample
}

// verdicts judges every property, and saves and draws the counterexamples.
func (c *checkCommand) verdicts(e *study.Experiment, p *scenarios.Profile, r *explore.Report) ([]checkVerdict, error) {
	var all []checkVerdict
	for _, f := range r.Findings {
		v := checkVerdict{
			Scenario: e.Scenario.Name, Property: f.Property, Verdict: "holds",
			Runs: r.Runs, Deviations: len(r.ByLevel) - 1, Bounds: r.Bounds,
		}
		switch {
		case f.Counterexample != nil:
			v.Verdict, v.Deviations = "violated", len(f.Counterexample.Deviations)
			v.Counterexample = study.NewCounterexample(e, p, r.Bounds, f.Counterexample)
			if err := c.save(&v); err != nil {
				return nil, err
			}
		case !r.Complete:
			v.Verdict = "unknown"
		}
		all = append(all, v)
	}
	return all, nil
}

// save writes a counterexample and its timeline.
func (c *checkCommand) save(v *checkVerdict) error {
	x := v.Counterexample
	name := strings.NewReplacer("/", "-", " ", "-").Replace(v.Scenario + "-" + string(x.Property))
	path := filepath.Join(c.output, name)
	text, err := json.MarshalIndent(x, "", "  ")
	if err != nil {
		return err
	}
	v.File = path + ".json"
	if err := os.WriteFile(v.File, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("save the counterexample: %w", err)
	}
	if v.replayed, err = x.Replay(); err != nil {
		return err
	}
	figures, err := plots.Figures(history.Lines{Events: v.replayed.Events}, plots.Options{Title: counterexampleTitle(x, v.replayed)})
	if err != nil {
		return err
	}
	return plots.Save(figures[0], path+".svg")
}

// whatWasChecked is the scenario, and which runs of it.
func whatWasChecked(e *study.Experiment, p *scenarios.Profile, r *explore.Report) string {
	return fmt.Sprintf("%s, profile %s, %d workers, %s each: %s", e.Scenario.Name, p.Name, e.Scenario.Workers,
		number(int64(r.Bounds.Rounds), "round"), howFar(r))
}

func deviationsTried(b *explore.Bounds) string {
	return fmt.Sprintf("deviations: a pause of %v or a crash before and during every step; each latency short or long;\n"+
		"each retry early or late; the order of commands that arrive at one instant", time.Duration(b.Pause))
}

// howFar says which runs were enumerated.
func howFar(r *explore.Report) string {
	most := len(r.ByLevel) - 1
	switch {
	case most == 0:
		return "the quiet run"
	case !r.Complete:
		return fmt.Sprintf("the first %d runs around the quiet run, with up to %s (--max-runs)", r.Runs, number(int64(most), "deviation"))
	}
	return fmt.Sprintf("all %d runs with up to %s from the quiet run", r.Runs, number(int64(most), "deviation"))
}

// number writes a number of things.
func number(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// A notCheckedProperty is a property that cannot be violated in a scenario, and why.
type notCheckedProperty struct {
	property explore.Property
	why      string
}

// notChecked are the properties that have no meaning for a scenario.
func notChecked(s *scenarios.Scenario) []notCheckedProperty {
	properties := explore.Properties(s)
	noLock := !slices.Contains(properties, explore.NoEndlessAsk)
	var not []notCheckedProperty
	for _, p := range []notCheckedProperty{
		{explore.NoStaleWrite, "nothing is written: no fencing.check, no resource"},
		{explore.TokenOrder, "there are no tokens"},
		{explore.NoEndlessAsk, ""},
		{explore.NoLostUpdate, "there is no balance: resource.kind"},
		{explore.DoneOnce, "there are no jobs: resource.kind"},
		{explore.Done, "there are no jobs: resource.kind"},
	} {
		switch {
		case slices.Contains(properties, p.property):
			continue
		case noLock && p.isOfLock():
			p.why = "there is no lock"
		}
		not = append(not, p)
	}
	return not
}

// isOfLock reports whether the property is one of a lock, whatever it protects.
func (p *notCheckedProperty) isOfLock() bool {
	return p.property == explore.NoStaleWrite || p.property == explore.TokenOrder || p.property == explore.NoEndlessAsk
}

// because says how a property is violated, or how far it holds.
func because(v *checkVerdict) string {
	switch {
	case v.Verdict == "holds" && v.Runs == 1:
		return "in the quiet run"
	case v.Verdict == "holds":
		return fmt.Sprintf("in all %d runs", v.Runs)
	case v.Verdict == "unknown":
		return "not violated so far; --max-runs is reached"
	case v.Deviations == 0:
		return "by the quiet run itself"
	}
	return "by " + number(int64(v.Deviations), "deviation")
}

func checkCode(verdicts []checkVerdict) int {
	code := exitOK
	for _, v := range verdicts {
		switch {
		case v.Verdict == "violated":
			return exitFinding
		case v.Verdict == "unknown":
			code = exitUnknown
		}
	}
	return code
}
