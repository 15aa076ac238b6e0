package worker_test

import (
	"strings"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker"
	"locklab/worker/wire"
)

// A life is a worker in the plainest world there is: every reply comes 1 ms after its command, timers fire when they are
// due and stops last as long as was wished for. It keeps all that went in and came out.
type life struct {
	worker worker.Worker
	now    int64
	timers map[wire.Timer]int64
	sent   []wire.Wish
	stop   int64 // the end of the stop that is under way; 0 for none

	inputs []moment
	wishes [][]wire.Wish
	events []history.Event
	most   int // wishes in one step
	done   bool
}

type moment struct {
	at int64
	in wire.Input
}

func newLife(plan worker.Plan, workers, id int, seed uint64) *life {
	return &life{worker: worker.New(worker.NewProgram(plan, workers), id, choice.Seeded(seed)), timers: make(map[wire.Timer]int64)}
}

// live lets the worker live to its end, or for very many steps. granted is asked for the answer to every command that
// can be refused.
func (l *life) live(granted func() bool) {
	l.step(wire.Input{Kind: wire.Begin})
	for range 10_000 {
		in, ok := l.next()
		if !ok || l.done {
			return
		}
		if in.Kind == wire.Replied && !granted() && refusable(l.sent[0].Command.Op) {
			in.Reply.Status = wire.Nil
		}
		if in.Kind == wire.Replied {
			l.sent = l.sent[1:]
		}
		l.step(in)
	}
}

func refusable(op wire.Op) bool {
	return op == wire.SetNX || op == wire.SetNXToken || op == wire.CompareDelete || op == wire.Write
}

// next finds what happens next, and lets the time pass until then.
func (l *life) next() (wire.Input, bool) {
	if l.stop > 0 {
		l.now, l.stop = l.stop, 0
		return wire.Input{Kind: wire.Resumed}, true
	}
	due, found := int64(0), wire.Input{}
	if len(l.sent) > 0 {
		due = l.now + ms
		found = wire.Input{Kind: wire.Replied, Tag: l.sent[0].Tag, Reply: &wire.Reply{Status: wire.OK, Value: 5, Inside: 1}}
	}
	for t := range wire.NumTimers {
		if at, set := l.timers[t]; set && (found.Kind == 0 || at < due) {
			due, found = at, wire.Input{Kind: wire.Fired, Timer: t}
		}
	}
	if found.Kind == wire.Fired {
		delete(l.timers, found.Timer)
	}
	l.now = max(l.now, due)
	return found, found.Kind != 0
}

func (l *life) step(in wire.Input) {
	var out wire.Wishes
	l.worker.Step(l.now, &in, &out)
	l.inputs = append(l.inputs, moment{l.now, in})
	l.wishes = append(l.wishes, append([]wire.Wish(nil), out.All()...))
	l.most = max(l.most, len(out.All()))
	for _, e := range out.Notes() {
		e.At = l.now
		l.events = append(l.events, e)
	}
	for _, wish := range out.All() {
		switch wish.Kind {
		case wire.Send:
			l.sent = append(l.sent, wish)
		case wire.SetTimer:
			l.timers[wish.Timer] = max(wish.At, l.now)
		case wire.Cancel:
			delete(l.timers, wish.Timer)
		case wire.Stop:
			l.stop = l.now + wish.For + 1
		case wire.Done:
			l.done = true
		}
	}
}

// commands are the names of all commands sent, in order.
func (l *life) commands() string {
	var names []string
	var p player
	for _, wishes := range l.wishes {
		for _, wish := range wishes {
			if wish.Kind == wire.Send {
				name, _, _ := strings.Cut(p.command(&wish.Command), " ")
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, " ")
}

// of are the events of a kind.
func (l *life) of(k history.Kind) []history.Event {
	var found []history.Event
	for _, e := range l.events {
		if e.Kind == k {
			found = append(found, e)
		}
	}
	return found
}
