// Package cli is the command line: flags, files, exit codes. One file per subcommand; the work is done elsewhere.
//
// Standard output is data; progress and messages go to standard error.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"locklab/realrun"
)

// The exit codes. A finding is a command's own: some differ, or a property is violated.
const (
	exitOK          = 0
	exitFinding     = 1
	exitFailed      = 2
	exitUnknown     = 3
	exitInterrupted = 130 // as shells have it for SIGINT
)

// An exit is an error that only carries an exit code: what there was to say has been said.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Main runs the command line and gives the exit code. In a process that was started to be a worker of a real run, it is
// that worker.
func Main(args []string, stdout, stderr io.Writer) int {
	if realrun.IsWorker() {
		return realrun.Work()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// A reader that goes away (`locklab … | head`) is met when writing fails, like a full disk; with the signal's default
	// a measurement would end before it has cleaned up.
	signal.Ignore(syscall.SIGPIPE)
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return code(root.ExecuteContext(ctx), stderr)
}

// code reports an error, and gives the exit code that belongs to it.
func code(err error, stderr io.Writer) int {
	var own exit
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &own):
		return int(own)
	case errors.Is(err, syscall.EPIPE):
		return exitOK // the reader has seen enough
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(stderr, "locklab: interrupted: %v\n", err)
		return exitInterrupted
	}
	fmt.Fprintf(stderr, "locklab: %v\n", err)
	return exitFailed
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "locklab",
		Short: "Will your lease-based lock hold? Predict it, measure it on real Redis, compare.",
		Long: `Will your lease-based lock hold, how often will it not, and what does that cost?

locklab predicts the answer on a virtual clock (sim, trace), measures the same
scenario on real Redis with real processes that are really stopped (real), and
says whether the two agree (compare). lesson does all of it for the five
experiments of a lesson on distributed locks; it takes about a minute.

A scenario is a built-in name (locklab scenarios list) or a YAML file of yours.`,
		Example: `  locklab sim lesson/d                          how often does it fail?
  locklab sim lesson/d --set lock.ttl=3s        and with a longer TTL?
  locklab trace lesson/d --figure zombie.svg    why does it fail?
  locklab sweep lesson/d --axis ttl=1s..3s/9 --csv    where does it stop failing?
  locklab lesson -o out/lesson                  is that true? (needs redis-server)`,
		Version:       version(),
		Args:          noSuchCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		PersistentPreRunE: keepInputs,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetVersionTemplate("locklab {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; `%s --help` lists the flags", err, cmd.CommandPath())
	})
	root.AddCommand(newLesson(), newScenarios(), newSim(), newSweep(), newMerge(), newTrace(), newCheck(), newFit(), newReal(), newCompare(), newTruth(), newPlot(), newView(), newCalibrate())
	return root
}
