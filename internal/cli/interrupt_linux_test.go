package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sys/unix"

	"locklab/realrun/server"
)

const patience = 20 * time.Second

// needRedis skips a test on a machine without a Redis server.
func needRedis(t *testing.T) {
	t.Helper()
	ok, err := hasRedis()
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		t.Skip("needs a Redis server: no redis-server or valkey-server on this machine")
	}
}

// command is a locklab under way.
type command struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
}

// start starts locklab in a folder of its own.
func start(t *testing.T, dir string, args ...string) *command {
	t.Helper()
	c := &command{Cmd: exec.Command("locklab", args...)}
	c.Dir, c.Stdout, c.Stderr = dir, &c.stdout, &c.stderr
	c.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	return c
}

// interrupt sends a signal, and returns the exit code.
func (c *command) interrupt(t *testing.T, s syscall.Signal) int {
	t.Helper()
	if err := c.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	err := c.Wait()
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("it took %v to end", took)
	}
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// children are the processes that a process has started and that have not ended.
func children(pid int) []string {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	var all []string
	for _, file := range threads {
		text, _ := os.ReadFile(file)
		all = append(all, strings.Fields(string(text))...)
	}
	return all
}

func gone(pids []string) bool {
	for _, pid := range pids {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err == nil && !strings.Contains(string(stat), ") Z ") {
			return false
		}
	}
	return true
}

func lines(path string) int {
	text, _ := os.ReadFile(path)
	return bytes.Count(text, []byte("\n"))
}

func wantIn(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q lacks %q", text, part)
		}
	}
}

// Ctrl-C during a measurement on the user's own server: what was measured is kept, and nothing else stays.
func TestInterruptReal(t *testing.T) {
	t.Parallel()
	needRedis(t)
	s, err := server.Start(t.Context(), server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for name, signal := range map[string]syscall.Signal{"SIGINT": syscall.SIGINT, "SIGTERM": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "short.yaml"), []byte("scenario: short\nworkers: 1\nrounds: 1\nwork: 10ms\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			c := start(t, dir, "real", "short.yaml", "lesson/d", "--reps", "1", "--profile", "lab", "--redis", s.URL(),
				"-o", "records.jsonl", "--histories", "histories")
			records := filepath.Join(dir, "records.jsonl")
			eventually(t, "three workers", func() bool { return len(children(c.Process.Pid)) == 3 })
			processes := children(c.Process.Pid)
			time.Sleep(time.Second) // the short run is over, and waits for the long one
			if code := c.interrupt(t, signal); code != 130 {
				t.Errorf("exit code %d, want 130", code)
			}
			wantIn(t, c.stderr.String(), "locklab: interrupted: measured 1 of 2 runs")
			wantIn(t, c.stdout.String(), " short ")
			if strings.Contains(c.stderr.String(), s.URL()) {
				t.Errorf("stderr shows the URL: %s", c.stderr.String())
			}
			if !gone(processes) {
				t.Errorf("of %v some are left", processes)
			}
			if lines(records) != 1 {
				t.Error("the record of the finished run was lost")
			}
			if lines(filepath.Join(dir, "histories", "short-0.jsonl")) == 0 {
				t.Error("the history of the finished run was lost")
			}
		})
	}
	t.Cleanup(func() { // before the server is closed
		keys, err := keysAt(s.URL())
		if err != nil || len(keys) > 0 {
			t.Errorf("keys are left: %v (%v)", keys, err)
		}
	})
}

func keysAt(url string) ([]string, error) {
	o, err := redis.ParseURL(url)
	if err != nil {
		return nil, err
	}
	client := redis.NewClient(o)
	defer client.Close()
	return client.Keys(context.Background(), "*").Result()
}

// Ctrl-C during the main job, in each of its stages.
func TestInterruptLesson(t *testing.T) {
	t.Parallel()
	needRedis(t)
	for _, stage := range []struct {
		name string
		runs string
		far  func(dir string, processes []string) bool
		says string
		kept int // records
	}{
		{"calibrate", "100", func(_ string, processes []string) bool { return len(processes) > 4 }, "calibrate: ", 0},
		{"simulate", "1000000", func(dir string, _ []string) bool { return lines(filepath.Join(dir, "profile.yaml")) > 0 }, "simulate lesson/a", 0},
		{"measure", "100", func(dir string, _ []string) bool { return lines(filepath.Join(dir, "real.jsonl")) > 0 }, "of 5 runs, kept in ", 1},
	} {
		t.Run(stage.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c := start(t, dir, "lesson", "--reps", "1", "--scale", "0.1", "--runs", stage.runs, "-o", "results")
			results := filepath.Join(dir, "results")
			var processes []string
			eventually(t, stage.name, func() bool {
				processes = children(c.Process.Pid)
				return stage.far(results, processes)
			})
			if code := c.interrupt(t, syscall.SIGINT); code != 130 {
				t.Errorf("exit code %d, want 130", code)
			}
			wantIn(t, c.stderr.String(), "locklab: interrupted: ", stage.says)
			if c.stdout.Len() > 0 {
				t.Errorf("stdout: %s", c.stdout.String())
			}
			if len(processes) == 0 || !gone(processes) {
				t.Errorf("of %v some are left", processes)
			}
			if got := lines(filepath.Join(results, "real.jsonl")); got < stage.kept {
				t.Errorf("%d records are kept, want at least %d", got, stage.kept)
			}
		})
	}
}

// Ctrl-C during a check that would take very long.
func TestInterruptCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := start(t, dir, "check", "lesson/b", "--set", "workers=20", "--deviations", "4", "--max-runs", "0")
	eventually(t, "the check begins", func() bool {
		_, err := os.Stat(filepath.Join(dir, "out/check"))
		return err == nil
	})
	if code := c.interrupt(t, syscall.SIGINT); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	wantIn(t, c.stderr.String(), "locklab: interrupted: check lesson/b: ")
	if c.stdout.Len() > 0 {
		t.Errorf("stdout: %s", c.stdout.String())
	}
}

// A server that goes away in mid-run: what was measured is kept and shown, and the cause is said, once.
func TestRedisGoesAway(t *testing.T) {
	t.Parallel()
	needRedis(t)
	s, err := server.Start(t.Context(), server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	dir := t.TempDir()
	c := start(t, dir, "real", "lesson/c", "lesson/d", "--set", "rounds=4", "--scale", "0.5", "--reps", "1", "--profile", "lab", "--redis", s.URL(), "-o", "records.jsonl")
	eventually(t, "four workers", func() bool { return len(children(c.Process.Pid)) == 4 })
	time.Sleep(1200 * time.Millisecond) // lesson/c is over, and waits for lesson/d
	s.Close()
	err = c.Wait()
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("ended with %v, want exit code 2", err)
	}
	wantIn(t, c.stdout.String(), "lesson/c")
	wantIn(t, c.stderr.String(), "locklab: measured 1 of 2 runs: Redis at "+s.Addr, "(worker ")
	if strings.Contains(c.stderr.String(), strings.TrimPrefix(s.URL(), "redis://")) {
		t.Errorf("stderr shows the password: %s", c.stderr.String())
	}
}

// A progress bar shows on a terminal, and only there.
func TestProgressOnATerminal(t *testing.T) {
	t.Parallel()
	master, terminal := openTerminal(t)
	c := exec.Command("locklab", "sim", "lesson/d", "--runs", "500")
	c.Stderr = terminal
	stdout, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	shown, _ := io.ReadAll(master) // ends with an error: nobody has the other end any more
	wantIn(t, string(shown), "simulate", "100%")
	wantIn(t, string(stdout), "lesson/d: 500 runs")
	if bytes.Contains(stdout, []byte("%|")) {
		t.Errorf("the bar is in the data: %s", stdout)
	}
}

// openTerminal opens a pseudo-terminal.
func openTerminal(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("needs a pseudo-terminal: ", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	size := unix.Winsize{Row: 24, Col: 100}
	if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &size); err != nil {
		t.Fatal(err)
	}
	return master, terminal
}
