package realrun

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// go-redis would print to standard error what it also returns.
func init() { logging.Disable() }

// connect makes a client with one connection that does exactly what it is told: it never repeats a command, and waits
// for a reply as long as it takes. With the library's defaults a worker that was stopped for longer than the read
// time-out would send its command a second time on waking, and report no error.
func connect(rawURL string) (*redis.Client, error) {
	o, err := redis.ParseURL(rawURL)
	if err != nil {
		return nil, fmt.Errorf("--redis: not a Redis URL (%s); want redis://, rediss:// or unix://, as in redis://user:password@host:6379/0", reason(err))
	}
	const forEver = 1000 * time.Hour
	o.PoolSize, o.MinIdleConns, o.MaxIdleConns, o.MaxActiveConns = 1, 0, 1, 1
	o.MaxRetries = -1
	o.DialerRetries = 1
	o.DialTimeout = 5 * time.Second
	o.ReadTimeout, o.WriteTimeout = -1, -1
	o.PoolTimeout = forEver
	o.ConnMaxIdleTime, o.ConnMaxLifetime = -1, -1
	o.DisableIdentity = true
	o.ContextTimeoutEnabled = false
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(o), nil
}

// reason is an error's last part. The text of an error about a URL may hold the URL, and so a password.
func reason(err error) string {
	if u, ok := err.(*url.Error); ok {
		err = u.Err
	}
	return strings.TrimPrefix(err.Error(), "redis: ")
}

// place names a server for messages: its address alone.
func place(c *redis.Client) string { return "Redis at " + c.Options().Addr }

// explain adds to an error what it means or what to do about it, where that is known.
func explain(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("it closed the connection (%w)", err)
	}
	for _, hint := range []struct{ prefix, text string }{
		{"NOAUTH", "it needs a password: --redis redis://:PASSWORD@HOST:PORT"},
		{"WRONGPASS", "the user or the password in the URL is wrong"},
		{"READONLY", "it is a read-only replica: use the primary"},
		{"MOVED", "it is part of a cluster: use a single server"},
		{"NOSCRIPT", "it has forgotten locklab's scripts: was it restarted?"},
		{"NOPERM", "the user may not do this: locklab needs EVALSHA, SCRIPT LOAD, SET, GET, INCR, DEL, EXISTS, HSET, PEXPIRE, TIME and INFO"},
	} {
		if redis.HasErrorPrefix(err, hint.prefix) {
			return fmt.Errorf("%w (%s)", err, hint.text)
		}
	}
	return err
}
