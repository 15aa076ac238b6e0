package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locklab/history"
	"locklab/internal/study"
	"locklab/realrun"
	"locklab/realrun/calibrate"
	"locklab/scenarios"
)

// realCommand is what real was asked for.
type realCommand struct {
	gridFlags
	redis     redisFlag
	reps      int
	parallel  int
	repeats   int
	output    string
	resume    bool
	yes       bool
	histories string
	replay    string
	json      bool
}

func newReal() *cobra.Command {
	var c realCommand
	cmd := &cobra.Command{
		Use:   "real SCENARIO... | SCENARIO --axis NAME=VALUES... | --replay FILE",
		Short: "Measure: the same scenarios on real Redis, with real processes that are really stopped",
		Long: `Runs each scenario on real Redis: one process per worker, and every pause a real
stop of that process. The runs go side by side, since they mostly sleep, in waves
of --parallel runs: no process starts, and none reports, while another runs.

With --axis, as in sweep, or of the YAML file of a sweep, it measures one scenario
in all combinations of the values, --reps times each. Its records answer to the
cells of the same sweep. It says first what will be done and how long that takes;
Ctrl-C, a Redis that goes away or a kill leave a valid file, with which --resume
goes on.

A run is disturbed if meanwhile the machine was suspended, its clock jumped, or
the supervisor or Redis was later than the profile has it. It is marked so in
its record, measured again, and never counts as a measurement.

The records name the profile that was measured of this machine, so that compare
can hold them against a prediction under it (sim --profile machine).

Exit code: 0 all was measured; 2 some or all could not be; 3 all that is missing
was disturbed each time.`,
		Example: `  locklab real lesson/d --reps 3 -o measured.jsonl
  locklab real lesson/d --axis ttl=600ms..1400ms/5 --scale 0.1 -o measured.jsonl
  locklab real mine.yaml --redis redis://:PASSWORD@db.example:6379
  locklab real --replay out/check/lesson-d-no-conflict.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if c.replay != "" {
				return nil
			}
			return atLeastOne("a scenario; `locklab scenarios list` shows what is built in")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	c.registerAll(cmd.Flags())
	return cmd
}

func (c *realCommand) registerAll(flags *pflag.FlagSet) {
	c.register(flags, "machine")
	c.redis.register(flags)
	flags.IntVar(&c.reps, "reps", 3, "repetitions of each scenario, or cell")
	flags.IntVar(&c.parallel, "parallel", usualRuns, "runs side by side, unless the profile says how many the machine carries; 0 for all")
	flags.IntVar(&c.repeats, "repeats", 3, "measure a run that was disturbed again, at most so often")
	flags.StringVarP(&c.output, "output", "o", "", "write the records to this `FILE` (JSON lines), those of each wave as it ends; - for standard output instead of the table")
	flags.BoolVar(&c.resume, "resume", false, "with --axis: go on with the FILE, and measure what it lacks")
	flags.BoolVar(&c.yes, "yes", false, "start even if it will take more than an hour")
	flags.StringVar(&c.histories, "histories", "", "write the events of each run into this `DIR`ectory (JSON lines)")
	flags.StringVar(&c.replay, "replay", "", "carry out the counterexample in this `FILE` (from check) instead of a scenario, and say whether its violation happens here too")
	flags.BoolVar(&c.json, "json", false, "print the records instead of the table")
}

func (c *realCommand) run(cmd *cobra.Command, args []string) error {
	if err := cmp.Or(atLeast("reps", c.reps, 1), atLeast("parallel", c.parallel, 0), atLeast("repeats", c.repeats, 0)); err != nil {
		return err
	}
	if c.replay != "" {
		return c.runReplay(cmd, args)
	}
	grid, experiments, err := c.what(cmd.Flags(), args)
	if err != nil {
		return err
	}
	return c.measureAll(cmd, grid, experiments)
}

// what is what is to be measured: the cells of a grid, if there are axes, else scenarios.
func (c *realCommand) what(flags *pflag.FlagSet, args []string) (*study.RealGrid, []*study.Experiment, error) {
	if len(args) > 1 {
		if len(c.axes) > 0 || c.resume {
			return nil, nil, fmt.Errorf("real: %d scenarios; --axis and --resume are for one", len(args))
		}
		experiments, err := c.with.load(args)
		return nil, experiments, err
	}
	file, err := c.load(flags, args[0])
	if err != nil {
		return nil, nil, err
	}
	isFile := c.output != "" && c.output != "-"
	switch {
	case len(file.Axes) > 0 && c.resume && !isFile:
		return nil, nil, errors.New("--resume: say which file to go on with, -o FILE")
	case len(file.Axes) > 0:
		grid, err := study.NewRealGrid(study.RealGridPlan{
			Scenario: file.Scenario, Set: file.Set, Scale: c.with.scale, Axes: file.Axes, Reps: c.reps, Seed: c.seed,
		})
		if err != nil {
			return nil, nil, fmt.Errorf("real: %w", err)
		}
		return grid, grid.Cells, nil
	case c.resume:
		return nil, nil, errors.New("--resume: only a grid can be resumed; give it axes, --axis name=values")
	}
	experiments, err := c.with.load(args)
	return nil, experiments, err
}

// measureAll measures on a session of its own.
func (c *realCommand) measureAll(cmd *cobra.Command, grid *study.RealGrid, experiments []*study.Experiment) (err error) {
	out := &realOutput{path: c.output, grid: grid, resumed: c.resume}
	if !c.resume { // else it depends on what is there already
		if err := c.askForYes(out, c.measurement(nil), experiments); err != nil {
			return err
		}
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
	if err := study.Provide(cmd.Context(), session, experiments); err != nil {
		return err
	}
	if err := out.try(cmd.OutOrStdout()); err != nil {
		return err
	}
	if err := makeDir(c.histories); err != nil {
		return err
	}
	profile, err := c.loadProfile(cmd, session, len(experiments))
	if err != nil {
		return err
	}
	m := c.measurement(profile)
	if err := out.read(m, session.Store()); err != nil {
		return err
	}
	if err := c.askForYes(out, m, experiments); err != nil {
		return err
	}
	if err := out.begin(); err != nil {
		return err
	}
	if grid != nil {
		c.announce(cmd.ErrOrStderr(), out, m, experiments)
	}
	return c.measure(cmd, session, m, experiments, out)
}

// loadProfile is the profile of the machine and the session's Redis, and takes from it how many runs go side by side, unless
// the user has said so.
func (c *realCommand) loadProfile(cmd *cobra.Command, s *realrun.Session, experiments int) (*scenarios.Profile, error) {
	profile, err := c.profile.load(cmd.ErrOrStderr(), func() (*scenarios.Profile, error) {
		return calibrate.Machine(cmd.Context(), s, c.measurement(nil).Side(experiments))
	})
	if err != nil {
		return nil, err
	}
	if profile.Carries > 0 && !cmd.Flags().Changed("parallel") {
		c.parallel = profile.Carries
	}
	if err := study.CheckStore(cmd.Context(), s, profile); err != nil {
		return nil, fmt.Errorf("--profile %s does not fit: %w; locklab calibrate%s -o FILE measures what is there now, for --profile FILE",
			c.profile.name, err, c.redis.forHint())
	}
	return profile, nil
}

// measurement is what was asked for, under a profile, but for what becomes of its runs.
func (c *realCommand) measurement(p *scenarios.Profile) *study.Measurement {
	return &study.Measurement{Profile: p, Seed: c.seed, Reps: c.reps, Parallel: c.parallel, Repeats: c.repeats}
}

func (c *realCommand) measure(cmd *cobra.Command, s *realrun.Session, m *study.Measurement, experiments []*study.Experiment, out *realOutput) error {
	bar := newBars(cmd.ErrOrStderr())
	m.Stage = bar.BeginFor
	m.Each = func(run study.Measured) error {
		if err := out.keep(&run.Record); err != nil {
			return err
		}
		return c.keepHistory(&run, out.grid != nil)
	}
	begin := time.Now()
	missing, err := m.Measure(cmd.Context(), s, experiments)
	bar.End()
	if closing := out.close(); err == nil {
		err = closing
	}
	if len(out.records) > 0 { // also if the rest was interrupted
		if printing := c.print(cmd.OutOrStdout(), s.Store(), out); err == nil {
			err = printing
		}
	}
	wanted := c.reps * len(experiments)
	if err != nil {
		return out.howToGoOn(wanted, err)
	}
	out.sumUp(cmd.ErrOrStderr(), time.Since(begin))
	return reportMissing(cmd.ErrOrStderr(), missing, wanted)
}

// keepHistory writes the events of a run, if that was asked for.
func (c *realCommand) keepHistory(run *study.Measured, ofGrid bool) error {
	if c.histories == "" {
		return nil
	}
	name := run.HistoryFile()
	if ofGrid {
		name = fmt.Sprintf("cell-%d-%s", run.Experiment, name)
	}
	return writeEvents(filepath.Join(c.histories, name), run.Events)
}

// undisturbed are the records that count.
func undisturbed(records []history.Record) (kept []history.Record) {
	for _, r := range records {
		if !r.Disturbed {
			kept = append(kept, r)
		}
	}
	return kept
}
