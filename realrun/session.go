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
	url    string
	prefix string
	store  history.Store
	server *server.Server // nil if the server is the user's

	mu   sync.Mutex
	runs int      // begun so far
	keys []string // that may exist at the server
}

// tryLimit is how long a server may take to answer when it is tried out.
const tryLimit = 10 * time.Second

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
	if err := s.Check(ctx); err != nil {
		_ = s.Close() // the error that matters is the first
		return nil, err
	}
	return s, nil
}

// Check tries the server out: whether it answers, and lets us write. If it has forgotten the scripts, as one that was started
// anew has, it learns them again. An error says what is wrong with it.
func (s *Session) Check(ctx context.Context) error {
	if s.server != nil && s.server.Err() != nil {
		return s.server.Err()
	}
	ctx, cancel := context.WithTimeoutCause(ctx, tryLimit, fmt.Errorf("no answer within %v", tryLimit))
	defer cancel()
	return s.tryOut(ctx)
}

// tryOut makes sure that the server answers, lets us write, and knows the scripts.
func (s *Session) tryOut(ctx context.Context) error {
	return s.ask(ctx, func(c *redis.Client) error {
		if err := c.Ping(ctx).Err(); err != nil {
			return err
		}
		var err error
		if s.store.Product, s.store.Version, err = server.Describe(ctx, c); err != nil {
			return err
		}
		s.remember(s.prefix + "try")
		if err := c.Set(ctx, s.prefix+"try", 1, time.Second).Err(); err != nil {
			return err
		}
		return LoadScripts(ctx, c)
	})
}

// ask gives do a connection of its own for a short exchange. When ctx ends the connection is closed, so that nobody has to
// wait for a server that hangs. An error names the server.
func (s *Session) ask(ctx context.Context, do func(*redis.Client) error) error {
	c, err := connect(s.url, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { c.Close() })()
	if err = do(c); err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return failure(c, err)
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
	if s.server != nil {
		s.server.Close()
		return nil
	}
	if len(s.keys) == 0 {
		return nil
	}
	// This works also if what used the session was cancelled.
	ctx, cancel := context.WithTimeoutCause(context.Background(), removeLimit, fmt.Errorf("no answer within %v", removeLimit))
	defer cancel()
	if err := s.ask(ctx, func(c *redis.Client) error { return s.removeKeys(ctx, c) }); err != nil {
		return fmt.Errorf("remove the keys under %s (they expire by themselves): %w", s.prefix, err)
	}
	return nil
}

// removeLimit is how long a server may take to remove the session's keys.
const removeLimit = 5 * time.Second

// removeKeys removes the keys twice: a command that a killed worker had sent may be executed in the same turn of the server
// as the first removal, but after it.
func (s *Session) removeKeys(ctx context.Context, c *redis.Client) error {
	for range 2 {
		if err := c.Del(ctx, s.keys...).Err(); err != nil {
			return err
		}
	}
	return nil
}
