package server

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// clockVariable tells the library which file the clock is in.
const clockVariable = "LOCKLAB_WALLCLOCK"

// A Clock is the wall clock of private servers that were started with it: it can be put forward and back, and stopped,
// to the microsecond and at once. Their timers go by another clock and are not affected. It needs Linux and, once, a C
// compiler.
//
// One goroutine may use it while servers read it. Make it with NewClock.
type Clock struct {
	words *clockWords // mapped from the file
	path  string
}

// clockWords is the layout of the clock's file; wallclock/wallclock.c has the same.
type clockWords struct {
	offset int64 // microseconds that are added to the machine's clock
	frozen int64 // if not 0: the time that stands still, microseconds since 1970
	loaded int64 // 1: the library has read the file
}

// NewClock makes a clock that runs with the machine's. Close it when its servers are closed.
func NewClock() (*Clock, error) {
	file, err := os.CreateTemp("", "locklab-clock-*")
	if err != nil {
		return nil, fmt.Errorf("make a wall clock: %w", err)
	}
	defer file.Close()
	c := &Clock{path: file.Name()}
	if err := c.mapFile(file); err != nil {
		os.Remove(c.path)
		return nil, fmt.Errorf("make a wall clock: %w", err)
	}
	return c, nil
}

// Close gives the clock up and removes its file. Neither the clock nor a server with it can be used afterwards.
func (c *Clock) Close() error {
	c.unmap()
	return os.Remove(c.path)
}

// Freeze lets the time stand still at an instant, which must be after 1970. While it does, a server's DEBUG SLEEP does
// not sleep, but moves the time by its duration, which may be negative.
func (c *Clock) Freeze(at time.Time) { c.store(&c.words.frozen, at.UnixMicro()) }

// Run lets the time run with the machine's clock, plus an offset.
func (c *Clock) Run(offset time.Duration) {
	c.store(&c.words.offset, offset.Microseconds())
	c.store(&c.words.frozen, 0)
}

// Advance moves the time, frozen or not, forward or, by a negative duration, back.
func (c *Clock) Advance(d time.Duration) {
	word := &c.words.offset
	if c.load(&c.words.frozen) != 0 {
		word = &c.words.frozen
	}
	c.store(word, c.load(word)+d.Microseconds())
}

// Now is the time that the servers read now.
func (c *Clock) Now() time.Time {
	if frozen := c.load(&c.words.frozen); frozen != 0 {
		return time.UnixMicro(frozen)
	}
	return time.Now().Add(time.Duration(c.load(&c.words.offset)) * time.Microsecond)
}

// environment is that of a process that goes by the clock.
func (c *Clock) environment() ([]string, error) {
	path, err := library()
	if err != nil {
		return nil, err
	}
	if others := os.Getenv("LD_PRELOAD"); others != "" {
		path += ":" + others
	}
	kept := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "LD_PRELOAD=") || strings.HasPrefix(v, clockVariable+"=")
	})
	return append(kept, "LD_PRELOAD="+path, clockVariable+"="+c.path), nil
}

// heeded says what is wrong if no process goes by the clock.
func (c *Clock) heeded() error {
	if c.load(&c.words.loaded) == 0 {
		return errors.New("the server does not go by the clock it was given: it has not loaded the library " +
			"(a static program, or one with special rights, does not)")
	}
	return nil
}
