// Package server starts private Redis servers for real runs, and says what a server is.
//
// A private server listens on a free port of 127.0.0.1, wants a random password, keeps nothing on disk, and ends with
// Close, or with this process, however that ends. It is the redis-server or valkey-server of this machine; the
// environment variable REDIS_SERVER names another one.
//
//	s, err := server.Start(ctx, server.Options{})
//	if err != nil { … }
//	defer s.Close()
//	options, err := redis.ParseURL(s.URL())
package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"locklab/realrun/child"
)

// startLimit is how long a server may take until it answers.
const startLimit = 10 * time.Second

// portTries is how often another port is tried when somebody takes the free one before the server does.
const portTries = 5

var errPortTaken = errors.New("its port was taken by somebody else")

// Options says which server to start.
type Options struct {
	// Binary is the redis-server or valkey-server to run: a path, or a name on PATH. If it is empty, REDIS_SERVER
	// names it, or else it is looked for.
	Binary string
	// Clock is the wall clock that the server goes by; nil is the machine's. With one, the server allows DEBUG, and
	// must be Redis 7.0 or later, or Valkey.
	Clock *Clock
	// LogFile is the file that the server appends its log to, if not empty. Errors do not show what it logs there.
	LogFile string
}

// Server is a private server that runs. Its methods may be called from any goroutine.
type Server struct {
	Addr    string // host:port
	Product string // "redis" or "valkey"
	Version string // as "7.0.15"

	binary   string
	password string
	child    *child.Child
	output   *output
	closing  atomic.Bool
}

// Start starts a private server and returns when it answers. On any error, a ctx that ends among them, nothing is
// left. The error is ErrNoServer if this machine has none, child.ErrUnsupported if it does not run Linux; if the server
// ends at once, it has its last output.
func Start(ctx context.Context, options Options) (*Server, error) {
	if runtime.GOOS != "linux" {
		return nil, child.ErrUnsupported // said first: installing a server would not help
	}
	var err error
	if options.Binary, err = find(options.Binary); err != nil {
		return nil, err
	}
	for range portTries {
		var port int
		if port, err = freePort(); err != nil {
			return nil, fmt.Errorf("find a free port for %s: %w", options.Binary, err)
		}
		var s *Server
		if s, err = startOn(ctx, options, port); !errors.Is(err, errPortTaken) {
			return s, err
		}
	}
	return nil, err
}

// startOn starts a server on this port; errPortTaken if another process listens there.
func startOn(ctx context.Context, options Options, port int) (*Server, error) {
	s, err := launch(options, port)
	if err != nil {
		return nil, err
	}
	err = s.awaitReady(ctx, startLimit)
	if err == nil && options.Clock != nil {
		err = options.Clock.heeded()
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// freePort is a port of 127.0.0.1 on which nobody listened a moment ago.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// URL is for redis.ParseURL. It has the password: never print it.
func (s *Server) URL() string {
	u := url.URL{Scheme: "redis", User: url.UserPassword("", s.password), Host: s.Addr, Path: "/0"}
	return u.String()
}

// String names the server for messages, without the password: "redis 7.0.15 at 127.0.0.1:40001".
func (s *Server) String() string {
	return fmt.Sprintf("%s %s at %s", s.Product, s.Version, s.Addr)
}

// Pid is the process id of the server.
func (s *Server) Pid() int { return s.child.Pid() }

// Done is closed when the server has ended, by itself or by Close.
func (s *Server) Done() <-chan struct{} { return s.child.Done() }

// Err says why the server has ended, with its last output. It is nil while the server runs, and if Close ended it.
func (s *Server) Err() error {
	select {
	case <-s.child.Done():
	default:
		return nil
	}
	if s.closing.Load() {
		return nil
	}
	return s.endedError()
}

// Close ends the server and waits until it is gone. There is nothing to save, so it is killed. Closing twice does no
// harm.
func (s *Server) Close() {
	select {
	case <-s.child.Done(): // Err keeps its reason
	default:
		s.closing.Store(true)
	}
	s.child.Kill()
	s.child.Wait()
	s.output.finish()
}

// endedError describes a server that has ended by itself.
func (s *Server) endedError() error {
	exit := s.child.Wait()
	said := s.lastOutput()
	if strings.Contains(said, "Address already in use") {
		return fmt.Errorf("%s at %s ended: %w: %s", s.binary, s.Addr, errPortTaken, said)
	}
	if said == "" {
		return fmt.Errorf("%s at %s ended by itself (%s) and printed nothing", s.binary, s.Addr, exit)
	}
	return fmt.Errorf("%s at %s ended by itself (%s); its last output: %s", s.binary, s.Addr, exit, said)
}

// lastOutput is what a server that has ended, or is about to be closed, printed last, without the password: a server that dislikes its
// configuration prints it.
func (s *Server) lastOutput() string {
	return strings.ReplaceAll(s.output.finish(), s.password, "***")
}
