package server

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// readyEvery is the time between two tries to reach a server that starts.
const readyEvery = 5 * time.Millisecond

// awaitReady waits until the server answers, has ended, or took longer than limit. It sets Product and Version.
func (s *Server) awaitReady(ctx context.Context, limit time.Duration) error {
	trying, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	go func() {
		select {
		case <-s.child.Done():
			cancel()
		case <-trying.Done():
		}
	}()
	err := s.awaitAnswer(trying)
	if err == nil {
		err = s.identify(trying)
	}
	if err == nil {
		return nil
	}
	if ended := s.Err(); ended != nil {
		return ended
	}
	if ctx.Err() != nil {
		return fmt.Errorf("start %s: %w", s.binary, ctx.Err())
	}
	if trying.Err() != nil {
		return fmt.Errorf("%s does not answer at %s within %v; its last output: %s", s.binary, s.Addr, limit, s.lastOutput())
	}
	return err
}

// awaitAnswer tries until the server answers a PING, or ctx ends: an error.
func (s *Server) awaitAnswer(ctx context.Context) error {
	for {
		err := s.ping(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(readyEvery):
		}
	}
}

// ping connects without go-redis first, which would log each refused connection.
func (s *Server) ping(ctx context.Context) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", s.Addr)
	if err != nil {
		return err
	}
	conn.Close()
	client := s.client()
	defer client.Close()
	// go-redis heeds a deadline while it reads, but no cancellation: whoever listens there may never answer.
	defer context.AfterFunc(ctx, func() { client.Close() })()
	return client.Ping(ctx).Err()
}

// identify makes sure that what answers is the process that was started, and not a program that this one started.
func (s *Server) identify(ctx context.Context) error {
	client := s.client()
	defer client.Close()
	fields, err := infoServer(ctx, client)
	if err != nil {
		return err
	}
	if fields["process_id"] != strconv.Itoa(s.Pid()) {
		return fmt.Errorf("%s was started as process %d, but at %s process %s answers; "+
			"if it is a script, it has to exec the server", s.binary, s.Pid(), s.Addr, fields["process_id"])
	}
	s.Product, s.Version, err = productOf(fields)
	return err
}

func (s *Server) client() *redis.Client {
	return redis.NewClient(&redis.Options{
		Addr:                     s.Addr,
		Password:                 s.password,
		PoolSize:                 1,
		MaxRetries:               -1,
		DialerRetries:            1,
		ContextTimeoutEnabled:    true,
		DisableIdentity:          true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
}
