package realrun

import "golang.org/x/sys/unix"

// monotonic is the time of CLOCK_MONOTONIC in nanoseconds: one clock for all processes of this machine.
func monotonic() int64 {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // cannot fail for this clock
	return t.Nano()
}

// realtime is the time of CLOCK_REALTIME in nanoseconds.
func realtime() int64 {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_REALTIME, &t)
	return t.Nano()
}
