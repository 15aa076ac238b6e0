package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locklab/internal/study"
	"locklab/scenarios"
)

// sweepCommand is what sweep was asked for.
type sweepCommand struct {
	gridFlags
	runs      int64
	precision float64
	mostRuns  int64
	output    string
	each      bool
	csv       bool
	resume    bool
	shard     string
	yes       bool
}

func newSweep() *cobra.Command {
	var c sweepCommand
	cmd := &cobra.Command{
		Use:   "sweep SCENARIO|FILE",
		Short: "Simulate a scenario in all combinations of parameters; in parallel, resumable, in shards",
		Long: `Simulates a scenario in all combinations of the values of its axes and writes a
cell (the sum of its runs) for each as a JSON line, in order, the last axis moving
fastest. FILE is a scenario or a whole sweep as YAML; flags win over the file.

An axis is a parameter, by its path (lock.ttl, work, pauses[0].for, workers) or
short name (ttl, pause, retry, network), and its values:
  from..to/n     n values, both ends included
  from..to*n     n values, each the same multiple of the one before it
  from..to:step  from, from + step, ...
  a,b,c          these

Every cell has the same seeds. The file does not depend on the number of
processors, on interruptions (--resume) or on how it is shared out (--shard,
merge): it is always the same bytes.`,
		Example: `  locklab sweep lesson/d --axis ttl=100ms..2060ms/50 --axis pause=0ms..1960ms/50 -o grid.jsonl
  locklab sweep lesson/d --axis ttl=100ms..2060ms/50 --precision 0.01 --csv
  locklab sweep grid.yaml -o grid.jsonl --resume
  locklab sweep grid.yaml -o part-3.jsonl --shard 3/10`,
		Args: exactlyOne("a scenario, or the YAML file of a sweep"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	c.registerAll(cmd.Flags())
	return cmd
}

func (c *sweepCommand) registerAll(flags *pflag.FlagSet) {
	c.register(flags, "lab")
	flags.Int64Var(&c.runs, "runs", study.DefaultRuns, "runs of each cell")
	flags.Float64Var(&c.precision, "precision", 0, "instead of --runs: until the 95 % interval of the conflict rate is so wide, in batches of 100 runs, e.g. 0.01")
	flags.Int64Var(&c.mostRuns, "most-runs", study.DefaultMostRuns, "with --precision: at most so many runs of a cell")
	flags.StringVarP(&c.output, "output", "o", "-", "write to this `FILE`; - for standard output")
	flags.BoolVar(&c.each, "each", false, "write a record of every run, too, before its cell")
	flags.BoolVar(&c.csv, "csv", false, "write a table instead: a row for each cell")
	flags.BoolVar(&c.resume, "resume", false, "go on where the FILE ends")
	flags.StringVar(&c.shard, "shard", "", "only the i-th of n parts, `i/n` with i from 0; auto or auto/n: as the environment of an array job says (Slurm, AWS Batch; Kubernetes with /n)")
	flags.BoolVar(&c.yes, "yes", false, "start even if there are more than 10^9 runs")
}

func (c *sweepCommand) run(cmd *cobra.Command, name string) error {
	if err := c.check(cmd.Flags()); err != nil {
		return err
	}
	plan, err := c.plan(cmd.Flags(), name)
	if err != nil {
		return err
	}
	if plan.Profile, err = c.profile.load(cmd.ErrOrStderr(), measureUsual(cmd)); err != nil {
		return err
	}
	s, err := study.NewSweep(plan)
	if err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	if err := c.askForYes(cmd.Context(), s); err != nil {
		return err
	}
	out, err := c.open(s, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	done, err := c.sweep(cmd.Context(), cmd.ErrOrStderr(), s, out)
	if closing := out.close(); err == nil {
		err = closing
	}
	if err != nil {
		return out.howToGoOn(err, c.csv)
	}
	done.print(cmd.ErrOrStderr(), s, out)
	return nil
}

// check refuses flags that do not go together.
func (c *sweepCommand) check(flags *pflag.FlagSet) error {
	isFile := c.output != "" && c.output != "-"
	switch {
	case flags.Changed("runs") && flags.Changed("precision"):
		return errors.New("--runs and --precision: give one of the two")
	case flags.Changed("precision") && !(c.precision > 0 && c.precision < 1):
		return fmt.Errorf("--precision %v: must be above 0 and below 1, e.g. 0.01", c.precision)
	case c.resume && !isFile:
		return errors.New("--resume: say which file to go on with, -o FILE")
	case c.csv && (c.each || c.resume || c.shard != ""):
		return errors.New("--csv: a table has no records, and cannot be resumed or merged; leave out --each, --resume, --shard")
	}
	return nil
}

// plan is what the flags ask for, and, where they say nothing, the file.
func (c *sweepCommand) plan(flags *pflag.FlagSet, name string) (study.SweepPlan, error) {
	file, err := c.load(flags, name)
	if err != nil {
		return study.SweepPlan{}, err
	}
	plan := study.SweepPlan{
		Scenario: file.Scenario, Set: file.Set, Scale: c.with.scale, Axes: file.Axes, Seed: c.seed, Each: c.each,
	}
	if plan.Rule, err = c.rule(flags, file); err != nil {
		return plan, err
	}
	plan.Shard, err = study.ParseShard(c.shard, os.Getenv)
	if err != nil {
		return plan, fmt.Errorf("--%w", err)
	}
	return plan, nil
}

// rule is how many runs a cell has.
func (c *sweepCommand) rule(flags *pflag.FlagSet, file *scenarios.SweepFile) (study.Rule, error) {
	precision := c.precision
	if file.Precision != nil && !flags.Changed("precision") && !flags.Changed("runs") {
		precision = *file.Precision
	}
	switch {
	case precision == 0 && flags.Changed("most-runs"):
		return study.Rule{}, errors.New("--most-runs: is for --precision; want --runs for a number of runs")
	case precision == 0 && file.Runs != nil && !flags.Changed("runs"):
		return study.Rule{Runs: *file.Runs}, nil
	case precision == 0:
		return study.Rule{Runs: c.runs}, nil
	case file.MostRuns != nil && !flags.Changed("most-runs"):
		return study.Rule{Precision: precision, MostRuns: *file.MostRuns}, nil
	}
	return study.Rule{Precision: precision, MostRuns: c.mostRuns}, nil
}

// A sweepDone is what was computed.
type sweepDone struct {
	runs int64
	took time.Duration
}

func (c *sweepCommand) sweep(ctx context.Context, stderr io.Writer, s *study.Sweep, out *sweepFile) (done sweepDone, err error) {
	bar := newBars(stderr)
	defer bar.End()
	run := study.SweepRun{From: out.cells, Text: study.CellLine}
	if c.csv {
		run.Text = s.CSVRow
	}
	cellDone := func(int) {}
	const mostShown = 1 << 62
	if left := s.Cells() - out.cells; s.Header().Precision > 0 || s.MostRuns() > mostShown {
		bar.BeginRate("sweep", left, "cells")
		cellDone = bar.Add
	} else {
		bar.BeginRate("sweep", left*int(s.Header().Runs), "runs")
		run.Done = bar.Add
	}
	run.Put = func(text []byte, cells int, runs int64) error {
		if err := out.write(text); err != nil {
			return err
		}
		out.cells += cells
		done.runs += runs
		cellDone(cells)
		return nil
	}
	begin := time.Now()
	err = s.Run(ctx, run)
	done.took = time.Since(begin)
	return done, err
}

func (d *sweepDone) print(w io.Writer, s *study.Sweep, out *sweepFile) {
	h := s.Header()
	before := ""
	if out.before > 0 {
		before = fmt.Sprintf(" (%d were there already)", out.before)
	}
	if out.before == s.Cells() && out.before > 0 {
		fmt.Fprintf(w, "%s: nothing is left to do, all %d cells are in %s\n", h.Scenario, out.before, out.path)
		return
	}
	fmt.Fprintf(w, "%s: %s%s, %s in %.1f s, %.0f runs/s; seed %d, profile %s%s\n", h.Scenario, number(int64(out.cells), "cell"), before,
		number(d.runs, "run"), d.took.Seconds(), float64(d.runs)/max(d.took.Seconds(), 1e-9), h.Seed, h.Profile, changed(h.Params))
}
