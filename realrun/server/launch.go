package server

import (
	"crypto/rand"
	"fmt"
	"os"
	"strconv"
	"strings"

	"locklab/realrun/child"
)

// launch starts the server's process. Its configuration goes to its standard input: a command line is seen by
// everybody on the machine, and a file would have to be removed.
func launch(options Options, port int) (*Server, error) {
	binary := options.Binary
	s := &Server{Addr: fmt.Sprintf("127.0.0.1:%d", port), binary: binary, password: rand.Text()}
	spec := child.Spec{Path: binary, Args: []string{"-"}}
	if options.Clock != nil {
		var err error
		if spec.Env, err = options.Clock.environment(); err != nil {
			return nil, err
		}
	}
	config, err := filledPipe(s.config(port, options))
	if err != nil {
		return nil, fmt.Errorf("hand %s its configuration: %w", binary, err)
	}
	defer config.Close()
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("read the output of %s: %w", binary, err)
	}
	defer w.Close()
	spec.Files = []*os.File{config, w, w}
	s.child, err = child.Start(spec)
	if err != nil {
		r.Close()
		return nil, err
	}
	s.output = collect(r)
	return s, nil
}

// config makes a server that keeps nothing: no snapshots, no log of commands, and a folder to be in where it writes
// nothing.
func (s *Server) config(port int, options Options) string {
	lines := []string{
		"bind 127.0.0.1",
		"port " + strconv.Itoa(port),
		"requirepass " + s.password,
		`save ""`,
		"appendonly no",
		"databases 1",
		"daemonize no",
		"logfile " + strconv.Quote(options.LogFile),
		"dir " + strconv.Quote(os.TempDir()),
	}
	if options.Clock != nil {
		lines = append(lines, "enable-debug-command local")
	}
	return strings.Join(lines, "\n") + "\n"
}

// filledPipe is the reading end of a pipe that holds text and then ends. The text must fit into a pipe (64 KiB on
// Linux).
func filledPipe(text string) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	if _, err := w.WriteString(text); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}
