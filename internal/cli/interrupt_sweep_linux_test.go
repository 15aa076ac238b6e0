package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// longSweep is a sweep that would take very long.
func longSweep(more ...string) []string {
	return append([]string{"sweep", "lesson/d", "--set", "rounds=4", "--axis", "work=1ms..1s/1000", "--axis", "ttl=1s..2s/1000", "--runs", "100", "-o", "grid.jsonl"}, more...)
}

// Ctrl-C during a sweep leaves whole lines; whatever ends it, --resume goes on, and changes nothing of what was there.
func TestInterruptSweep(t *testing.T) {
	t.Parallel()
	for _, each := range []string{"--each=false", "--each=true"} {
		t.Run(each, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "grid.jsonl")
			var before []byte
			for i, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL, syscall.SIGTERM} {
				args := longSweep(each)
				if i > 0 {
					args = longSweep(each, "--resume")
				}
				c := start(t, dir, args...)
				had := bytes.Count(before, []byte("\n"))
				eventually(t, "some cells more", func() bool { return lines(path) > had+250 })
				code := c.interrupt(t, signal)
				file, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				whole := file[:bytes.LastIndexByte(file, '\n')+1]
				kept := whole[:bytes.LastIndex(whole, []byte(`{"kind":"cell"`))]
				if !bytes.HasPrefix(file, before) || !bytes.HasPrefix(file, []byte(`{"kind":"sweep",`)) {
					t.Errorf("after %v: what was there has changed", signal)
				}
				before = kept
				if signal == syscall.SIGKILL {
					continue
				}
				if code != 130 || len(whole) != len(file) {
					t.Errorf("after %v: exit code %d, want 130; %d of %d bytes are whole lines", signal, code, len(whole), len(file))
				}
				cells := bytes.Count(file, []byte(`{"kind":"cell"`))
				wantIn(t, c.stderr.String(), "locklab: interrupted: sweep lesson/d: ",
					fmt.Sprintf("; grid.jsonl has %d of 1000000 cells: the same command with --resume goes on", cells))
			}
		})
	}
}

// On a terminal a sweep shows how many runs it does in a second.
func TestSweepOnATerminal(t *testing.T) {
	t.Parallel()
	master, terminal := openTerminal(t)
	c := exec.Command("locklab", "sweep", "lesson/d", "--axis", "ttl=1s,2s", "--runs", "100")
	c.Stderr = terminal
	stdout, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	shown, _ := io.ReadAll(master)
	wantIn(t, string(shown), "sweep ", "100%", "runs/s", "2 cells, 200 runs in ")
	if bytes.Contains(stdout, []byte("%|")) || bytes.Count(stdout, []byte("\n")) != 3 {
		t.Errorf("stdout: %s", stdout)
	}
}
