package history_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"locklab/history"

	"pgregory.net/rapid"
)

// What is written as JSON is read back as it was: events, records, cells and their histograms, in one file.
func TestLinesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := anyEvents(t)
		tally := tallyOf(events)
		record := history.NewRecord(anySource(t), rapid.IntRange(0, 99).Draw(t, "run"), &tally, rapid.Uint64().Draw(t, "hash"), 7)
		cell := anyCell(t)
		var file bytes.Buffer
		for i := range events {
			write(t, &file, &events[i])
		}
		write(t, &file, &record)
		write(t, &file, cell)

		lines, err := history.ReadLines(&file)
		if err != nil {
			t.Fatal(err)
		}
		if len(events) == 0 {
			events = nil
		}
		want := history.Lines{Records: []history.Record{record}, Cells: []history.Cell{*cell}, Events: events}
		if !reflect.DeepEqual(marshal(t, lines), marshal(t, want)) || !reflect.DeepEqual(lines.Events, events) {
			t.Fatalf("read %+v\nwrote %+v", lines, want)
		}
		if !reflect.DeepEqual(lines.Records[0], record) {
			t.Fatalf("read %+v\nwrote %+v", lines.Records[0], record)
		}
		if got, want := lines.Cells[0].EndNS.Stat(), cell.EndNS.Stat(); got != want {
			t.Fatalf("read %+v\nwrote %+v", got, want)
		}
	})
}

// The line of a cell, which is not written by encoding/json, is what encoding/json makes of it, but for some zeros. It reads back
// whole.
func TestCellLineIsItsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := anyCell(t)
		var line bytes.Buffer
		write(t, &line, cell)
		var fields, want map[string]json.RawMessage
		var back history.Cell
		for _, err := range []error{
			json.Unmarshal(line.Bytes(), &fields), json.Unmarshal([]byte(marshal(t, cell)), &want), json.Unmarshal(line.Bytes(), &back),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for name, text := range fields {
			if string(text) != string(want[name]) {
				t.Fatalf("%s: wrote %s, want %s", name, text, want[name])
			}
		}
		if got, want := marshal(t, &back), marshal(t, cell); got != want {
			t.Fatalf("read back %s\nwant %s", got, want)
		}
	})
}

func write(t rapid.TB, file *bytes.Buffer, v any) {
	t.Helper()
	if err := history.WriteLine(file, v); err != nil {
		t.Fatal(err)
	}
}

func marshal(t rapid.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestNamesRoundTrip(t *testing.T) {
	for _, k := range allKinds() {
		text, err := k.MarshalText()
		var again history.Kind
		if err != nil || strings.Contains(string(text), "(") || again.UnmarshalText(text) != nil || again != k {
			t.Errorf("kind %d: %q, read as %d, error %v", k, text, again, err)
		}
	}
	for s := history.Acquire; s < history.NumSteps; s++ {
		text, err := s.MarshalText()
		var again history.Step
		if err != nil || again.UnmarshalText(text) != nil || again != s || history.StepByName(s.String()) != s {
			t.Errorf("step %d: %q, read as %d, error %v", s, text, again, err)
		}
	}
	if history.StepByName("") != 0 || history.StepByName("lunch") != 0 {
		t.Error("a step was found for a name that none has")
	}
}

// A kind that the simulator alone can see is one that a real record has no field for.
func TestOnlySimulatedRecordsHaveTruth(t *testing.T) {
	tally := history.Tally{LateWrites: 1, StaleWrites: 2, FalseBelief: 3, Entries: 4}
	for world, want := range map[history.World]string{
		history.Sim:  `"late_writes":1,"stale_writes":2,"false_belief_ns":3,"events":5,`,
		history.Real: `"late_writes":null,"stale_writes":null,"false_belief_ns":null,"events":null,`,
	} {
		got := marshal(t, history.NewRecord(history.Source{World: world}, 0, &tally, 0xab, 5))
		if !strings.Contains(got, want) || !strings.Contains(got, `"entries":4`) || !strings.Contains(got, `"history_hash":"00000000000000ab"`) {
			t.Errorf("%s: %s", world, got)
		}
	}
}

func TestReadLinesNamesTheBadLine(t *testing.T) {
	const event = `{"at_ns":1,"worker":0,"round":0,"event":"asked"}` + "\n"
	for _, test := range []struct{ file, want string }{
		{event + "oops\n", "line 2: not a JSON object: "},
		{"\n \n" + event + "[1]\n", "line 4: not a JSON object: "},
		{event + `{"kind":"cell","sce`, "line 2: not a JSON object: unexpected end of JSON input; the file ends within this line: "},
		{event + event + `{"kind":"runs"}`, `line 3: neither a record, a cell, a sweep nor an event: want "kind":"run", "cell" or "sweep", or an "event"`},
		{`{}`, "line 1: neither a record"},
		{`{"event":"slept"}`, `line 1: unknown event "slept"`},
		{`{"event":"stopping","step":"lunch"}`, `line 1: unknown step "lunch"`},
		{`{"kind":"run","entries":"many"}`, "line 1: json: "},
		{`{"kind":"cell","entries":{"bins":[[1,0]]}}`, "line 1: histogram: value 1 has count 0, want above 0"},
		{`{"kind":"cell","entries_times_conflicts":-1}`, "line 1: sum -1: want a whole number from 0 to 2^128-1"},
		{`{"kind":"cell","entries":{"bins":[[1,-3]]}}`, "line 1: histogram: value 1 has count -3, want above 0"},
	} {
		lines, err := history.ReadLines(strings.NewReader(test.file))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %s", test.file, err, test.want)
		}
		if got, want := len(lines.Events), strings.Count(test.file, "asked"); got != want {
			t.Errorf("%q: %d events before the error, want %d", test.file, got, want)
		}
	}
}

func TestReadLinesReadsTheLastLineWithoutNewline(t *testing.T) {
	lines, err := history.ReadLines(strings.NewReader("\n" + `{"event":"asked","at_ns":5}` + "\r\n" + `{"event":"left","at_ns":6}`))
	if err != nil || len(lines.Events) != 2 || lines.Events[1].Kind != history.Left || lines.Events[1].At != 6 {
		t.Errorf("got %+v, error %v", lines, err)
	}
}

// Whatever is read from a line is written as a line that reads the same.
func FuzzReadLines(f *testing.F) {
	tally := history.Tally{Entries: 1}
	cell := history.NewCell(history.Source{Scenario: "x"})
	cell.Add(&tally, 3, false)
	var seeds bytes.Buffer
	write(f, &seeds, cell)
	write(f, &seeds, history.NewRecord(history.Source{World: history.Sim}, 1, &tally, 2, 3))
	write(f, &seeds, &history.Event{Kind: history.Stopping, Step: history.Think, For: 1})
	for line := range bytes.Lines(seeds.Bytes()) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		lines, err := history.ReadLines(bytes.NewReader(data))
		if err != nil {
			return
		}
		var file bytes.Buffer
		for i := range lines.Records {
			write(t, &file, &lines.Records[i])
		}
		for i := range lines.Cells {
			write(t, &file, &lines.Cells[i])
		}
		for i := range lines.Events {
			write(t, &file, &lines.Events[i])
		}
		again, err := history.ReadLines(&file)
		if err != nil || marshal(t, again) != marshal(t, lines) {
			t.Errorf("%s reads as %s, and that, error %v, as %s", data, marshal(t, lines), err, marshal(t, again))
		}
	})
}
