package child

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// roleKey is set in the environment of this test binary when it is to play the parent that dies.
const roleKey = "LOCKLAB_CHILD_TEST_ROLE"

func TestMain(m *testing.M) {
	if os.Getenv(roleKey) == "parent" {
		playParent()
	}
	os.Exit(m.Run())
}

// playParent starts two processes, stops one of them, prints both ids and waits for its own death.
func playParent() {
	running, err := Start(Spec{Path: "/bin/sleep", Args: []string{"1000"}})
	if err != nil {
		panic(err)
	}
	stopped, err := Start(Spec{Path: "/bin/sleep", Args: []string{"1000"}})
	if err != nil {
		panic(err)
	}
	if _, err := stopped.Stop(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(running.Pid(), stopped.Pid())
	running.Wait()
}

func TestNoChildOutlivesAParentThatIsKilled(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	parent := start(t, Spec{
		Path:  program,
		Env:   append(os.Environ(), roleKey+"=parent"),
		Files: []*os.File{nil, w, os.Stderr},
	})
	w.Close()
	var running, stopped int
	if _, err := fmt.Fscan(r, &running, &stopped); err != nil {
		t.Fatal(err)
	}
	if gone(running) || state(stopped) != "T" {
		t.Fatalf("states before = %q and %q, want one that runs and one that is stopped", state(running), state(stopped))
	}
	parent.Kill()
	parent.Wait()
	eventually(t, "both are gone", func() bool { return gone(running) && gone(stopped) })
}

// gone tells whether the process has ended. An orphan is reaped by process 1, if that does so.
func gone(pid int) bool {
	s := state(pid)
	return s == "" || s == "Z"
}
