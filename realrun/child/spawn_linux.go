package child

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
)

// starter hands a function to the one thread that starts all children. Linux sends the parent-death signal when the
// *thread* that started a child ends, so that thread must last as long as the process: its goroutine is locked to it
// and never returns.
var starter = sync.OnceValue(func() chan<- func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for do := range work {
			do()
		}
	}()
	return work
})

// spawn starts the process and returns its id.
func spawn(spec Spec) (pid int, err error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer null.Close()
	attr := &syscall.ProcAttr{
		Env:   spec.Env,
		Files: descriptors(spec.Files, null),
		Sys:   &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true},
	}
	if attr.Env == nil {
		attr.Env = os.Environ()
	}
	argv := append([]string{spec.Path}, spec.Args...)
	done := make(chan struct{})
	starter() <- func() {
		defer close(done)
		pid, err = syscall.ForkExec(spec.Path, argv, attr)
	}
	<-done
	runtime.KeepAlive(spec.Files)
	if err != nil {
		return 0, fmt.Errorf("start %s: %w", spec.Path, err)
	}
	return pid, nil
}

// descriptors lists what the child finds as 0, 1, 2, …, with null for what is nil or missing.
func descriptors(files []*os.File, null *os.File) []uintptr {
	fds := make([]uintptr, max(len(files), 3))
	for i := range fds {
		file := null
		if i < len(files) && files[i] != nil {
			file = files[i]
		}
		fds[i] = file.Fd()
	}
	return fds
}
