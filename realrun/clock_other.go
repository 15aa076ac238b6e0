//go:build !linux

package realrun

// monotonic has no meaning where no worker process can be started.
func monotonic() int64 { return 0 }

// realtime has no meaning either.
func realtime() int64 { return 0 }

// sleep is not needed there either.
func sleep(int64) {}
