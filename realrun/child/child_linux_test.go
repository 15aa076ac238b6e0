package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const patience = 10 * time.Second

// startSleep starts a process that sleeps for longer than any test runs.
func startSleep(t *testing.T) *Child {
	t.Helper()
	return start(t, Spec{Path: "/bin/sleep", Args: []string{"1000"}})
}

func startShell(t *testing.T, script string) *Child {
	t.Helper()
	return start(t, Spec{Path: "/bin/sh", Args: []string{"-c", script}})
}

func start(t *testing.T, spec Spec) *Child {
	t.Helper()
	c, err := Start(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Kill()
		c.Wait()
	})
	return c
}

func mustStop(t *testing.T, c *Child) (stoppedAt int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	at, err := c.Stop(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// state is the letter of /proc/PID/stat: R runs, S sleeps, T is stopped, Z is a zombie; "" means there is no process.
func state(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return after[:1]
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

func TestStopReturnsWhenTheProcessIsStopped(t *testing.T) {
	c := startSleep(t)
	for range 20 {
		before := monotonic()
		at := mustStop(t, c)
		if got := state(c.Pid()); got != "T" {
			t.Fatalf("state after Stop = %q, want T", got)
		}
		if after := monotonic(); at < before || at > after {
			t.Fatalf("stopped at %d, want between %d and %d", at, before, after)
		}
		if err := c.Continue(); err != nil {
			t.Fatal(err)
		}
		if got := state(c.Pid()); got == "T" {
			t.Fatal("still stopped after Continue")
		}
	}
}

func TestStopOfAStoppedChildIsTheSameStop(t *testing.T) {
	c := startSleep(t)
	first := mustStop(t, c)
	if second := mustStop(t, c); second != first {
		t.Errorf("second Stop says %d, first said %d", second, first)
	}
	if err := c.Continue(); err != nil {
		t.Fatal(err)
	}
	if third := mustStop(t, c); third <= first {
		t.Errorf("a new stop says %d, the old one said %d", third, first)
	}
}

func TestContinueOfARunningChildDoesNothing(t *testing.T) {
	c := startSleep(t)
	if err := c.Continue(); err != nil {
		t.Error(err)
	}
	mustStop(t, c)
}

func TestAStopBySomebodyElseIsSeen(t *testing.T) {
	c := startSleep(t)
	if err := unix.Kill(c.Pid(), unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	eventually(t, "stopped", func() bool { return state(c.Pid()) == "T" })
	mustStop(t, c)
	if err := c.Continue(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "running", func() bool { return state(c.Pid()) == "S" })
}

func TestKillEndsAStoppedChild(t *testing.T) {
	c := startSleep(t)
	mustStop(t, c)
	c.Kill()
	if got := c.Wait(); got != (Exit{Code: -1, Signal: "SIGKILL"}) {
		t.Errorf("exit = %+v", got)
	}
	if got := state(c.Pid()); got != "" {
		t.Errorf("state after Wait = %q, want no process", got)
	}
}

func TestKillEndsWhatTheChildStarted(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := start(t, Spec{Path: "/bin/sh", Args: []string{"-c", "sleep 1000 & echo started; wait"}, Files: []*os.File{nil, w}})
	w.Close()
	if _, err := io.ReadFull(r, make([]byte, len("started\n"))); err != nil {
		t.Fatal(err)
	}
	c.Kill()
	if _, err := io.ReadAll(r); err != nil { // ends when the last holder of the pipe has ended
		t.Fatal(err)
	}
}

func TestExit(t *testing.T) {
	for _, test := range []struct {
		script string
		want   Exit
		text   string
	}{
		{"exit 0", Exit{}, "exit status 0"},
		{"exit 3", Exit{Code: 3}, "exit status 3"},
		{"kill -TERM $$", Exit{Code: -1, Signal: "SIGTERM"}, "killed by SIGTERM"},
		{"kill -40 $$", Exit{Code: -1, Signal: "signal 40"}, "killed by signal 40"},
	} {
		got := startShell(t, test.script).Wait()
		if got != test.want || got.String() != test.text {
			t.Errorf("%s: exit = %+v, %q, want %+v, %q", test.script, got, got, test.want, test.text)
		}
	}
}

func TestExitStatusTakenBySomebodyElse(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := start(t, Spec{Path: "/bin/cat", Files: []*os.File{r}})
	r.Close()
	c.mu.Lock() // keeps our waiter from the report
	w.Close()
	_, err = wait4(c.Pid(), nil, 0)
	c.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Wait().String(); got != "ended, exit status unknown" {
		t.Errorf("exit = %q", got)
	}
}

func TestRequestsToAnEndedChild(t *testing.T) {
	c := startShell(t, "exit 3")
	<-c.Done()
	_, err := c.Stop(t.Context())
	wantError(t, err, "it has ended (exit status 3)")
	wantError(t, c.Continue(), "it has ended (exit status 3)")
	c.Kill()
	c.Kill()
}

func wantError(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error = %v, want %q in it", err, text)
	}
}

// A child that dies while its stop is under way gives an error, never a stop and never a hang.
func TestStopOfADyingChild(t *testing.T) {
	for i := range 50 {
		c := startSleep(t)
		go c.Kill()
		for {
			at, err := c.Stop(t.Context())
			if err != nil {
				wantError(t, err, "it has ended (killed by SIGKILL)")
				break
			}
			if at == 0 {
				t.Fatalf("try %d: neither a time nor an error", i)
			}
		}
	}
}

// Both ends of a Stop that nobody has answered yet: its context ends, or somebody continues the child.
func TestUnreportedStop(t *testing.T) {
	c := startSleep(t)
	c.mu.Lock()
	c.stop = newStop() // asked for; no report will come, since no signal is sent
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := c.Stop(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v, want the context's", err)
	}
	time.AfterFunc(10*time.Millisecond, func() { _ = c.Continue() })
	_, err := c.Stop(t.Context())
	wantError(t, err, "continued before the stop was reported")
	mustStop(t, c)
}

func TestStartOfWhatDoesNotExist(t *testing.T) {
	_, err := Start(Spec{Path: "/no/such/program"})
	wantError(t, err, "start /no/such/program: no such file or directory")
}

func TestFilesAndEnvironment(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := start(t, Spec{
		Path:  "/bin/sh",
		Args:  []string{"-c", `cat; echo "$WORD, $1" >&3`, "sh", "argument"},
		Env:   []string{"WORD=word"},
		Files: []*os.File{nil, w, nil, w},
	})
	w.Close()
	got, err := io.ReadAll(r)
	if err != nil || string(got) != "word, argument\n" {
		t.Errorf("child wrote %q (%v)", got, err)
	}
	if exit := c.Wait(); exit.Code != 0 {
		t.Error(exit)
	}
}

func TestChildHasAProcessGroupOfItsOwn(t *testing.T) {
	c := startSleep(t)
	if group, err := unix.Getpgid(c.Pid()); err != nil || group != c.Pid() {
		t.Errorf("process group = %d (%v), want %d", group, err, c.Pid())
	}
}

// The parent-death signal belongs to the thread that started the child: an ordinary thread's end must not matter.
func TestChildSurvivesTheEndOfTheCallersThread(t *testing.T) {
	started := make(chan *Child)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this goroutine
		started <- startSleep(t)
	}()
	c := <-started
	select {
	case <-c.Done():
		t.Fatalf("child ended with its caller's thread: %v", c.Wait())
	case <-time.After(100 * time.Millisecond):
	}
}

func TestManyChildrenLeaveNothingBehind(t *testing.T) {
	startSleep(t).Kill() // the thread that starts children is there from now on
	eventually(t, "one waiter gone", func() bool { return !strings.Contains(stacks(), ".watch(") })
	before := runtime.NumGoroutine()
	children := make([]*Child, 60)
	var all sync.WaitGroup
	for i := range children {
		all.Go(func() {
			children[i] = startSleep(t)
			for range 5 {
				mustStop(t, children[i])
				if err := children[i].Continue(); err != nil {
					t.Error(err)
				}
			}
			if i%2 == 0 {
				mustStop(t, children[i])
			}
			children[i].Kill()
			children[i].Wait()
		})
	}
	all.Wait()
	for _, c := range children {
		if got := state(c.Pid()); got != "" {
			t.Errorf("process %d is left in state %s", c.Pid(), got)
		}
	}
	eventually(t, "no goroutine more than before", func() bool { return runtime.NumGoroutine() <= before })
}

func stacks() string {
	buffer := make([]byte, 1<<20)
	return string(buffer[:runtime.Stack(buffer, true)])
}
