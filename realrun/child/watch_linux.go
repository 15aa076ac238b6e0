package child

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// watch takes the kernel's reports about the child until that of its end. It is the only one to wait for it.
func (c *Child) watch() {
	for ended := false; !ended; {
		awaitReport(c.pid)
		ended = c.takeReport()
	}
	close(c.done)
}

// awaitReport returns when there is a report to take; it leaves it where it is (WNOWAIT), so that it can be taken
// while no signal is being sent.
func awaitReport(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WSTOPPED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return // an error, if any, is met again by takeReport
		}
	}
}

// takeReport takes one report, if it is still there: a Continue may have undone it.
func (c *Child) takeReport() (ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var status unix.WaitStatus
	pid, err := wait4(c.pid, &status, unix.WUNTRACED|unix.WNOHANG)
	switch {
	case err != nil:
		c.end(Exit{Code: -1}) // somebody else has taken the exit status
		return true
	case pid == 0:
		return false
	case status.Stopped():
		c.noteStop(monotonic())
		return false
	}
	c.end(exitOf(status))
	return true
}

func wait4(pid int, status *unix.WaitStatus, options int) (int, error) {
	for {
		got, err := unix.Wait4(pid, status, options, nil)
		if err != unix.EINTR {
			return got, err
		}
	}
}

func (c *Child) noteStop(at int64) {
	if c.stop == nil {
		c.stop = newStop() // somebody else has stopped it
	}
	c.stop.settle(at, nil)
}

func (c *Child) end(exit Exit) {
	c.ended = true
	c.exit = exit
	if c.stop != nil {
		c.stop.settle(0, c.endedWhile("stop"))
	}
}

func exitOf(status unix.WaitStatus) Exit {
	if status.Exited() {
		return Exit{Code: status.ExitStatus()}
	}
	name := unix.SignalName(status.Signal())
	if name == "" {
		name = fmt.Sprintf("signal %d", status.Signal())
	}
	return Exit{Code: -1, Signal: name}
}

// monotonic is CLOCK_MONOTONIC in nanoseconds: the same clock in every process of the machine.
func monotonic() int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		panic(fmt.Sprintf("child: read CLOCK_MONOTONIC: %v", err))
	}
	return now.Nano()
}
