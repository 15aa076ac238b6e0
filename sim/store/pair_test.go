package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"locklab/realrun"
	"locklab/realrun/child"
	"locklab/realrun/server"
	"locklab/sim/store"
	"locklab/worker/wire"
)

const (
	connections = 3
	// epoch is where the wall clock stands when a case begins, in microseconds.
	epoch = 1_750_000_000_000_000
)

// keys are what commands work on, apart from the referee.
var (
	keys     = []wire.Key{wire.KeyLock, wire.KeyToken, wire.KeyHighest}
	keyNames = realrun.KeysUnder("", 0)
)

// A pair is a real server and the model of it, at the same instant of a clock that stands still.
type pair struct {
	name  string // "redis 7.0.15"
	url   string
	rules store.Rules
	model store.Store
	us    int64 // the wall clock of both

	clock *server.Clock
	real  [connections]*connection
	log   string // the file that the server opens for each line of its log
}

// forEachServer runs a test with every server of this machine: redis-server, valkey-server, and the one that
// REDIS_SERVER names. Without any the test is skipped, but fails in CI.
func forEachServer(t *testing.T, test func(*testing.T, *pair)) {
	if runtime.GOOS != "linux" {
		t.Skip(child.ErrUnsupported)
	}
	binaries := binariesHere(t)
	if len(binaries) == 0 {
		if os.Getenv("CI") != "" {
			t.Fatal(server.ErrNoServer)
		}
		t.Skip("needs a Redis server: ", server.ErrNoServer)
	}
	for _, binary := range binaries {
		t.Run(filepath.Base(binary), func(t *testing.T) { test(t, newPair(t, binary)) })
	}
}

func binariesHere(t *testing.T) []string {
	var found []string
	for _, name := range []string{os.Getenv("REDIS_SERVER"), "redis-server", "valkey-server"} {
		path, err := exec.LookPath(name)
		if err != nil && name != "" && name == os.Getenv("REDIS_SERVER") {
			t.Fatalf("REDIS_SERVER: %v", err)
		}
		if err == nil && !slices.Contains(found, path) {
			found = append(found, path)
		}
	}
	return found
}

func newPair(t *testing.T, binary string) *pair {
	clock, err := server.NewClock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { clock.Close() })
	clock.Freeze(time.UnixMicro(epoch))
	p := &pair{clock: clock, log: filepath.Join(t.TempDir(), "log")}
	s, err := server.Start(t.Context(), server.Options{Binary: binary, Clock: clock, LogFile: p.log})
	if errors.Is(err, server.ErrNoCompiler) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	p.url = s.URL()
	p.name = s.Product + " " + s.Version
	var major, minor int
	if _, err := fmt.Sscanf(s.Version, "%d.%d", &major, &minor); err != nil {
		t.Fatal(err)
	}
	p.rules = store.RulesOf(s.Product, major, minor)
	loadScripts(t, s.URL())
	for i := range p.real {
		p.real[i] = dial(t, s.URL())
	}
	p.real[0].ask("DEBUG", "SET-ACTIVE-EXPIRE", "0") // keys stay until they are touched
	p.model = store.New(connections, 0)
	return p
}

func loadScripts(t *testing.T, url string) {
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer client.Close()
	if err := realrun.LoadScripts(context.Background(), client); err != nil {
		t.Fatal(err)
	}
}

// reset empties both, as realrun begins a run.
func (p *pair) reset() {
	p.us = epoch
	p.clock.Freeze(time.UnixMicro(p.us))
	for _, c := range p.real {
		c.put("UNWATCH")
		c.flush()
		c.read()
	}
	c := p.real[0]
	c.put("FLUSHALL")
	c.put("MSET", "token", 0, "highest", 0)
	c.put("HSET", "referee", "inside", 0, "changed", 0)
	c.flush()
	for range 3 {
		c.read()
	}
	p.model.Rules = p.rules
	p.model.Reset(0, store.Begin{})
}

// move moves the wall clock of both, by microseconds.
func (p *pair) move(us int64) {
	p.us += us
	p.clock.Freeze(time.UnixMicro(p.us))
}

// now is the time of the model.
func (p *pair) now() int64 { return p.us * 1000 }

// ask adds a command to what is sent to the server.
func (p *pair) ask(connection int32, c *wire.Command) {
	request, err := realrun.Translate(c, keyNames)
	if err != nil {
		panic(err)
	}
	p.real[connection].put(request...)
}

// understand reads a server's answer to a command.
func understand(c *wire.Command, answer any) wire.Reply {
	if text, refused := answer.(refusal); refused {
		return wire.Reply{Status: failure(string(text))}
	}
	r, err := realrun.Understand(c, answer)
	if err != nil {
		panic(err)
	}
	if c.Op == wire.Size {
		r.Value-- // the referee is no key of the model
	}
	return r
}

// failure is the class of an error. Texts differ between versions, and have a script's name where one was run.
func failure(text string) wire.Status {
	for _, class := range []struct {
		part   string
		status wire.Status
	}{
		{"WRONGTYPE", wire.WrongType},
		{"value is not an integer or out of range", wire.NotInteger},
		{"would overflow", wire.Overflow},
		{"invalid expire time", wire.BadExpiry},
		{"syntax error", wire.BadOptions},
		{"at the same time are not compatible", wire.BadOptions},
		{"attempt to compare", wire.Raised},
	} {
		if strings.Contains(text, class.part) {
			return class.status
		}
	}
	panic("an error of no known class: " + text)
}
