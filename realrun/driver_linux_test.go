package realrun

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"locklab/internal/choice"
	"locklab/realrun/server"
	"locklab/scenarios"
	"locklab/worker/wire"
)

// setUp starts a server and gives a driver whose commands are carried out there.
func setUp(t *testing.T) (*driver, *redis.Client) {
	t.Helper()
	s, err := server.Start(t.Context(), server.Options{})
	if errors.Is(err, server.ErrNoServer) && os.Getenv("CI") == "" {
		t.Skip("needs a Redis server: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	does := &setup{Scenario: &scenarios.Scenario{Workers: 1}, Prefix: "test:", URLs: []string{s.URL()}}
	routes, err := openRoutes(t.Context(), does)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeRoutes(routes) })
	d := newDriver(does, routes, nil, nil, nil)
	other, err := connect(s.URL(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	go d.serve(context.Background(), routes[0])
	t.Cleanup(func() { close(routes[0].requests) })
	return d, other
}

func (d *driver) send(tag wire.Tag, c wire.Command) {
	d.carryOut(0, &wire.Wish{Kind: wire.Send, Tag: tag, Command: c})
}

func (d *driver) wantReply(t *testing.T, tag wire.Tag, value int64) {
	t.Helper()
	select {
	case a := <-d.replies:
		if a.tag != tag || a.err != nil || a.reply.Value != value {
			t.Errorf("reply to %d: %d (%v), want to %d: %d", a.tag, a.reply.Value, a.err, tag, value)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("no reply")
	}
}

// A second command to a store waits for the reply to the first, however long that takes, and both are carried out once,
// in order.
func TestSecondCommandWaitsForTheFirst(t *testing.T) {
	t.Parallel()
	d, other := setUp(t)
	incr := wire.Command{Op: wire.Incr, Key: wire.KeyToken}
	d.send(7, incr)
	d.wantReply(t, 7, 1)
	if err := other.Do(t.Context(), "CLIENT", "PAUSE", 300, "ALL").Err(); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	d.send(1, incr)
	first := d.routes[0].last
	d.send(2, incr)
	<-first.sent
	select {
	case <-d.routes[0].last.sent:
		t.Error("the second command was sent before the reply to the first")
	case <-time.After(50 * time.Millisecond):
	}
	d.wantReply(t, 1, 2)
	d.wantReply(t, 2, 3)
	if took := time.Since(begin); took < 250*time.Millisecond {
		t.Errorf("the replies took %v; the server was held for 300ms", took)
	}
}

func TestFailedCommandCountsAsSent(t *testing.T) {
	t.Parallel()
	d, other := setUp(t)
	if err := other.Set(t.Context(), "test:token", "no number", 0).Err(); err != nil {
		t.Fatal(err)
	}
	d.send(1, wire.Command{Op: wire.Incr, Key: wire.KeyToken})
	a := <-d.replies
	if a.err == nil {
		t.Fatal("no error")
	}
	<-d.routes[0].last.sent
	d.send(2, wire.Command{})
	if a := <-d.replies; a.err == nil {
		t.Error("no error for an unknown command")
	}
	<-d.routes[0].last.sent
}

// A declared delay passes on the way there and on the way back.
func TestDeclaredDelayOfTheNetwork(t *testing.T) {
	t.Parallel()
	d, _ := setUp(t)
	d.delay.Network = choice.Const(int64(30 * time.Millisecond))
	begin := time.Now()
	d.send(1, wire.Command{Op: wire.Incr, Key: wire.KeyToken})
	d.wantReply(t, 1, 1)
	if took := time.Since(begin); took < 60*time.Millisecond {
		t.Errorf("the reply took %v, want at least 60ms", took)
	}
}

// Timers that are due together are taken in the order of their times; of equal ones, in that in which they were set.
func TestTimersInOrder(t *testing.T) {
	t.Parallel()
	timers := newTimers()
	if _, ok := timers.take(); ok {
		t.Error("a timer was due that nobody set")
	}
	now := monotonic()
	timers.set(wire.TimerStart, now-1000)
	timers.set(wire.TimerPause, now-2000)
	timers.set(wire.TimerRetry, now-2000)
	timers.set(wire.TimerStep, now-3000)
	timers.set(wire.TimerPauseAt, now+int64(50*time.Millisecond))
	timers.cancel(wire.TimerStep)
	for _, want := range []wire.Timer{wire.TimerPause, wire.TimerRetry, wire.TimerStart} {
		<-timers.next.C
		if got, ok := timers.take(); got != want || !ok {
			t.Errorf("took timer %d (%v), want %d", got, ok, want)
		}
	}
	if got, ok := timers.take(); ok {
		t.Errorf("timer %d was due too early", got)
	}
	<-timers.next.C
	if got, ok := timers.take(); got != wire.TimerPauseAt || !ok {
		t.Errorf("took timer %d (%v), want %d", got, ok, wire.TimerPauseAt)
	}
	if late := monotonic() - now; late < int64(50*time.Millisecond) {
		t.Errorf("the last timer came after %v, want 50ms", time.Duration(late))
	}
}
