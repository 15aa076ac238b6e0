package history

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

func recordOf(scenario string, run int) Record {
	src := Source{Scenario: scenario, Params: Params{Scale: 1, Set: map[string]string{"lock.ttl": "1s"}}, World: Sim}
	return NewRecord(src, run, &Tally{Conflicts: int64(run)}, 1, 0)
}

// A reader of records gives what ReadLines does, whatever stands between them and however their keys are ordered.
func TestRecordReaderPassesOverOtherLines(t *testing.T) {
	var file bytes.Buffer
	for _, v := range []any{Sweep{Kind: "sweep"}, recordOf("a", 0), recordOf("a", 1), NewCell(Source{Scenario: "a"}), recordOf("b", 0)} {
		if err := WriteLine(&file, v); err != nil {
			t.Fatal(err)
		}
	}
	file.WriteString("\n" + `{"at_ns":1,"event":"entered"}` + "\n" + `{"run":7,"kind":"run"}`)
	lines, err := ReadLines(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	in := NewRecordReader(&file)
	var got []Record
	for {
		r, err := in.Next()
		if err != nil {
			t.Fatal(err)
		}
		if r == nil {
			break
		}
		got = append(got, *r)
	}
	if len(got) != 4 || !reflect.DeepEqual(got, lines.Records) {
		t.Errorf("got %+v, want %+v", got, lines.Records)
	}
	if records, cells := in.Seen(); records != 4 || cells != 1 {
		t.Errorf("seen %d records and %d cells, want 4 and 1", records, cells)
	}
}

func TestRecordReaderNamesTheLine(t *testing.T) {
	for file, want := range map[string]string{
		"\n\n{\"kind\":\"run\",\"entries\":":       "line 3: ",
		"{\"kind\":\"cell\"}\nnonsense\n":          "line 2: not a JSON object",
		"{\"kind\":\"run\",\"entries\":\"many\"}":  "line 1: ",
		"{\"entries\":\"many\",\"kind\":\"run\"}":  "line 1: ",
		"{\"kind\":\"cell\"}\n{\"kind\":\"run\"\n": "line 2: ",
	} {
		in := NewRecordReader(strings.NewReader(file))
		if r, err := in.Next(); r != nil && err == nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, %v, want an error %q", file, r, err, want)
		}
	}
}

func TestSameCell(t *testing.T) {
	base := recordOf("a", 0).Source
	if other := recordOf("a", 1).Source; !base.SameCell(&other) {
		t.Error("two runs of one cell are of different ones")
	}
	for what, change := range map[string]func(*Source){
		"scenario": func(s *Source) { s.Scenario = "b" },
		"hash":     func(s *Source) { s.ScenarioHash = "b" },
		"world":    func(s *Source) { s.World = Real },
		"seed":     func(s *Source) { s.Seed = 2 },
		"profile":  func(s *Source) { s.ProfileHash = "b" },
		"scale":    func(s *Source) { s.Params.Scale = 2 },
		"value":    func(s *Source) { s.Params.Set = map[string]string{"lock.ttl": "2s"} },
		"path":     func(s *Source) { s.Params.Set = map[string]string{"work": "1s"} },
		"nothing":  func(s *Source) { s.Params.Set = nil },
	} {
		other := base
		change(&other)
		if base.SameCell(&other) {
			t.Errorf("another %s is the same cell", what)
		}
	}
}
