// Package child starts processes that never outlive the one that started them, and stops, continues and ends them.
//
// It exists for real runs: a worker's pause is a real stop, and whatever happens to the supervisor, no worker and no
// private Redis may stay behind. So every child
//   - gets SIGKILL from the kernel when the supervisor dies, however it dies (a stopped process ignores SIGTERM);
//   - has a process group of its own: Ctrl-C on the terminal reaches only the supervisor;
//   - has one goroutine that alone waits for its stops and its end. Never wait for it by other means (os/exec,
//     wait4(-1)): the exit status would be lost.
//
// Start, then Stop and Continue as often as needed, then Kill or wait for Done. A child that nobody waits for is
// still reaped. It needs Linux; elsewhere Start returns ErrUnsupported.
package child

import (
	"errors"
	"fmt"
	"os"
)

// ErrUnsupported means that this system is not Linux: a child could outlive us there.
var ErrUnsupported = errors.New(`real runs need Linux; "locklab sim" works everywhere`)

// Spec says what to start.
type Spec struct {
	Path  string     // the program's file; it is not looked up on PATH
	Args  []string   // what follows the program's name
	Env   []string   // "key=value"; nil means the environment of this process
	Files []*os.File // become descriptors 0, 1, 2, 3, …; nil, or a missing one of the first three, is /dev/null
}

// Exit says how a child ended.
type Exit struct {
	Code   int    // what it returned, 0 to 255; -1 when a signal ended it or nothing is known
	Signal string // the signal that ended it, as "SIGKILL"; "" when it ended by itself
}

// String is for messages: "exit status 3", "killed by SIGKILL".
func (e Exit) String() string {
	switch {
	case e.Signal != "":
		return "killed by " + e.Signal
	case e.Code < 0:
		return "ended, exit status unknown"
	}
	return fmt.Sprintf("exit status %d", e.Code)
}
