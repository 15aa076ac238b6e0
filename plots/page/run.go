package page

import "locklab/history"

// A Run is one run that a timeline shows.
type Run struct {
	Scenario string // its name; runs of one scenario can be shown one above the other
	Title    string // of the scenario, "" if it has none
	Name     string // of the run, e.g. "simulated, profile lab, seed 1, run 0"
	World    history.World
	Events   []history.Event  // sorted
	Flights  []history.Flight // nil in the real world, where nobody sees them
	Lease    int64            // as history.Narrator has it

	Disturbed bool // the machine was not what its profile says, so the run was no measurement
}

// runData is a run as the script reads it. Times are in microseconds, and each list of them has the differences.
type runData struct {
	ID       string      `json:"id"`
	Scenario string      `json:"scenario"`
	Title    string      `json:"title"`
	Name     string      `json:"name"`
	World    string      `json:"world"`
	Workers  int         `json:"workers"`
	Stores   int         `json:"stores"`
	End      int64       `json:"end"`
	Telling  int         `json:"telling"` // how much it has to tell: see look
	Window   [2]int64    `json:"window"`  // what is to be seen first: from, to
	Steps    stepData    `json:"steps"`
	Spans    [][][]int64 `json:"spans"`    // by worker and history.Activity: pause before it, length, and so on
	Mistaken [][]int64   `json:"mistaken"` // by worker: when it believes in a lease that has ended
	Holds    []int64     `json:"holds"`    // worker, pause since the last began, length, length of the lease, 1 if that ended it; and so on
	Crowd    []int64     `json:"crowd"`    // with two or more inside
	Flights  []int64     `json:"flights"`  // worker, store, command, sent after the one before, time there, time back or -1; and so on
	Bound    bool        `json:"bound"`    // the ends of leases are only known as bounds
}

// stepData is the events that the timeline steps through. Each sentence is one of few, with its numbers in a text of their own.
type stepData struct {
	After    []int64 `json:"after"`
	Worker   []int32 `json:"worker"`
	Sentence []int   `json:"sentence"`
	Numbers  string  `json:"numbers"` // parted by spaces
	Truth    string  `json:"truth"`   // for each, 1 if only the simulator can see it
	Marks    string  `json:"marks"`   // for each a letter of marks, or a dot
}

// pageData is all runs.
type pageData struct {
	Sentences []string          `json:"sentences"` // with # for a number
	Commands  []string          `json:"commands"`
	Marks     map[string]string `json:"marks"` // what letters mean
	Runs      []runData         `json:"runs"`
}

// A mark is what a timeline marks: by a letter, and in a word or two.
type mark struct {
	letter byte
	name   string
}

// conflict marks entries that find somebody inside.
var conflict = mark{'c', "conflict"}

// marks are those of all other events.
var marks = map[history.Kind]mark{
	history.Rejected: {'r', "write rejected"}, history.StaleWrite: {'s', "stale write"}, history.StaleAccepted: {'S', "stale write accepted"},
	history.LateWrite: {'l', "late write"}, history.Lost: {'o', "lock lost"}, history.Crashed: {'x', "dies"},
	history.TokenDisorder: {'t', "token out of order"}, history.Accepted: {'a', "write accepted"}, history.Committed: {'a', "write accepted"}, history.GaveUp: {'g', "gives up"},
	history.LostUpdate: {'u', "update lost"}, history.DoneTwice: {'d', "done twice"}, history.Never: {'v', "waits for ever"},
	history.RenewalFailed: {'m', "renewal unanswered"}, history.RenewalLost: {'n', "renewal: lock lost"}, history.Learned: {'k', "learns of the loss"},
	history.Overwritten: {'w', "lease overwritten"}, history.FreedByOther: {'f', "lease of another deleted"},
}

// markOf is the letter of an event's mark, a dot if it has none.
func markOf(e *history.Event) byte {
	if e.Kind == history.Entered && e.Inside > 1 {
		return conflict.letter
	}
	if m, ok := marks[e.Kind]; ok {
		return m.letter
	}
	return '.'
}

// markNames are what letters mean.
func markNames() map[string]string {
	names := map[string]string{string(conflict.letter): conflict.name}
	for _, m := range marks {
		names[string(m.letter)] = m.name
	}
	return names
}
