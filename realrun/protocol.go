package realrun

import (
	"locklab/history"
	"locklab/realrun/child"
	"locklab/scenarios"
	"locklab/worker/wire"
)

// What the supervisor and a worker process say to each other: JSON values, one after the other, on two pipes. The
// supervisor's first is a setup, its second a start, its last a collect; every other answers a stop.

// What a worker process may be told at any time.
const (
	askWaits  = child.Word1 // report whether you wait for the lock
	lockIsOff = child.Word2 // the lock will never be free: wait for it no longer
)

// setup tells a worker process what it is. It is sent on a pipe, not in the arguments, since a URL may hold a
// password.
type setup struct {
	Worker   int                 `json:"worker"`
	Seed     uint64              `json:"seed"` // of the run
	Scenario *scenarios.Scenario `json:"scenario"`
	URLs     []string            `json:"urls"` // of the stores
	Prefix   string              `json:"prefix"`
	Sample   bool                `json:"sample"` // collect samples of the machine's delays
}

// start is the agreed instant from which the time of the run counts.
type start struct {
	At int64 `json:"at"` // CLOCK_MONOTONIC, ns
}

// collect asks a worker whose rounds are over for what it noted.
type collect struct{}

// stopped answers a stop that is over.
type stopped struct {
	At int64 `json:"at"` // when the process stood, CLOCK_MONOTONIC, ns
}

// report is what a worker process says. Exactly one field is set.
type report struct {
	Ready bool    `json:"ready,omitempty"` // connected, scripts loaded, waiting for the start
	Done  bool    `json:"done,omitempty"`  // its rounds are over; it waits to be asked for what it noted
	Stop  *int64  `json:"stop,omitempty"`  // stop me for so many nanoseconds
	Waits *bool   `json:"waits,omitempty"` // it was asked whether it waits for the lock
	End   *ending `json:"end,omitempty"`
	Error string  `json:"error,omitempty"`
}

// ending is what a worker process leaves.
type ending struct {
	Events   []history.Event `json:"events"`
	Commands int64           `json:"commands"`          // sent, as history.Tally has them
	Crashed  bool            `json:"crashed,omitempty"` // it waits to be killed
	Value    int64           `json:"value,omitempty"`   // if it crashed: the owner value of its last acquisition
	Samples  *Samples        `json:"samples,omitempty"`
}

// Samples are delays of this machine as worker processes met them, in nanoseconds, in the order in which each worker met them.
// What a stop distorted is left out.
type Samples struct {
	Timers   []TimerSample   `json:"timers"`
	Commands []CommandSample `json:"commands"`
	Start    []int64         `json:"start"`    // how late the start was
	Stop     []int64         `json:"stop"`     // from the wish for a stop until the process stood
	Continue []int64         `json:"continue"` // from the end of the stop's duration until the process ran again
}

// TimerSample is how late a timer that was set for Sleep was handled.
type TimerSample struct {
	Sleep int64 `json:"sleep"`
	Late  int64 `json:"late"`
}

// CommandSample is how long a command was under way, from the instant at which the worker handled what made it send the
// command to that at which it handled the reply.
type CommandSample struct {
	Op    wire.Op `json:"op"`
	After After   `json:"after"`
	Slept int64   `json:"slept"` // AfterSleep: for how long the timer was set, above 0
	Trip  int64   `json:"trip"`
	There int64   `json:"there"` // until the store executed it, if the store told and its clock is this machine's; see HasThere
}

// After is what a worker did before it sent a command.
type After uint8

// What a worker may have done.
const (
	AfterReply After = iota // it handled a reply, or a timer that was set for no time
	AfterSleep              // it waked from a sleep
	AfterStop               // it waked from a stop
)

// unknown is the There of a command whose store told no time.
const unknown = -1 << 62

// HasThere reports whether the store told when it executed the command.
func (s *CommandSample) HasThere() bool { return s.There != unknown }

// Add appends what o holds.
func (s *Samples) Add(o *Samples) {
	s.Timers = append(s.Timers, o.Timers...)
	s.Commands = append(s.Commands, o.Commands...)
	s.Start = append(s.Start, o.Start...)
	s.Stop = append(s.Stop, o.Stop...)
	s.Continue = append(s.Continue, o.Continue...)
}
