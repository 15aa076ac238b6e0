package cli_test

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// Ctrl-C ends a fit at once, and no half of a table is printed.
func TestInterruptFit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := start(t, dir, "fit", "lesson/d", "--axis", "retry=1ms..1s/300", "--axis", "think=1ms..1s/300", "-o", "fit.jsonl")
	eventually(t, "it has begun", func() bool { _, err := os.Stat(dir + "/fit.jsonl"); return err == nil })
	begin := time.Now()
	code := c.interrupt(t, syscall.SIGINT)
	if code != 130 || c.stdout.Len() > 0 || time.Since(begin) > patience/2 {
		t.Errorf("exit code %d after %v, printed %q", code, time.Since(begin), c.stdout.String())
	}
	wantIn(t, c.stderr.String(), "locklab: interrupted: fit: ")
}
