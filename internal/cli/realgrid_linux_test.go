package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"locklab/history"
	"locklab/realrun/server"
)

// gridOf is a measurement of six cells, twice each, in six waves of some tenths of a second.
func gridOf(more ...string) []string {
	return append([]string{"real", "lesson/d", "--axis", "ttl=1s,2s", "--axis", "work=200ms,300ms,400ms", "--set", "rounds=4", "--scale", "0.1",
		"--reps", "2", "--parallel", "2", "--profile", "lab", "-o", "grid.jsonl"}, more...)
}

func readRecords(t *testing.T, path string) []history.Record {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := history.ReadLines(file)
	if err != nil {
		t.Fatal(err)
	}
	return lines.Records
}

// checkGrid checks that each run of the grid is there once.
func checkGrid(t *testing.T, path string) {
	t.Helper()
	seen := make(map[string]int)
	for _, r := range readRecords(t, path) {
		seen[fmt.Sprint(r.Params.Set, r.Run)]++
	}
	if len(seen) != 12 {
		t.Errorf("%d runs, want 12", len(seen))
	}
	for run, n := range seen {
		if n != 1 {
			t.Errorf("%s is there %d times", run, n)
		}
	}
}

// Whatever ends a measurement of a grid, whole lines are left, and --resume measures the rest.
func TestInterruptRealGrid(t *testing.T) {
	t.Parallel()
	needRedis(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "grid.jsonl")
	for i, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		args := gridOf()
		if i > 0 {
			args = gridOf("--resume")
		}
		before, _ := os.ReadFile(path)
		had := bytes.Count(before, []byte("\n"))
		c := start(t, dir, args...)
		eventually(t, "a wave more", func() bool { return lines(path) >= max(had, 1)+2 })
		code := c.interrupt(t, signal)
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(after, before) {
			t.Errorf("after %v: what was there has changed", signal)
		}
		if signal == syscall.SIGKILL {
			continue
		}
		runs := bytes.Count(after, []byte(`{"kind":"run"`))
		if code != 130 || !bytes.HasSuffix(after, []byte("}\n")) {
			t.Errorf("exit code %d, want 130; the file ends with %q", code, after[len(after)-2:])
		}
		wantIn(t, c.stderr.String(), "lesson/d: 6 cells × 2 repetitions = 12 runs, 2 at once, in 6 waves: about ",
			fmt.Sprintf("locklab: interrupted: measured %d of 12 runs: ", runs), "they are in grid.jsonl: the same command with --resume goes on")
		wantIn(t, c.stdout.String(), "conflicts")
	}
	if err := start(t, dir, gridOf("--resume")...).Wait(); err != nil {
		t.Fatal(err)
	}
	checkGrid(t, path)
}

// userServer is a server of the user's own, at a port that it has again when it is started anew.
type userServer struct {
	port string
	cmd  *exec.Cmd
}

func (s *userServer) start(t *testing.T) {
	t.Helper()
	binary := os.Getenv("REDIS_SERVER")
	for _, name := range []string{"redis-server", "valkey-server"} {
		if binary == "" {
			binary, _ = exec.LookPath(name)
		}
	}
	s.cmd = exec.Command(binary, "--port", s.port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", t.TempDir())
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	eventually(t, "the server answers", func() bool {
		_, err := keysAt(s.url())
		return err == nil
	})
}

func (s *userServer) url() string { return "redis://127.0.0.1:" + s.port }

func (s *userServer) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// A Redis that goes away in the middle of a grid ends it, with the way to go on; when it is back, the grid goes on.
func TestRedisGoesAwayFromAGrid(t *testing.T) {
	t.Parallel()
	needRedis(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "grid.jsonl")
	s := userServer{port: freePort(t)}
	s.start(t)
	c := start(t, dir, gridOf("--redis", s.url())...)
	eventually(t, "a wave", func() bool { return lines(path) >= 3 })
	s.kill()
	_ = c.Wait()
	if code := c.ProcessState.ExitCode(); code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
	wantIn(t, c.stderr.String(), " of 12 runs: Redis at 127.0.0.1:"+s.port, "the same command with --resume goes on")
	if n := strings.Count(c.stderr.String(), "\n"); n > 4 {
		t.Errorf("%d lines for one cause: %s", n, c.stderr.String())
	}
	again := start(t, dir, gridOf("--redis", s.url(), "--resume")...)
	_ = again.Wait()
	wantIn(t, again.stderr.String(), "locklab: Redis at 127.0.0.1:"+s.port, "connection refused")
	s.start(t)
	if err := start(t, dir, gridOf("--redis", s.url(), "--resume")...).Wait(); err != nil {
		t.Fatal(err)
	}
	checkGrid(t, path)
}

// While the supervisor stands still, as when a machine has other things to do, the runs are disturbed; they are measured again, and
// compare counts only that.
func TestSupervisorStandsStill(t *testing.T) {
	t.Parallel()
	needRedis(t)
	dir := t.TempDir()
	profile := "profile: calm\nwatch: {late: {empirical_ns: [100000000]}}\n"
	if err := os.WriteFile(filepath.Join(dir, "calm.yaml"), []byte(profile), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := server.Start(t.Context(), server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c := start(t, dir, "real", "lesson/b", "--axis", "ttl=1s,2s", "--set", "rounds=4", "--scale", "0.4", "--reps", "1", "--repeats", "9",
		"--profile", "calm.yaml", "--redis", s.URL(), "-o", "grid.jsonl")
	eventually(t, "a run has begun", func() bool {
		keys, _ := keysAt(s.URL())
		return slices.ContainsFunc(keys, func(key string) bool { return strings.HasSuffix(key, ":lock") })
	})
	_ = c.Process.Signal(syscall.SIGSTOP)
	time.Sleep(500 * time.Millisecond)
	_ = c.Process.Signal(syscall.SIGCONT)
	if err := c.Wait(); err != nil {
		t.Errorf("ended with %v: %s", err, c.stderr.String())
	}
	wantIn(t, c.stderr.String(), "if the supervisor is late by more than 300.0 ms once or 200.1 ms at the median\n", "the supervisor woke late, by ")
	var disturbed, kept int
	for _, r := range readRecords(t, filepath.Join(dir, "grid.jsonl")) {
		if r.Disturbed {
			disturbed++
		} else {
			kept++
		}
	}
	if disturbed < 1 || kept != 2 {
		t.Errorf("%d disturbed, %d kept; want some, and 2", disturbed, kept)
	}
}

// A Redis on another host is calibrated for, or refused with the reason.
func TestRedisFarAway(t *testing.T) {
	t.Parallel()
	needRedis(t)
	s, err := server.Start(t.Context(), server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	far := strings.Replace(s.URL(), s.Addr, farAway(t, s.Addr, 10*time.Millisecond), 1)
	dir := t.TempDir()
	run := func(want int, args ...string) *command {
		t.Helper()
		c := start(t, dir, args...)
		_ = c.Wait()
		if code := c.ProcessState.ExitCode(); code != want {
			t.Errorf("%v: exit code %d, want %d: %s", args, code, want, c.stderr.String())
		}
		return c
	}
	run(0, "calibrate", "--parallel", "2", "-o", "near.yaml")
	run(0, "calibrate", "--parallel", "2", "-o", "far.yaml", "--redis", far)
	measure := []string{"real", "lesson/b", "--set", "rounds=3", "--set", "lock.ttl=1m", "--scale", "0.1", "--repeats", "50", "-o", "m.jsonl"}
	c := run(2, append(measure, "--redis", far, "--profile", "near.yaml")...)
	wantIn(t, c.stderr.String(), "locklab: --profile near.yaml does not fit: this Redis is another one, or is slow: it answers in 2", "locklab calibrate --redis URL -o FILE measures what is there now")
	c = run(2, append(measure, "--profile", "far.yaml")...)
	wantIn(t, c.stderr.String(), "--profile far.yaml does not fit: ", "locklab calibrate -o FILE measures")
	run(0, append(measure, "--redis", far, "--profile", "far.yaml")...)
	run(0, "sim", "lesson/b", "--set", "rounds=3", "--set", "lock.ttl=1m", "--scale", "0.1", "--runs", "10000", "--profile", "far.yaml", "-o", "p.jsonl")
	wantIn(t, run(0, "compare", "p.jsonl", "m.jsonl").stdout.String(), "agree")
	for _, r := range readRecords(t, filepath.Join(dir, "m.jsonl")) {
		if trips := r.EndNS / int64(20*time.Millisecond); trips < 12 {
			t.Errorf("over after %d ns: it was not far away", r.EndNS)
		}
	}
}

// farAway gives an address at which a server seems to be so far away, each way.
func farAway(t *testing.T, addr string, delay time.Duration) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", addr)
			if err != nil {
				near.Close()
				continue
			}
			go carry(far, near, delay)
			go carry(near, far, delay)
		}
	}()
	return l.Addr().String()
}

// carry passes on what comes in, each piece after the delay.
func carry(to io.WriteCloser, from io.Reader, delay time.Duration) {
	type piece struct {
		due  time.Time
		data []byte
	}
	pieces := make(chan piece, 1000)
	go func() {
		defer to.Close()
		for p := range pieces {
			time.Sleep(time.Until(p.due))
			if _, err := to.Write(p.data); err != nil {
				return
			}
		}
	}()
	defer close(pieces)
	for {
		data := make([]byte, 4096)
		n, err := from.Read(data)
		if err != nil {
			return
		}
		pieces <- piece{time.Now().Add(delay), data[:n]}
	}
}
