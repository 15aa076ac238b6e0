package worker

import (
	"cmp"
	"fmt"
	"slices"

	"locklab/history"
	"locklab/internal/choice"
)

// A Program is a plan made ready to run: which step follows which, and where its pauses hit. It is shared by all
// workers of all runs, and never changes.
type Program struct {
	plan    Plan
	steps   []history.Step
	pauses  [2][history.NumSteps][]int // indexes of plan.Pauses by place (beforeStep, duringStep) and step
	timed   []int                      // indexes of the pauses at a time of the run, by time
	streams []streamNames              // by worker
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

// NewProgram makes a plan ready for the given number of workers. A pause of constant length 0 is none.
func NewProgram(plan Plan, workers int) *Program {
	p := &Program{plan: plan, steps: plan.Steps()}
	for i := range plan.Pauses {
		pause := &plan.Pauses[i]
		if pause.For.IsZero() && !pause.Crash {
			continue
		}
		switch pause.Where {
		case Before:
			p.pauses[beforeStep][pause.Step] = append(p.pauses[beforeStep][pause.Step], i)
		case During:
			p.pauses[duringStep][pause.Step] = append(p.pauses[duringStep][pause.Step], i)
		case At:
			p.timed = append(p.timed, i)
		}
	}
	slices.SortStableFunc(p.timed, func(a, b int) int { return cmp.Compare(plan.Pauses[a].Time, plan.Pauses[b].Time) })
	for id := range workers {
		p.streams = append(p.streams, namesOf(id, len(plan.Pauses)))
	}
	return p
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
