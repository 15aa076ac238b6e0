package child

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sys/unix"
)

// Child is a process that Start has started. All its methods may be called at any time, from any goroutine, also
// after its end.
type Child struct {
	pid  int
	done chan struct{} // closed when the child has ended and was reaped
	exit Exit          // may be read once done is closed

	// mu is held whenever a signal is sent and whenever a report is taken from the kernel. So no signal is ever sent
	// to a process id that was given back, and no report of a stop outlives the Continue that undid it.
	mu    sync.Mutex
	ended bool
	stop  *stop // the stop asked for or in force; nil while the child runs
}

// stop is one stop, from the request until it is settled: reported by the kernel, or come to nothing.
type stop struct {
	settled chan struct{}
	at      int64 // CLOCK_MONOTONIC in ns, when the kernel's report was taken
	err     error
}

func newStop() *stop { return &stop{settled: make(chan struct{})} }

// settle keeps the first outcome and ignores later ones. The child's mu must be held.
func (s *stop) settle(at int64, err error) {
	select {
	case <-s.settled:
	default:
		s.at, s.err = at, err
		close(s.settled)
	}
}

// Start starts a process. It returns when the program runs; an error names the program and the system's reason.
// The caller may close its copies of spec.Files then.
func Start(spec Spec) (*Child, error) {
	pid, err := spawn(spec)
	if err != nil {
		return nil, err
	}
	c := &Child{pid: pid, done: make(chan struct{})}
	go c.watch()
	return c, nil
}

// Pid is the process id; after the child's end it may belong to another process.
func (c *Child) Pid() int { return c.pid }

// Done is closed when the child has ended and was reaped.
func (c *Child) Done() <-chan struct{} { return c.done }

// Wait waits for the child's end and says how it ended.
func (c *Child) Wait() Exit {
	<-c.done
	return c.exit
}

// Stop stops the whole process (SIGSTOP), and returns when the kernel has reported the stop: from then on it does
// nothing until Continue. stoppedAt is the time of that report, CLOCK_MONOTONIC in nanoseconds. If the child is stopped already,
// it is the time of that stop.
//
// An error means that the child is not known to be stopped: it has ended, was continued meanwhile, or ctx ended
// first. After the last, the stop may still come: Continue or Kill the child.
func (c *Child) Stop(ctx context.Context) (stoppedAt int64, err error) {
	s, err := c.askStop()
	if err != nil {
		return 0, err
	}
	select {
	case <-s.settled:
		return s.at, s.err
	case <-ctx.Done():
		return 0, fmt.Errorf("stop process %d: no stop reported: %w", c.pid, ctx.Err())
	}
}

func (c *Child) askStop() (*stop, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil, c.endedWhile("stop")
	}
	if c.stop != nil {
		return c.stop, nil
	}
	if err := unix.Kill(c.pid, unix.SIGSTOP); err != nil {
		return nil, fmt.Errorf("stop process %d: %w", c.pid, err)
	}
	c.stop = newStop()
	return c.stop, nil
}

// Continue lets a stopped child run on (SIGCONT). On a running one it does nothing. A child that has ended is an
// error.
func (c *Child) Continue() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return c.endedWhile("continue")
	}
	if err := unix.Kill(c.pid, unix.SIGCONT); err != nil {
		return fmt.Errorf("continue process %d: %w", c.pid, err)
	}
	if c.stop != nil {
		c.stop.settle(0, fmt.Errorf("stop process %d: it was continued before the stop was reported", c.pid))
		c.stop = nil
	}
	return nil
}

// Kill ends the child (SIGKILL), stopped or not, with whatever it has started in its process group. It does not wait:
// Done and Wait do. On a child that has ended it does nothing.
func (c *Child) Kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		_ = unix.Kill(-c.pid, unix.SIGKILL) // fails only if nobody is left in the group
	}
}

// endedWhile is the error of a request to a child that has ended.
func (c *Child) endedWhile(asked string) error {
	return fmt.Errorf("%s process %d: it has ended (%s)", asked, c.pid, c.exit)
}
