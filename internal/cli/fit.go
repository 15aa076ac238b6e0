package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locklab/history"
	"locklab/internal/study"
	"locklab/plots"
)

// fitCommand is what fit was asked for.
type fitCommand struct {
	with     experimentFlags
	profile  profileFlag
	axes     []string
	data     []string
	runs     int64
	refined  int64
	seed     uint64
	best     int
	yes      bool
	output   string
	figure   string
	json     bool
	markdown bool
}

func newFit() *cobra.Command {
	var c fitCommand
	cmd := &cobra.Command{
		Use:   "fit SCENARIO... --axis NAME=VALUES...",
		Short: "Find the parameters that nobody stated: those that make the counts most likely",
		Long: `Simulates the scenarios with all combinations of the values of the axes, the same
in each scenario, and says how likely each combination makes the counts that are
published of them, or those of measured runs (--data). It prints the most likely
combinations and the ridge: all those that the counts do not tell from the best.

Axes are written as for sweep. A scenario that lacks what an axis is a part of
(a lock, a pause) is not moved along it: its counts say nothing about it.

All combinations are simulated --runs times, and those near the best --refine
times.

Exit code: 0 the best combination explains all counts, 1 some lie outside of all
its simulated runs.`,
		Example: `  locklab fit lesson/d lesson/e --axis retry=10ms,25ms,50ms --axis think=0ms,10ms,20ms
  locklab fit lesson/d lesson/e --axis retry=10ms..50ms:5ms --figure fit.svg -o fit.jsonl
  locklab real lesson/d --reps 10 -o measured.jsonl
  locklab fit lesson/d --axis retry=10ms..50ms:5ms --data measured.jsonl --profile machine`,
		Args: atLeastOne("scenarios; `locklab scenarios list` shows what is built in"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	c.register(cmd.Flags())
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	return cmd
}

func (c *fitCommand) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&c.axes, "axis", nil, "look along a parameter, `name=values` (repeatable)")
	flags.StringArrayVar(&c.data, "data", nil, "explain the records in this `FILE` instead of what is published (repeatable)")
	flags.Int64Var(&c.runs, "runs", study.DefaultFitRuns, "runs of each scenario with each combination of its parameters")
	flags.Int64Var(&c.refined, "refine", study.DefaultRefinedRuns, "runs where the counts are nearly as likely as with the best")
	flags.IntVar(&c.best, "best", 10, "print so many combinations")
	flags.StringVarP(&c.output, "output", "o", "", "write all combinations to this `FILE`, as JSON lines; - for standard output, without the table")
	flags.StringVar(&c.figure, "figure", "", "draw how likely the values are into this `FILE` (.svg, .png or .pdf)")
	flags.BoolVar(&c.json, "json", false, "print JSON lines")
	flags.BoolVar(&c.markdown, "markdown", false, "print Markdown tables")
	flags.BoolVar(&c.yes, "yes", false, "start even if there are more than 10^9 runs")
	seedFlag(flags, &c.seed)
	c.profile.register(flags, "lab")
	c.with.register(flags)
}

func (c *fitCommand) run(cmd *cobra.Command, names []string) error {
	plan, err := c.plan(cmd.Flags(), names)
	if err != nil {
		return err
	}
	if plan.Profile, err = c.profile.load(cmd.ErrOrStderr(), measureUsual(cmd)); err != nil {
		return err
	}
	fit, err := study.NewFit(plan)
	if err != nil {
		return fmt.Errorf("fit: %w", err)
	}
	if runs := float64(fit.Cells()) * float64(plan.Runs); runs > manyRuns && !c.yes {
		return fmt.Errorf("fit: %.3g runs of %d combinations; --yes starts them all the same", runs, fit.Combinations())
	}
	out, err := openSink(c.output, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	result, err := fit.Run(cmd.Context(), newBars(cmd.ErrOrStderr()))
	if err == nil && c.output != "" {
		err = result.WriteLines(out, result.Combinations)
	}
	if closing := out.close(); err == nil {
		err = closing
	}
	if err == nil {
		err = c.show(cmd, result)
	}
	if err == nil && len(result.Unexplained) > 0 {
		return exitWith(exitFinding)
	}
	return err
}

// plan is what the flags ask for, but for the profile.
func (c *fitCommand) plan(flags *pflag.FlagSet, names []string) (plan study.FitPlan, err error) {
	if err := atLeast("best", c.best, 1); err != nil {
		return plan, err
	}
	if c.figure != "" {
		if err := plots.CheckPath(c.figure); err != nil {
			return plan, err
		}
	}
	if !flags.Changed("refine") {
		c.refined = max(c.refined, c.runs)
	}
	plan = study.FitPlan{
		Scenarios: names, Set: c.with.set, Scale: c.with.scale, Runs: c.runs, Refined: c.refined, Seed: c.seed,
	}
	if plan.Axes, err = parseAxes(c.axes); err != nil {
		return plan, err
	}
	plan.Data, err = c.records()
	return plan, err
}

// records are those of the files of --data; nil if there is none.
func (c *fitCommand) records() ([]history.Record, error) {
	if len(c.data) == 0 {
		return nil, nil
	}
	lines, err := readFiles(c.data)
	if err != nil {
		return nil, err
	}
	if len(lines.Records) == 0 {
		return nil, errors.New("--data: there are no records in it; real -o writes them, and sim -o those of simulated runs")
	}
	return lines.Records, nil
}

// show prints and draws the result.
func (c *fitCommand) show(cmd *cobra.Command, r *study.FitResult) error {
	var err error
	switch w := cmd.OutOrStdout(); {
	case c.output == "-":
	case c.json:
		err = r.WriteLines(w, c.best)
	default:
		err = newFitReport(r, c.best).write(w, c.markdown)
	}
	if err != nil || c.figure == "" {
		return err
	}
	figures, err := r.Figure().Figures()
	if err != nil {
		return err
	}
	return saveAll(cmd, figures, c.figure)
}
