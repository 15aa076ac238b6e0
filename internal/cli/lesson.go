package cli

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"locklab/compare"
	"locklab/internal/study"
)

func newLesson() *cobra.Command {
	var (
		l     study.Lesson
		redis redisFlag
		json  bool
	)
	cmd := &cobra.Command{
		Use:   "lesson",
		Short: "The main job: simulate the lesson, replay it on real Redis, compare, draw",
		Long: `Simulates the five experiments of the lesson, replays them on real Redis with
real processes that are really stopped, compares the two, and draws figures.

It first measures this machine for about 4 s, then predicts twice: under the
profile of the lesson's lab, to be held against what was published, and under
this machine's, to be held against what is measured. It takes about a minute.

Prints the table, and leaves a folder: report.html, a page with the verdict, the
figures and a timeline of runs that can be played; real.jsonl, histories/,
simulated.jsonl, profile.yaml, comparison.json and .md, and the figures as SVG
and PNG. With --all it does so with every built-in scenario, in sections, and
writes lesson.md: what each part of a lock is for, and which ways to update do
without one.

Exit code: 0 all agree, 1 some differ, 3 none differs but some are unknown,
2 it could not be carried out or not all of it was measured.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l.Redis = redis.url
			l.Progress = newBars(cmd.ErrOrStderr())
			return runLesson(cmd, &l, json)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&l.All, "all", false, "all sections of the lesson, and the page lesson.md, in at most five minutes")
	flags.StringVarP(&l.Dir, "output", "o", "out/lesson", "the `DIR`ectory for results")
	flags.IntVar(&l.Runs, "runs", 10_000, "simulated runs of each experiment under each profile")
	flags.IntVar(&l.Reps, "reps", 3, "measured repetitions of each experiment")
	flags.IntVar(&l.Parallel, "parallel", 0, "measured runs side by side; 0 for all")
	flags.Float64Var(&l.Scale, "scale", 1, "multiply every duration by this")
	flags.BoolVar(&json, "json", false, "print the comparison as JSON lines")
	seedFlag(flags, &l.Seed)
	redis.register(flags)
	return cmd
}

func runLesson(cmd *cobra.Command, l *study.Lesson, json bool) error {
	if err := cmp.Or(atLeast("runs", l.Runs, 1), atLeast("reps", l.Reps, 1), atLeast("parallel", l.Parallel, 0)); err != nil {
		return err
	}
	end, err := alone(cmd)
	if err != nil {
		return err
	}
	defer end()
	result, err := l.Run(cmd.Context())
	if err != nil {
		return err
	}
	if err := writeRows(cmd.OutOrStdout(), result.Rows, json, false); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "\nResults and figures are in %s.\n", l.Dir)
	warnBusy(cmd.ErrOrStderr(), result.Profile)
	if err := reportMissing(cmd.ErrOrStderr(), result.Missing, l.Reps*result.Experiments); err != nil {
		return err
	}
	return exitWith(compare.ExitCode(result.Rows))
}

// exitWith is the error for an exit code that a command ends with on purpose.
func exitWith(code int) error {
	if code == exitOK {
		return nil
	}
	return exit(code)
}
