package calibrate

import (
	"syscall"
	"time"
)

func cpuTimes() usage {
	return usage{time.Now(), used(syscall.RUSAGE_SELF), used(syscall.RUSAGE_CHILDREN)}
}

func used(who int) time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(who, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
