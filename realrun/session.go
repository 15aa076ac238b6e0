// Package realrun measures: it runs a scenario on a real Redis, with one operating-system process per worker, and stops
// those processes for real. The workers are the same as the simulator's; only what carries out their wishes differs.
//
// Open a Session, Measure runs in it, Close it. Everything that was started ends with the session, and by the kernel's
// hand if this process is killed.
package realrun

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"locklab/history"
	"locklab/realrun/server"
)

// Auto asks for a private server.
const Auto = "auto"

// A Session is a Redis ready for runs, and the prefix under which all its keys are.
type Session struct {
	client *redis.Client
	url    string
	prefix string
	store  history.Store
	server *server.Server // nil if the server is the user's

	mu   sync.Mutex
	runs int      // begun so far
	keys []string // that may exist at the server
}

// Open makes a server ready: a private one that ends with the session for Auto, else the user's own at a URL
// (redis://, rediss:// or unix://). The server is tried out first: an error names it and the cause, and never a password.
func Open(ctx context.Context, redisURL string) (*Session, error) {
	s := &Session{url: redisURL, prefix: randomPrefix()}
	if redisURL == Auto {
		private, err := server.Start(ctx, server.Options{})
		if err != nil {
			return nil, err
		}
		s.server, s.url = private, private.URL()
	}
	if err := s.connect(ctx); err != nil {
		_ = s.Close() // the error that matters is the first
		return nil, err
	}
	return s, nil
}

func (s *Session) connect(ctx context.Context) error {
	var err error
	if s.client, err = connect(s.url); err != nil {
		return err
	}
	if err := s.tryOut(ctx); err != nil {
		return fmt.Errorf("%s: %w", place(s.client), explain(err))
	}
	return nil
}

// tryOut makes sure that the server answers, lets us write, and knows the scripts.
func (s *Session) tryOut(ctx context.Context) error {
	var err error
	if s.store.Product, s.store.Version, err = server.Describe(ctx, s.client); err != nil {
		return err
	}
	s.remember(s.prefix + "try")
	if err := s.client.Set(ctx, s.prefix+"try", 1, time.Second).Err(); err != nil {
		return err
	}
	return loadScripts(ctx, s.client)
}

// explain adds to a server's error what to do about it, where that is known.
func explain(err error) error {
	for _, hint := range []struct{ prefix, text string }{
		{"NOAUTH", "it needs a password: --redis redis://:PASSWORD@HOST:PORT"},
		{"WRONGPASS", "the user or the password in the URL is wrong"},
		{"READONLY", "it is a read-only replica: use the primary"},
		{"MOVED", "it is part of a cluster: use a single server"},
		{"NOPERM", "the user may not do this: locklab needs EVALSHA, SCRIPT LOAD, SET, GET, INCR, DEL, EXISTS, HSET, PEXPIRE, TIME and INFO"},
	} {
		if redis.HasErrorPrefix(err, hint.prefix) {
			return fmt.Errorf("%w (%s)", err, hint.text)
		}
	}
	return err
}

// Store says what the server is.
func (s *Session) Store() history.Store { return s.store }

// nextPrefix is what the keys of the next run begin with.
func (s *Session) nextPrefix() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs++
	return fmt.Sprintf("%s%d:", s.prefix, s.runs)
}

// remember notes keys that Close has to remove.
func (s *Session) remember(keys ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = append(s.keys, keys...)
}

// Close removes what the session put on the user's server, or ends a private one. An error says what could not be
// removed; it vanishes by itself later.
func (s *Session) Close() error {
	var err error
	switch {
	case s.server != nil:
		s.server.Close()
	case len(s.keys) > 0:
		err = s.removeKeys()
	}
	if s.client != nil {
		s.client.Close()
	}
	return err
}

// removeKeys works also if what used the session was cancelled.
func (s *Session) removeKeys() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := s.client.Del(ctx, s.keys...).Err(); err != nil {
		return fmt.Errorf("%s: remove the keys under %s (they expire by themselves): %w", place(s.client), s.prefix, explain(err))
	}
	return nil
}
