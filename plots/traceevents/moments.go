package traceevents

import (
	"fmt"

	"locklab/history"
)

// execution is how long a command is shown at its store, in ns; its own time is not known.
const execution = 1000

// putStores puts what happens at the stores: who has the lease, at the first, and the commands that are executed.
func (t *Trace) putStores(stores int, held []slice, put func(event)) {
	for s := range stores {
		var all []slice
		if s == 0 {
			all = held
		}
		for i := range t.Flights {
			if f := &t.Flights[i]; int(f.Store) == s {
				name := fmt.Sprintf("%s of worker %d", f.Command, f.Worker)
				all = append(all, slice{history.Span{From: f.Executed, To: f.Executed + execution}, name, "command"})
			}
		}
		putSlices(firstStore+s, all, put)
	}
}

// putArrows puts an arrow for each command: from its worker to the store, and from there back. It ends a nanosecond before the
// slice does that it ends in.
func (t *Trace) putArrows(put func(event)) {
	for i := range t.Flights {
		f := &t.Flights[i]
		arrow := event{Name: f.Command, Cat: "command", PID: pid, ID: i + 1}
		end := func(phase string, at int64, tid int, bind string) {
			arrow.Phase, arrow.TS, arrow.TID, arrow.Bind = phase, micros(at), tid, bind
			put(arrow)
		}
		worker, store := firstWorker+int(f.Worker), firstStore+int(f.Store)
		if f.Replied < 0 {
			continue // its worker has no slice to begin in
		}
		end("s", f.Sent, worker, "")
		end("t", f.Executed, store, "")
		end("f", max(f.Replied-1, f.Executed), worker, "e")
	}
}

// instants are the events that a viewer shows as such.
var instants = map[history.Kind]bool{
	history.Rejected: true, history.Lost: true, history.GaveUp: true, history.Crashed: true, history.StaleWrite: true,
	history.LateWrite: true, history.StaleAccepted: true, history.TokenDisorder: true, history.Expired: true,
	history.LostUpdate: true, history.DoneTwice: true, history.Never: true, history.RenewalFailed: true, history.RenewalLost: true,
	history.Learned: true, history.Overwritten: true, history.FreedByOther: true,
}

// putInstants puts what goes wrong, in the words of the story.
func (t *Trace) putInstants(put func(event)) {
	var tell history.Narrator
	for i := range t.Events {
		e := &t.Events[i]
		said := tell.Tell(e)
		name := e.Kind.String()
		switch {
		case e.Kind == history.Entered && e.Inside > 1:
			name = "CONFLICT"
		case !instants[e.Kind]:
			continue
		}
		put(event{
			Name: name, Cat: "event", Phase: "i", Scope: "t", TS: micros(e.At), PID: pid, TID: firstWorker + int(e.Worker),
			Args: map[string]any{"said": said, "round": e.Round},
		})
	}
}

// putCount puts how many are inside, as a counter.
func putCount(events []history.Event, put func(event)) {
	for i := range events {
		switch e := &events[i]; e.Kind {
		case history.Entered, history.Left, history.Removed:
			put(event{Name: "inside", Phase: "C", TS: micros(e.At), PID: pid, Args: map[string]any{"workers": e.Inside}})
		}
	}
}
