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
	plan    Plan
	steps   [][]step      // by worker; without thinking, if that takes no time
	timed   []int         // indexes of the pauses at a time of the run, by time
	streams []streamNames // by worker
}

// A step of the program is a step of the round, with the pauses that hit there.
type step struct {
	is     history.Step
	op     wire.Op  // its command, if it is one of the worker's own; else 0
	key    wire.Key // of the command
	smooth bool     // there are no pauses
	plain  bool     // and it does nothing but send a command that consists of op and key
	pauses [2][]int // indexes of plan.Pauses by place (beforeStep, duringStep)
	way    way
}

// command is the first command of a step, if it has one of its own; those of acquire and release are the lock's.
func (p *Plan) command(s history.Step) command {
	c := commands[s]
	if p.Resource.Kind != NoResource && s == history.Read {
		c.op, _ = p.Resource.commands()
	}
	if p.Resource.Kind != NoResource && s == history.Commit {
		_, c.op = p.Resource.commands()
	}
	return c
}

// OwnSections reports whether each worker's critical section is its own, where nobody else ever is.
func (p *Plan) OwnSections() bool { return p.Resource.Update == Partition }

type command struct {
	op  wire.Op
	key wire.Key // if it is the same in every round
}

var commands = map[history.Step]command{
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
	start, work, think, retry, owner, lost choice.Name
	pauses                                 []pauseNames // by index of plan.Pauses
}

type pauseNames struct{ hit, length, fraction choice.Name }

// NewProgram makes a plan ready for the given number of workers. A pause of constant length 0 is none.
func NewProgram(plan Plan, workers int) *Program {
	p := &Program{plan: plan}
	for i := range plan.Pauses {
		if plan.Pauses[i].Where == At {
			p.timed = append(p.timed, i)
		}
	}
	slices.SortStableFunc(p.timed, func(a, b int) int { return cmp.Compare(plan.Pauses[a].Time, plan.Pauses[b].Time) })
	for id := range workers {
		p.streams = append(p.streams, namesOf(id, len(plan.Pauses)))
		if id > 0 && plan.alike(int32(id-1), int32(id)) {
			p.steps = append(p.steps, p.steps[id-1])
		} else {
			p.steps = append(p.steps, plan.stepsOf(int32(id)))
		}
	}
	return p
}

// alike reports whether the same pauses can hit two workers.
func (p *Plan) alike(a, b int32) bool {
	return !slices.ContainsFunc(p.Pauses, func(p Pause) bool { return p.hits(a) != p.hits(b) })
}

// stepsOf are the steps of a worker.
func (p *Plan) stepsOf(worker int32) []step {
	var steps []step
	for _, s := range p.Steps() {
		before, during, command := p.pausesOf(worker, Before, s), p.pausesOf(worker, During, s), p.command(s)
		smooth := len(before)+len(during) == 0
		if s == history.Think && smooth && p.Think.IsZero() {
			break
		}
		steps = append(steps, step{
			is: s, op: command.op, key: command.key, smooth: smooth,
			plain:  smooth && command.op != 0 && (s == history.Token || !p.OwnSections() && (s == history.Enter || s == history.Leave)),
			pauses: [2][]int{before, during},
		})
	}
	if p.Resource.Kind == NoResource {
		p.findWays(steps)
	}
	return steps
}

// pausesOf gives the indexes of the pauses that can hit a step of a worker.
func (p *Plan) pausesOf(worker int32, w Where, s history.Step) []int {
	var found []int
	for i := range p.Pauses {
		if pause := &p.Pauses[i]; pause.Where == w && pause.Step == s && pause.hits(worker) {
			found = append(found, i)
		}
	}
	return found
}

func namesOf(id, pauses int) streamNames {
	name := func(purpose string) choice.Name { return choice.NameOf("worker", id, purpose) }
	names := streamNames{name("start"), name("work"), name("think"), name("retry"), name("owner"), name("lost messages"), nil}
	for i := range pauses {
		pause := fmt.Sprintf("pause %d", i)
		names.pauses = append(names.pauses, pauseNames{name(pause), name(pause + " length"), name(pause + " fraction")})
	}
	return names
}

// Plan is what the program was made of. It must not be changed.
func (p *Program) Plan() *Plan { return &p.plan }

// Workers is the number of workers the program was made for.
func (p *Program) Workers() int { return len(p.streams) }

// Crashes reports whether a worker may die.
func (p *Program) Crashes() bool { return p.plan.HasCrashes() }
