package worker

import (
	"cmp"
	"fmt"
	"slices"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker/wire"
)

// A Program is a plan made ready to run: which step follows which, and where its pauses hit. It is shared by all
// workers of all runs, and never changes.
type Program struct {
	plan     Plan
	steps    []step
	lastStep int           // the index of the last of them: think
	timed    []int         // indexes of the pauses at a time of the run, by time
	streams  []streamNames // by worker
}

// A step of the program is a step of the round, with the pauses that hit there.
type step struct {
	is     history.Step
	op     wire.Op  // its command, if it is one of the worker's own; else 0
	key    wire.Key // of the command
	smooth bool     // there are no pauses
	plain  bool     // and it does nothing but send a command that consists of op and key
	pauses [2][]int // indexes of plan.Pauses by place (beforeStep, duringStep)
}

// commands are the commands of the steps that have one of their own; those of acquire and release are the lock's.
var commands = map[history.Step]struct {
	op  wire.Op
	key wire.Key
}{
	history.Token: {wire.Incr, wire.KeyToken},
	history.Enter: {wire.Enter, wire.KeyReferee}, history.Leave: {wire.Leave, wire.KeyReferee},
	history.Check: {wire.Write, wire.KeyHighest}, history.Commit: {wire.Write, wire.KeyHighest},
}

const (
	beforeStep = iota
	duringStep
)

// streamNames are the names of a worker's streams.
type streamNames struct {
	start, work, think, retry, owner choice.Name
	pauses                           []pauseNames // by index of plan.Pauses
}

type pauseNames struct{ hit, length, fraction choice.Name }

// NewProgram makes a plan ready for the given number of workers.
func NewProgram(plan Plan, workers int) *Program {
	p := &Program{plan: plan}
	for _, s := range plan.Steps() {
		before, during, command := plan.pausesOf(Before, s), plan.pausesOf(During, s), commands[s]
		smooth := len(before)+len(during) == 0
		p.steps = append(p.steps, step{
			is: s, op: command.op, key: command.key, smooth: smooth,
			plain:  smooth && command.op != 0 && command.op != wire.Write,
			pauses: [2][]int{before, during},
		})
	}
	if last := len(p.steps) - 1; p.steps[last].smooth && plan.Think.IsZero() {
		p.steps = p.steps[:last]
	}
	for i := range plan.Pauses {
		if plan.Pauses[i].Where == At {
			p.timed = append(p.timed, i)
		}
	}
	slices.SortStableFunc(p.timed, func(a, b int) int { return cmp.Compare(plan.Pauses[a].Time, plan.Pauses[b].Time) })
	for id := range workers {
		p.streams = append(p.streams, namesOf(id, len(plan.Pauses)))
	}
	return p
}

// pausesOf gives the indexes of the pauses that hit a step.
func (p *Plan) pausesOf(w Where, s history.Step) []int {
	var found []int
	for i := range p.Pauses {
		if pause := &p.Pauses[i]; pause.Where == w && pause.Step == s {
			found = append(found, i)
		}
	}
	return found
}

func namesOf(id, pauses int) streamNames {
	name := func(purpose string) choice.Name { return choice.NameOf("worker", id, purpose) }
	names := streamNames{name("start"), name("work"), name("think"), name("retry"), name("owner"), nil}
	for i := range pauses {
		pause := fmt.Sprintf("pause %d", i)
		names.pauses = append(names.pauses, pauseNames{name(pause), name(pause + " length"), name(pause + " fraction")})
	}
	return names
}

// Workers is the number of workers the program was made for.
func (p *Program) Workers() int { return len(p.streams) }

// Crashes reports whether a worker may die.
func (p *Program) Crashes() bool {
	return slices.ContainsFunc(p.plan.Pauses, func(p Pause) bool { return p.Crash })
}
