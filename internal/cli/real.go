package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"locklab/history"
	"locklab/internal/study"
	"locklab/realrun"
	"locklab/realrun/calibrate"
	"locklab/scenarios"
)

// realCommand is what real was asked for.
type realCommand struct {
	with      experimentFlags
	profile   profileFlag
	redis     redisFlag
	seed      uint64
	reps      int
	parallel  int
	output    string
	histories string
	replay    string
	json      bool
}

func newReal() *cobra.Command {
	var c realCommand
	cmd := &cobra.Command{
		Use:   "real SCENARIO... | --replay FILE",
		Short: "Measure: the same scenarios on real Redis, with real processes that are really stopped",
		Long: `Runs each scenario on real Redis: one process per worker, and every pause a real
stop of that process. The runs go side by side, since they mostly sleep, in waves
of --parallel runs: no process starts, and none reports, while another runs.

The records name the profile that was measured of this machine, so that compare
can hold them against a prediction under it (sim --profile machine).`,
		Example: `  locklab real lesson/d --reps 3 -o measured.jsonl
  locklab real mine.yaml --redis redis://:PASSWORD@db.example:6379
  locklab real lesson/c --scale 0.1
  locklab real --replay out/check/lesson-d-no-conflict.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if c.replay != "" {
				return nil
			}
			return atLeastOne("a scenario; `locklab scenarios list` shows what is built in")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.IntVar(&c.reps, "reps", 3, "repetitions of each scenario")
	flags.IntVar(&c.parallel, "parallel", usualRuns, "runs side by side; 0 for all")
	flags.StringVarP(&c.output, "output", "o", "", "write the records to this `FILE` (JSON lines), those of each wave as it ends; - for standard output instead of the table")
	flags.StringVar(&c.histories, "histories", "", "write the events of each run into this `DIR`ectory (JSON lines)")
	flags.StringVar(&c.replay, "replay", "", "carry out the counterexample in this `FILE` (from check) instead of a scenario, and say whether its violation happens here too")
	flags.BoolVar(&c.json, "json", false, "print the records instead of the table")
	seedFlag(flags, &c.seed)
	c.profile.register(flags, "machine")
	c.redis.register(flags)
	c.with.register(flags)
	return cmd
}

func (c *realCommand) run(cmd *cobra.Command, args []string) (err error) {
	for _, check := range []error{atLeast("reps", c.reps, 1), atLeast("parallel", c.parallel, 0)} {
		if check != nil {
			return check
		}
	}
	if c.replay != "" {
		return c.runReplay(cmd, args)
	}
	experiments, err := c.with.load(args)
	if err != nil {
		return err
	}
	end, err := alone(cmd)
	if err != nil {
		return err
	}
	defer end()
	session, err := c.redis.open(cmd.Context())
	if err != nil {
		return err
	}
	defer closing(session, &err)
	out, err := openSink(c.output, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	if err := makeDir(c.histories); err != nil {
		return err
	}
	profile, err := c.profile.load(cmd.ErrOrStderr(), func() (*scenarios.Profile, error) {
		return calibrate.Machine(cmd.Context(), session, c.measurement(nil).Side(len(experiments)))
	})
	if err != nil {
		return err
	}
	return c.measure(cmd, session, profile, experiments, out)
}

// measurement is what was asked for, under a profile, but for what becomes of its runs.
func (c *realCommand) measurement(p *scenarios.Profile) *study.Measurement {
	return &study.Measurement{Profile: p, Seed: c.seed, Reps: c.reps, Parallel: c.parallel}
}

func (c *realCommand) measure(cmd *cobra.Command, s *realrun.Session, p *scenarios.Profile, experiments []*study.Experiment, out *sink) error {
	var records []history.Record
	m := c.measurement(p)
	bar := newBars(cmd.ErrOrStderr())
	bar.BeginFor("measure", m.Expected(experiments))
	m.Each = func(run study.Measured) error {
		records = append(records, run.Record)
		return c.keep(&run, out)
	}
	missing, err := m.Measure(cmd.Context(), s, experiments)
	bar.End()
	if closing := out.close(); err == nil {
		err = closing
	}
	if len(records) > 0 { // also if the rest was interrupted
		if printing := c.print(cmd.OutOrStdout(), s.Store(), records); err == nil {
			err = printing
		}
	}
	if err != nil {
		return fmt.Errorf("measured %d of %d runs: %w", len(records), c.reps*len(experiments), err)
	}
	return reportMissing(cmd.ErrOrStderr(), missing, c.reps*len(experiments))
}

// keep writes what a run left, at once: it is not lost if a later one fails.
func (c *realCommand) keep(run *study.Measured, out *sink) error {
	if err := history.WriteLine(out, &run.Record); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return c.keepHistory(run)
}

// keepHistory writes the events of a run, if that was asked for.
func (c *realCommand) keepHistory(run *study.Measured) error {
	if c.histories == "" {
		return nil
	}
	return writeEvents(filepath.Join(c.histories, run.HistoryFile()), run.Events)
}

func (c *realCommand) print(w io.Writer, store history.Store, records []history.Record) error {
	switch {
	case c.output == "-":
		return nil
	case c.json:
		for i := range records {
			if err := history.WriteLine(w, &records[i]); err != nil {
				return err
			}
		}
		return nil
	}
	return writeRecords(w, store, c.seed, records)
}

func writeRecords(w io.Writer, store history.Store, seed uint64, records []history.Record) error {
	fmt.Fprintf(w, "measured on %s %s, seed %d\n", store.Product, store.Version, seed)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "scenario\trepetition\tentries\tconflicts\trejected writes\tlost holds\tgave up\toverlap, ms\tlongest wait, ms\tend, ms\t")
	for _, r := range sortedRecords(records) {
		fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", r.Scenario, r.Run, r.Entries, r.Conflicts,
			r.RejectedWrites, r.LostHolds, r.GaveUp, r.OverlapNS/1e6, r.WaitMaxNS/1e6, r.EndNS/1e6)
	}
	return out.Flush()
}

// reportMissing says which runs could not be measured and why, and is an error if there are any.
func reportMissing(w io.Writer, missing []study.Missing, wanted int) error {
	if len(missing) == 0 {
		return nil
	}
	fmt.Fprintf(w, "locklab: %d of %d runs were not measured:\n", len(missing), wanted)
	for _, m := range missing {
		if !errors.Is(m.Err, context.Canceled) {
			fmt.Fprintf(w, "  %s, repetition %d: %v\n", m.Scenario, m.Rep, m.Err)
		}
	}
	return exit(exitFailed)
}
