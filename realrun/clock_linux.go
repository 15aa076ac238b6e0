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

// sleep sleeps for d nanoseconds. It does without the timers of the runtime, which go off after whole milliseconds only.
func sleep(d int64) {
	if d <= 0 {
		return
	}
	end := unix.NsecToTimespec(monotonic() + d)
	for unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &end, nil) == unix.EINTR {
	}
}
