package worker

import (
	"slices"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker/lock"
)

// A Plan is what every worker of a run does: plain data, all times in nanoseconds. It must not be changed while
// workers use it.
type Plan struct {
	Rounds   int32 // at least 1
	Start    int64 // each worker starts at a uniform time of [0, Start]
	Apart    int64 // and worker i by i times this later
	Work     choice.Law
	WorkCPU  bool // Work is time on the processor: a pause prolongs it
	Think    choice.Law
	Lock     lock.Policy
	Fencing  Fencing
	Resource Resource
	Pauses   []Pause
}

// TokenAt says when a worker draws its fencing token.
type TokenAt uint8

// The times of drawing a token. TokenNone is the zero value.
const (
	TokenNone   TokenAt = iota
	TokenBefore         // one INCR a round, before the first try to acquire
	TokenAfter          // INCR after the acquire
	TokenInside         // in the acquire's script
)

// CheckAt is a set of steps at which the resource checks the token.
type CheckAt uint8

// The checks. 0 is none; CheckStart|CheckCommit is both.
const (
	CheckStart CheckAt = 1 << iota
	CheckCommit
)

// Fencing says where a worker's token comes from and where the resource checks it. The zero value is no fencing.
type Fencing struct {
	Token   TokenAt
	Check   CheckAt
	OrEqual bool  // the resource refuses a token equal to the highest it has seen, too
	First   int64 // the first token; 0 for 1
}

// Where says where in a round a pause hits.
type Where uint8

// The places of a pause.
const (
	Before Where = iota + 1 // before the step
	During                  // in the midst of work or think; of another step, right after its command was sent
	At                      // at a time of the run
)

// When says which rounds a pause hits.
type When uint8

// The ways of choosing rounds. ByRule is the zero value.
const (
	ByRule  When = iota // every n-th, or with a probability
	InRound             // one round
	Asked               // the source of choices decides, round by round
)

// A Pause stops the whole process of a worker: no timer fires, no reply is handled until it ends. A crash is a pause
// that never ends: what was sent before still arrives, and the referee takes the worker out.
type Pause struct {
	Where       Where
	Step        history.Step // Before, During
	Time        int64        // At
	For         choice.Law
	Crash       bool    // the process dies; For does not count
	Thread      bool    // only the thread of the round sleeps; the lease is renewed on
	Fraction    float64 // During work or think: the share of the step's drawn duration after which it hits; below 0 for a uniform one
	When        When
	Every       int32   // ByRule: it hits every n-th round, from 0; 0 if Probability decides
	Probability float64 // ByRule: it hits a round with this probability
	Round       int32   // InRound
	Workers     []int32 // whom it hits; nil for all
}

// hits reports whether the pause can hit the worker at all. One of constant length 0 is none.
func (p *Pause) hits(worker int32) bool {
	if p.For.IsZero() && !p.Crash {
		return false
	}
	if p.Workers == nil {
		return true
	}
	for _, w := range p.Workers {
		if w == worker {
			return true
		}
	}
	return false
}

// HasCrashes reports whether a worker may die.
func (p *Plan) HasCrashes() bool {
	return slices.ContainsFunc(p.Pauses, func(p Pause) bool { return p.Crash })
}

// Steps are the steps of a round of this plan, in order.
func (p *Plan) Steps() []history.Step {
	var steps []history.Step
	add := func(s history.Step, when bool) {
		if when {
			steps = append(steps, s)
		}
	}
	locked := p.Lock.Kind != lock.None
	add(history.Token, p.Fencing.Token == TokenBefore)
	add(history.Acquire, locked)
	add(history.Token, p.Fencing.Token == TokenAfter)
	add(history.Enter, true)
	add(history.Check, p.Fencing.Check&CheckStart != 0)
	add(history.Read, p.Resource.reads())
	add(history.Work, true)
	add(history.Commit, p.Resource.Kind != NoResource || p.Fencing.Check&CheckCommit != 0)
	add(history.Leave, true)
	add(history.Release, locked)
	add(history.Think, true)
	return steps
}
