package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"locklab/realrun/calibrate"
	"locklab/scenarios"
)

// calibrateCommand is what calibrate was asked for.
type calibrateCommand struct {
	redis    redisFlag
	output   string
	parallel int
	quick    bool
	stores   int
	json     bool
}

func newCalibrate() *cobra.Command {
	var c calibrateCommand
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Measure this machine: timers, round trips, stops",
		Long: `Measures this machine with what it will run: real worker processes that sleep,
send commands to real Redis, and are stopped. It takes about 20 s: first a pair of
runs has the machine for itself, then more and more runs go side by side, to see
how many it carries, and then so many are measured thoroughly.

The profile is kept in your cache folder, where --profile machine finds it, or
written to a file. The table shows each delay of the pair and under load, in
microseconds, as far into the tail as there are samples.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&c.output, "output", "o", "", "write the profile to this `FILE` instead of the cache folder")
	flags.IntVar(&c.parallel, "parallel", 0, "runs side by side: as many as the measurements that follow will have; 0 for as many as the machine carries")
	flags.BoolVar(&c.quick, "quick", false, "take 4 s: only the runs side by side, 15 unless --parallel says otherwise")
	flags.IntVar(&c.stores, "stores", 1, "so many stores, if what follows are locks at several: measure also what commands cost that are sent at once")
	flags.BoolVar(&c.json, "json", false, "print JSON lines")
	c.redis.register(flags)
	return cmd
}

func (c *calibrateCommand) run(cmd *cobra.Command) (err error) {
	if c.parallel != 0 {
		if err := atLeast("parallel", c.parallel, 2); err != nil {
			return err
		}
	}
	if err := atLeast("stores", c.stores, 1); err != nil {
		return err
	}
	path := c.output
	if path == "" {
		if path, err = machineFile(); err != nil {
			return err
		}
	}
	if err := tryProfile(path); err != nil {
		return err
	}
	end, err := alone(cmd)
	if err != nil {
		return err
	}
	defer end()
	report, err := c.measure(cmd)
	if err != nil {
		return err
	}
	if err := keepProfile(path, report.Profile); err != nil {
		return err
	}
	fmt.Fprintln(cmd.ErrOrStderr(), "profile kept in", path)
	warn(cmd.ErrOrStderr(), report.Busy())
	return printReport(cmd.OutOrStdout(), report, c.json)
}

func (c *calibrateCommand) measure(cmd *cobra.Command) (report *calibrate.Report, err error) {
	s, err := c.redis.open(cmd.Context())
	if err != nil {
		return nil, err
	}
	defer closing(s, &err)
	if err := s.Provide(cmd.Context(), c.stores); err != nil {
		return nil, err
	}
	bar := newBars(cmd.ErrOrStderr())
	defer bar.End()
	if c.quick {
		bar.BeginFor("measure this machine", calibrate.QuickTime)
		return calibrate.Quick(cmd.Context(), s, cmp.Or(c.parallel, usualRuns))
	}
	return calibrate.Thorough{Runs: c.parallel, Part: bar.BeginFor}.Measure(cmd.Context(), s)
}

// measureMachine measures this machine in a session of its own.
func (f *redisFlag) measureMachine(ctx context.Context, runs int) (p *scenarios.Profile, err error) {
	s, err := f.open(ctx)
	if err != nil {
		return nil, err
	}
	defer closing(s, &err)
	return calibrate.Machine(ctx, s, runs)
}

// warnBusy says so if the machine was so busy while it was measured that predictions for it are worth little.
func warnBusy(stderr io.Writer, p *scenarios.Profile) { warn(stderr, calibrate.Busy(p)) }

func warn(stderr io.Writer, busy string) {
	if busy != "" {
		fmt.Fprintf(stderr, "warning: this machine is busy: %s; measure again when it is idle\n", busy)
	}
}
