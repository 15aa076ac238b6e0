package traceevents_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"locklab/history"
	"locklab/internal/study"
	"locklab/plots/traceevents"
	"locklab/scenarios"
)

// An event is one of a trace, with the fields that the format's description has.
type event struct {
	Name  *string        `json:"name"`
	Cat   string         `json:"cat"`
	Phase string         `json:"ph"`
	TS    *float64       `json:"ts"`
	Dur   *float64       `json:"dur"`
	PID   *int           `json:"pid"`
	TID   *int           `json:"tid"`
	ID    *int           `json:"id"`
	Bind  string         `json:"bp"`
	Scope string         `json:"s"`
	Args  map[string]any `json:"args"`
}

func (e *event) end() float64 { return *e.TS + *e.Dur }

func traceOf(t *testing.T, name string, set ...string) []event {
	t.Helper()
	e, err := study.NewExperiment(name, set, 1)
	if err != nil {
		t.Fatal(err)
	}
	lab := scenarios.Lab()
	traced := study.Trace(e, &lab, 1, 0)
	return written(t, &traceevents.Trace{Name: name, Events: traced.Events, Flights: traced.Flights})
}

// written is the trace as a reader finds it, who knows all fields.
func written(t *testing.T, trace *traceevents.Trace) []event {
	t.Helper()
	var b bytes.Buffer
	if err := trace.Write(&b); err != nil {
		t.Fatal(err)
	}
	var file struct {
		DisplayTimeUnit string  `json:"displayTimeUnit"`
		TraceEvents     []event `json:"traceEvents"`
	}
	strict := json.NewDecoder(&b)
	strict.DisallowUnknownFields()
	if err := strict.Decode(&file); err != nil {
		t.Fatal(err)
	}
	if file.DisplayTimeUnit != "ms" {
		t.Errorf("displayTimeUnit %q: want ms or ns", file.DisplayTimeUnit)
	}
	return file.TraceEvents
}

// Each phase has the fields that the format's description demands of it.
func TestEventsHaveTheirFields(t *testing.T) {
	counts := make(map[string]int)
	for _, e := range traceOf(t, "lesson/e") {
		counts[e.Phase]++
		if e.Name == nil || e.TS == nil || *e.TS < 0 || e.PID == nil || e.TID == nil {
			t.Fatalf("no name, ts, pid or tid: %+v", e)
		}
		flow := slices.Contains([]string{"s", "t", "f"}, e.Phase)
		ok := true
		switch e.Phase {
		case "M":
			ok = slices.Contains([]string{"process_name", "thread_name", "thread_sort_index"}, *e.Name) && len(e.Args) == 1
		case "X":
			ok = e.Dur != nil && *e.Dur >= 0 && e.Cat != ""
		case "i":
			ok = slices.Contains([]string{"g", "p", "t"}, e.Scope) && e.Args["said"] != ""
		case "C":
			ok = len(e.Args) > 0
		case "s", "t", "f":
			ok = e.ID != nil && e.Cat != "" && (e.Bind == "e") == (e.Phase == "f")
		default:
			ok = false
		}
		if !ok || (e.ID != nil) != flow || (e.Dur != nil) != (e.Phase == "X") || (e.Scope != "") != (e.Phase == "i") {
			t.Fatalf("%+v", e)
		}
	}
	for _, phase := range []string{"M", "X", "i", "C", "s", "t", "f"} {
		if counts[phase] == 0 {
			t.Errorf("no event of phase %s", phase)
		}
	}
}

// On one track, a slice that begins within another ends within it: viewers draw nothing else.
func TestSlicesLieWithinEachOther(t *testing.T) {
	for _, test := range [][]string{
		{"lesson/c"}, {"lesson/d"}, {"lesson/e"},
		{"lesson/d", "crashes=[{during: work, round: 1, workers: [0]}]"}, {"lesson/d", "pauses=[{during: acquire, for: 700ms, every: 3}]"},
	} {
		tracks := make(map[int][]event)
		for _, e := range traceOf(t, test[0], test[1:]...) {
			if e.Phase == "X" {
				tracks[*e.TID] = append(tracks[*e.TID], e)
			}
		}
		for tid, track := range tracks {
			var open []event
			last := 0.0
			for _, e := range track {
				if *e.TS < last {
					t.Fatalf("%v, track %d: %s goes back to %f", test, tid, *e.Name, *e.TS)
				}
				last = *e.TS
				for len(open) > 0 && open[len(open)-1].end() <= *e.TS+1e-6 {
					open = open[:len(open)-1]
				}
				if n := len(open); n > 0 && e.end() > open[n-1].end()+1e-6 {
					t.Fatalf("%v, track %d: %s from %f to %f ends after %s at %f", test, tid, *e.Name, *e.TS, e.end(), *open[n-1].Name, open[n-1].end())
				}
				open = append(open, e)
			}
		}
	}
}

// An arrow begins, passes and ends within slices: elsewhere it is not drawn.
func TestArrowsEndInSlices(t *testing.T) {
	all := traceOf(t, "lesson/d")
	inSlice := func(at *event) bool {
		return slices.ContainsFunc(all, func(e event) bool {
			return e.Phase == "X" && *e.TID == *at.TID && *e.TS <= *at.TS && *at.TS <= e.end()
		})
	}
	phases := make(map[int]string)
	for i := range all {
		if e := &all[i]; e.ID != nil {
			phases[*e.ID] += e.Phase
			if !inSlice(e) {
				t.Fatalf("%s of arrow %d at %f is in no slice", e.Phase, *e.ID, *e.TS)
			}
		}
	}
	for id, p := range phases {
		if p != "stf" {
			t.Errorf("arrow %d has phases %s", id, p)
		}
	}
}

func TestTracksAreWorkersAndStores(t *testing.T) {
	var names []string
	conflicts, rejected := 0, 0
	for _, e := range traceOf(t, "lesson/e", "workers=3", "rounds=10") {
		switch {
		case e.Phase == "M" && *e.Name == "thread_name":
			names = append(names, fmt.Sprint(e.Args["name"]))
		case e.Phase == "i" && *e.Name == "CONFLICT":
			conflicts++
		case e.Phase == "i" && *e.Name == "rejected":
			rejected++
		}
	}
	if got := strings.Join(names, ", "); got != "worker 0, worker 1, worker 2, store 0" {
		t.Errorf("tracks %s", got)
	}
	if conflicts == 0 || rejected == 0 {
		t.Errorf("%d conflicts, %d rejected writes", conflicts, rejected)
	}
}

// A measured history has no stores to show, and names are whatever they are.
func TestMeasuredHistory(t *testing.T) {
	events := []history.Event{
		{At: 1_500, Kind: history.Asked}, {At: 2_000_000, Kind: history.Acquired}, {At: 3_000_001, Kind: history.Releasing}, {At: 4_000_000, Kind: history.Kind(60)},
	}
	all := written(t, &traceevents.Trace{Name: `<b>"x"</b>`, Events: events})
	if got := all[0].Args["name"]; got != `<b>"x"</b>` {
		t.Errorf("name %v", got)
	}
	last := all[len(all)-1]
	if last.Phase != "X" || *last.TS != 2000 || *last.Dur != 1000.001 {
		t.Errorf("last slice %+v", last)
	}
	for _, e := range all {
		if *e.TID >= 1001 {
			t.Errorf("a store: %+v", e)
		}
	}
}
