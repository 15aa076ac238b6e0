package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"locklab/internal/choice"
	"locklab/realrun/calibrate"
	"locklab/scenarios"
)

func newCalibrate() *cobra.Command {
	var (
		redis  redisFlag
		output string
		runs   int
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Measure this machine: timers, round trips, stops",
		Long: `Measures this machine with what it will run: real worker processes that sleep,
send commands to real Redis, and are stopped. The profile is kept in your cache
folder, where --profile machine finds it, or written to a file.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := atLeast("parallel", runs, 2); err != nil {
				return err
			}
			if output == "" {
				if output, err = machineFile(); err != nil {
					return err
				}
			}
			if err := tryProfile(output); err != nil {
				return err
			}
			bar := newBars(cmd.ErrOrStderr())
			bar.BeginFor("measure this machine", 4*time.Second)
			p, err := redis.measureMachine(cmd.Context(), runs)
			bar.End()
			if err != nil {
				return err
			}
			if err := keepProfile(output, p); err != nil {
				return err
			}
			fmt.Fprintln(cmd.ErrOrStderr(), "profile kept in", output)
			warnBusy(cmd.ErrOrStderr(), p)
			return printProfile(cmd.OutOrStdout(), p, asJSON)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&output, "output", "o", "", "write the profile to this `FILE` instead of the cache folder")
	flags.IntVar(&runs, "parallel", usualRuns, "runs side by side: as many as the measurements that follow will have")
	flags.BoolVar(&asJSON, "json", false, "print JSON lines")
	redis.register(flags)
	return cmd
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

// printProfile shows a few quantiles of each law.
func printProfile(w io.Writer, p *scenarios.Profile, asJSON bool) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	if !asJSON {
		fmt.Fprintln(out, "microseconds\tsamples\t5 %\t50 %\t90 %\t99 %\tmost\t")
	}
	for _, l := range lawsOf(p) {
		q := quantiles(l.law)
		if asJSON {
			line, _ := json.Marshal(map[string]any{"law": l.name, "samples": len(l.law.Samples),
				"p5_us": q[0], "p50_us": q[1], "p90_us": q[2], "p99_us": q[3], "max_us": q[4]})
			fmt.Fprintf(out, "%s\n", line)
			continue
		}
		fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", l.name, len(l.law.Samples), q[0], q[1], q[2], q[3], q[4])
	}
	return out.Flush()
}

// quantiles are some of a law's quantiles, in microseconds.
func quantiles(l *choice.Law) (q [5]int64) {
	for i, p := range [...]float64{0.05, 0.5, 0.9, 0.99} {
		q[i] = l.Quantile(uint64(p*(1<<63))*2) / 1000
	}
	q[4] = l.Max() / 1000
	return q
}

type namedLaw struct {
	name string
	law  *choice.Law
}

func lawsOf(p *scenarios.Profile) []namedLaw {
	laws := []namedLaw{{"round trip after a sleep", &p.Network.AfterSleep}, {"round trip after a reply", &p.Network.AfterReply}}
	for i := range p.Timers {
		laws = append(laws, namedLaw{fmt.Sprintf("lateness of a sleep of %v", time.Duration(p.Timers[i].Sleep)), &p.Timers[i].Late})
	}
	return append(laws, namedLaw{"lateness of the start", &p.Start}, namedLaw{"delay of a stop", &p.Stop}, namedLaw{"delay of a continue", &p.Continue},
		namedLaw{"lateness of the watch", &p.Watch.Late}, namedLaw{"answer to the watch", &p.Watch.Answer})
}
