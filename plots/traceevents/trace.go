// Package traceevents writes the history of a run in the trace-event format, which browsers' trace viewers and Perfetto open: a
// track for each worker and each store, with what goes on as slices, what goes wrong as instants, and an arrow for each command.
//
// The format is described in "Trace Event Format" by the Chromium project. Its times are microseconds; here they have three
// decimals.
package traceevents

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"locklab/history"
)

// A Trace is one run.
type Trace struct {
	Name    string           // what the viewer calls the process
	Events  []history.Event  // sorted
	Flights []history.Flight // nil if they were not seen
}

// The process that all tracks belong to, and the numbers of the first tracks.
const (
	pid         = 1
	firstWorker = 1
	firstStore  = 1001
)

// An event is one of a trace. Fields that its phase does not have are left out.
type event struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Phase string         `json:"ph"`
	TS    micros         `json:"ts"`
	Dur   *micros        `json:"dur,omitempty"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	ID    int            `json:"id,omitempty"`
	Bind  string         `json:"bp,omitempty"`
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// micros is a time in nanoseconds, written in microseconds.
type micros int64

// MarshalJSON writes it.
func (m micros) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%03d", int64(m)/1000, int64(m)%1000), nil
}

// Write writes the trace as one JSON object.
func (t *Trace) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	out.WriteString("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n")
	first := true
	var failed error
	t.each(func(e event) {
		line, err := json.Marshal(&e)
		if err != nil {
			failed = err
			return
		}
		if !first {
			out.WriteString(",\n")
		}
		first = false
		out.Write(line)
	})
	out.WriteString("\n]}\n")
	if failed != nil {
		return failed
	}
	return out.Flush()
}

// each gives all events of the trace.
func (t *Trace) each(put func(event)) {
	spans := history.NewSpans(t.Events)
	stores := 0
	if len(spans.Holds) > 0 {
		stores = 1
	}
	for i := range t.Flights {
		stores = max(stores, int(t.Flights[i].Store)+1)
	}
	t.name(len(spans.Workers), stores, put)
	wrong := spans.Mistaken(0)
	for worker := range spans.Workers {
		slices := activities(&spans.Workers[worker], wrong[worker])
		for i := range t.Flights {
			if f := &t.Flights[i]; int(f.Worker) == worker && f.Replied >= 0 {
				slices = append(slices, slice{history.Span{From: f.Sent, To: f.Replied}, f.Command, "command"})
			}
		}
		putSlices(firstWorker+worker, slices, put)
	}
	var held []slice
	for _, h := range spans.Holds {
		held = append(held, slice{h.Span, fmt.Sprintf("leased to worker %d", h.Worker), "lease"})
	}
	t.putStores(stores, held, put)
	t.putArrows(put)
	t.putInstants(put)
	putCount(t.Events, put)
}

// name names the process and its tracks, in their order.
func (t *Trace) name(workers, stores int, put func(event)) {
	meta := func(kind string, tid int, args map[string]any) {
		put(event{Name: kind, Phase: "M", PID: pid, TID: tid, Args: args})
	}
	meta("process_name", 0, map[string]any{"name": t.Name})
	track := func(tid int, name string) {
		meta("thread_name", tid, map[string]any{"name": name})
		meta("thread_sort_index", tid, map[string]any{"sort_index": tid})
	}
	for w := range workers {
		track(firstWorker+w, fmt.Sprintf("worker %d", w))
	}
	for s := range stores {
		track(firstStore+s, fmt.Sprintf("store %d", s))
	}
}
