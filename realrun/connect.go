package realrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
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
// time-out would send its command a second time on waking, and report no error. wrote, if not nil, is called after
// everything that was written to the connection.
func connect(rawURL string, wrote func()) (*redis.Client, error) {
	o, err := redis.ParseURL(rawURL)
	if err != nil {
		return nil, fmt.Errorf("--redis: not a Redis URL (%s); want redis://, rediss:// or unix://, as in redis://user:password@host:6379/0", reason(err))
	}
	const forEver = 1000 * time.Hour
	o.PoolSize, o.MinIdleConns, o.MaxIdleConns, o.MaxActiveConns = 1, 0, 1, 1
	o.PipelinePoolSize = -1 // pipelines and transactions take the same connection, which a WATCH belongs to
	o.MaxRetries = -1
	o.DialerRetries = 1
	o.DialTimeout = 5 * time.Second
	o.ReadTimeout, o.WriteTimeout = -1, -1
	o.PoolTimeout = forEver
	o.ConnMaxIdleTime, o.ConnMaxLifetime = -1, -1
	o.DisableIdentity = true
	o.ContextTimeoutEnabled = false
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	if wrote != nil {
		dial := redis.NewDialer(o)
		o.Dialer = func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := dial(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return line{conn, wrote}, nil
		}
	}
	return redis.NewClient(o), nil
}

// A line is a connection that tells when something was written to it.
type line struct {
	net.Conn
	wrote func()
}

func (l line) Write(data []byte) (int, error) {
	n, err := l.Conn.Write(data)
	l.wrote()
	return n, err
}

// reason is an error's last part. The text of an error about a URL may hold the URL, and so a password.
func reason(err error) string {
	if u, ok := err.(*url.Error); ok {
		err = u.Err
	}
	return strings.TrimPrefix(err.Error(), "redis: ")
}

// failure is an error of a server, with its address and, where that is known, what the error means or what to do about it.
// Nothing else of the URL is shown: it may hold a password.
func failure(c *redis.Client, err error) error {
	where := "Redis at " + c.Options().Addr
	return fmt.Errorf("%s: %w", where, explain(err, c.Options().TLSConfig != nil))
}

func explain(err error, encrypted bool) error {
	var answered redis.Error
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case !errors.As(err, &answered) && encrypted:
		return fmt.Errorf("%w (does it speak TLS? If not, the URL begins with redis://)", err)
	case errors.Is(err, io.EOF):
		return fmt.Errorf("it closed the connection (%w)", err)
	}
	for _, hint := range []struct{ prefix, text string }{
		{"NOAUTH", "it needs a password: --redis redis://:PASSWORD@HOST:PORT"},
		{"WRONGPASS", "the user or the password in the URL is wrong"},
		{"READONLY", "it is a read-only replica: use the primary"},
		{"MOVED", "it is part of a cluster: use a single server"},
		{"NOSCRIPT", "it has forgotten locklab's scripts: was it restarted?"},
		{"NOPERM", "the user may not do this: locklab needs EVALSHA, SCRIPT LOAD, SET, GET, INCR, DEL, EXISTS, HSET, PEXPIRE, TIME and INFO, and PUBLISH and SUBSCRIBE where who waits is told of releases"},
	} {
		if redis.HasErrorPrefix(err, hint.prefix) {
			return fmt.Errorf("%w (%s)", err, hint.text)
		}
	}
	return err
}
