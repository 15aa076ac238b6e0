package cli

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"locklab/compare"
	"locklab/internal/study"
)

func newTruth() *cobra.Command {
	var (
		t     study.Truth
		redis redisFlag
		json  bool
	)
	cmd := &cobra.Command{
		Use:   "truth",
		Short: "How far can predictions be trusted? Random scenarios, predicted and measured",
		Long: fmt.Sprintf(`Draws random small scenarios of locks at one store, two of three with a spread in
their conflicts, measures this machine, predicts each scenario for it, measures
each once on real Redis, and says how far the predictions held. The same seed
gives the same scenarios, on every machine.

The predictions hold if, of the scenarios with a spread, at least %g %% have their
conflicts inside the closed interval of 95 %%, and the ranks among the simulated
runs are uniform (not rejected at %g %%). With fewer than %d such scenarios it can
only be found that they do not.

Leaves a folder: report.md, truth.json, the scenarios, the profile, predictions
and records, histories, and figures. Ctrl-C ends it with a report of what was
measured; --resume goes on, with the same --seed and --scenarios.

Exit code: 0 the predictions hold, 1 they do not, 3 too few scenarios with a
spread, 2 it could not be carried out to its end.`, 100*compare.MinInside, 100*compare.Level, compare.MinSpread),
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t.Redis = redis.url
			t.Progress = newBars(cmd.ErrOrStderr())
			t.Announce = func(p study.TruthPlan) { announce(cmd.ErrOrStderr(), &p) }
			return runTruth(cmd, &t, json)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&t.Dir, "output", "o", "out/truth", "the `DIR`ectory for results")
	flags.IntVar(&t.Scenarios, "scenarios", 200, "how many scenarios")
	flags.DurationVar(&t.Longest, "longest", 20*time.Second, "leave out scenarios of which a run may take longer")
	flags.IntVar(&t.Runs, "runs", compare.MinRuns, "simulated runs of each scenario under each profile")
	flags.IntVar(&t.Parallel, "parallel", usualRuns, "measure as many workers at once as so many runs of two workers have")
	flags.BoolVar(&t.Resume, "resume", false, "go on with what an interrupted one has left in the DIRectory")
	flags.BoolVar(&json, "json", false, "print the report as a JSON line")
	seedFlag(flags, &t.Seed)
	redis.register(flags)
	return cmd
}

func runTruth(cmd *cobra.Command, t *study.Truth, json bool) error {
	if err := cmp.Or(
		atLeast("scenarios", t.Scenarios, 1), atLeast("runs", t.Runs, compare.MinRuns), atLeast("parallel", t.Parallel, 2),
	); err != nil {
		return err
	}
	end, err := alone(cmd)
	if err != nil {
		return err
	}
	defer end()
	report, err := t.Run(cmd.Context())
	if report == nil {
		return err
	}
	write := report.WriteText
	if json {
		write = report.WriteJSON
	}
	if printing := write(cmd.OutOrStdout()); err == nil {
		err = printing
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "\nResults and figures are in %s.\n", t.Dir)
	warnBusy(cmd.ErrOrStderr(), report.Profile)
	if err != nil {
		return err
	}
	return exitWith(report.Verdict.ExitCode())
}

// announce says what is going to be done.
func announce(w io.Writer, p *study.TruthPlan) {
	fmt.Fprintf(w, "%d scenarios, %d with a spread under lab, %d workers", p.Scenarios, p.Spread, p.Workers)
	if p.Measured > 0 {
		fmt.Fprintf(w, "; %d were measured already", p.Measured)
	}
	fmt.Fprintf(w, "\nabout %v to simulate; about %v to measure, in %d waves of at most %d workers at once\n",
		p.Predict.Round(time.Second), p.Measure.Round(time.Second), p.Waves, p.AtOnce)
}
