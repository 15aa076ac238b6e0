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

// A Session is a Redis ready for runs, or several for a lock at several stores, and the prefix under which all its keys are.
// The referee and the resource are at the first.
type Session struct {
	urls    []string // of the stores
	prefix  string
	store   history.Store // the first
	private bool
	servers []*server.Server // the stores; none if they are the user's

	mu   sync.Mutex
	runs int      // begun so far
	keys []string // that may exist at the server
}

// tryLimit is how long a server may take to answer when it is tried out.
const tryLimit = 10 * time.Second

// Open makes a server ready: a private one that ends with the session for Auto, else the user's own at a URL
// (redis://, rediss:// or unix://), or several with commas between their URLs. The servers are tried out first: an error names
// the server and the cause, and never a password.
func Open(ctx context.Context, redisURL string) (*Session, error) {
	s := &Session{private: redisURL == Auto, prefix: randomPrefix()}
	if err := s.begin(ctx, redisURL); err != nil {
		_ = s.Close() // the error that matters is the first
		return nil, err
	}
	return s, nil
}

func (s *Session) begin(ctx context.Context, redisURL string) error {
	if s.private {
		return s.startOne(ctx)
	}
	s.urls = splitURLs(redisURL)
	if err := different(s.urls); err != nil {
		return err
	}
	if err := s.Check(ctx); err != nil || len(s.urls) == 1 {
		return err
	}
	return s.distinct(ctx)
}

// Check tries the servers out: whether they answer, and let us write. If one has forgotten the scripts, as one that was started
// anew has, it learns them again. An error says what is wrong with it.
func (s *Session) Check(ctx context.Context) error {
	for store := range s.urls {
		if err := s.check(ctx, store); err != nil {
			return err
		}
	}
	return nil
}

// check is Check for one of the servers.
func (s *Session) check(ctx context.Context, store int) error {
	if s.private && s.servers[store].Err() != nil {
		return s.servers[store].Err()
	}
	ctx, cancel := context.WithTimeoutCause(ctx, tryLimit, fmt.Errorf("no answer within %v", tryLimit))
	defer cancel()
	return s.tryOut(ctx, store)
}

// tryOut makes sure that a server answers, lets us write, and knows the scripts.
func (s *Session) tryOut(ctx context.Context, store int) error {
	return s.askAt(ctx, store, func(c *redis.Client) error {
		if err := c.Ping(ctx).Err(); err != nil {
			return err
		}
		product, version, err := server.Describe(ctx, c)
		if err != nil {
			return err
		}
		if store == 0 {
			s.store.Product, s.store.Version = product, version
		}
		s.remember(s.prefix + "try")
		if err := c.Set(ctx, s.prefix+"try", 1, time.Second).Err(); err != nil {
			return err
		}
		return LoadScripts(ctx, c)
	})
}

// ask is askAt for the first server.
func (s *Session) ask(ctx context.Context, do func(*redis.Client) error) error {
	return s.askAt(ctx, 0, do)
}

// askAt gives do a connection to a server of its own for a short exchange. When ctx ends the connection is closed, so that
// nobody has to wait for a server that hangs. An error names the server.
func (s *Session) askAt(ctx context.Context, store int, do func(*redis.Client) error) error {
	c, err := connect(s.urls[store], nil)
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

// Stores is how many stores the session has.
func (s *Session) Stores() int { return len(s.urls) }

// Store says what the first server is.
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

// Close removes what the session put on the user's servers, or ends the private ones. An error says what could not be
// removed; it vanishes by itself later.
func (s *Session) Close() (err error) {
	for _, private := range s.servers {
		private.Close()
	}
	if s.private || len(s.keys) == 0 {
		return nil
	}
	for store := range s.urls {
		if gone := s.clean(store); err == nil {
			err = gone
		}
	}
	return err
}

// clean removes the session's keys from a server.
func (s *Session) clean(store int) error {
	// This works also if what used the session was cancelled.
	ctx, cancel := context.WithTimeoutCause(context.Background(), removeLimit, fmt.Errorf("no answer within %v", removeLimit))
	defer cancel()
	if err := s.askAt(ctx, store, func(c *redis.Client) error { return s.removeKeys(ctx, c) }); err != nil {
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
