package cli_test

import (
	"path/filepath"
	"syscall"
	"testing"
)

// Ctrl-C while scenarios are measured: there is a report of those that were, nothing else stays, and it can be gone on with.
func TestInterruptTruth(t *testing.T) {
	t.Parallel()
	needRedis(t)
	dir := t.TempDir()
	args := []string{"truth", "--scenarios", "4", "--longest", "700ms", "--parallel", "2", "-o", "results"}
	c := start(t, dir, args...)
	records := filepath.Join(dir, "results", "real.jsonl")
	eventually(t, "the first wave is measured", func() bool { return lines(records) > 0 })
	processes := children(c.Process.Pid)
	if code := c.interrupt(t, syscall.SIGINT); code != 130 {
		t.Errorf("exit code %d, want 130: %s", code, c.stderr.String())
	}
	kept := lines(records)
	wantIn(t, c.stdout.String(), "the prediction  ", "scenarios       4 random ones of seed 1")
	wantIn(t, c.stderr.String(), "locklab: interrupted: measured ", " of 4 scenarios, kept in results; --resume goes on: ")
	if !gone(processes) {
		t.Errorf("of %v some are left", processes)
	}
	again := start(t, dir, append(args, "--resume")...)
	if err := again.Wait(); err != nil && again.ProcessState.ExitCode() == 2 {
		t.Errorf("%v: %s", err, again.stderr.String())
	}
	wantIn(t, again.stdout.String(), " of 4, once each, on ")
	if got := lines(records); got < 4 || kept == 0 {
		t.Errorf("%d records were kept, and %d are there at the end", kept, got)
	}
}
