package server

import (
	"os"
	"strings"
	"sync"
	"time"
)

// keptBytes and keptLines bound what is kept of a server's output, and what is shown of it.
const (
	keptBytes = 8 << 10
	keptLines = 10
)

// drainLimit is how long finish reads on: what an ended server printed is there already, but a process that it left
// behind may hold the pipe open.
const drainLimit = 200 * time.Millisecond

// output reads all that a server prints, so that it never waits for its reader, and keeps the end.
type output struct {
	pipe *os.File
	done chan struct{} // closed when everything was read

	mu   sync.Mutex
	kept []byte
}

// collect reads from pipe until its end, and closes it.
func collect(pipe *os.File) *output {
	o := &output{pipe: pipe, done: make(chan struct{})}
	go func() {
		defer close(o.done)
		defer pipe.Close()
		buffer := make([]byte, 4<<10)
		for {
			n, err := pipe.Read(buffer)
			o.keep(buffer[:n])
			if err != nil {
				return
			}
		}
	}()
	return o
}

func (o *output) keep(data []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept = append(o.kept, data...)
	if surplus := len(o.kept) - keptBytes; surplus > 0 {
		o.kept = append(o.kept[:0], o.kept[surplus:]...)
	}
}

// finish reads what is left after the server's end, and returns the last lines.
func (o *output) finish() string {
	_ = o.pipe.SetReadDeadline(time.Now().Add(drainLimit)) // fails if it is read and closed already
	<-o.done
	o.mu.Lock()
	defer o.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(o.kept)), "\n")
	return strings.Join(lines[max(0, len(lines)-keptLines):], "\n")
}
