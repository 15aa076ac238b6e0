// Package scenarios turns YAML into plain data and back: who contends for what, what goes wrong, and what others
// have published about it. It also holds profiles, which say what a machine does.
//
// Load finds a scenario, built in or in a file; SetAll and Scaled make another one of it; YAML writes it in a
// canonical form, of which Hash is the name. Whatever way a scenario comes, the decoder checks it, so that nothing
// above this package meets an impossible one. A file is read into a tree of nodes (read.go), the decoder gives
// the tree its meaning (decode*.go, profile_yaml.go), and the canonical tree (encode.go) is what is printed, hashed
// and set in.
package scenarios

import (
	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker"
)

// A Scenario is one experiment. All times are nanoseconds.
type Scenario struct {
	Name    string // e.g. lesson/d
	Title   string
	Teaches string
	Workers int    // at least 1
	Preset  string // the name of the one that its lock was given by; empty if none was
	worker.Plan
	Delay     Delay
	Published *history.Counts // nil if nothing is published

	shared *node // the lock as it was given, if parts of it are shares of the TTL; else nil
}

// Delay is added to what a profile says, in both worlds.
type Delay struct {
	Network choice.Law // each way of a command
	Timer   choice.Law // lateness of a timer
}
