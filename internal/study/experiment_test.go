package study

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"locklab/history"
	"locklab/scenarios"
)

func experiment(t *testing.T, name string, scale float64, set ...string) *Experiment {
	t.Helper()
	e, err := NewExperiment(name, set, scale)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// An experiment says what was changed: what was set decides its hash, the scale does not, as it stands in the params.
func TestExperiment(t *testing.T) {
	written, err := scenarios.Builtin("lesson/d")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		scale    float64
		set      []string
		work     int64
		sameHash bool
	}{
		{1, nil, 300e6, true},
		{0.1, nil, 30e6, true},
		{1, []string{"work=50ms"}, 50e6, false},
		{0.5, []string{"work=50ms", "rounds=2"}, 25e6, false},
	} {
		e := experiment(t, "lesson/d", test.scale, test.set...)
		source := e.source(history.Sim, 7, &scenarios.Profile{Name: "p"}, history.Store{Product: "model"})
		if e.Scenario.Work.A != test.work || (source.ScenarioHash == written.Hash()) != test.sameHash {
			t.Errorf("%v: work %d, hash %s", test, e.Scenario.Work.A, source.ScenarioHash)
		}
		want := map[string]string{}
		for _, setting := range test.set {
			path, value, _ := strings.Cut(setting, "=")
			want[path] = value
		}
		if source.Params.Scale != test.scale || !maps.Equal(source.Params.Set, want) || source.Scenario != "lesson/d" ||
			source.Seed != 7 || source.Profile != "p" || source.Published.Conflicts != 31 {
			t.Errorf("%v: source %+v", test, source)
		}
	}
}

func TestExperimentsRefuse(t *testing.T) {
	for _, test := range []struct {
		name  string
		set   []string
		scale float64
		want  string
	}{
		{"lesson/z", nil, 1, "unknown scenario"},
		{"lesson/d", []string{"pauses[0].for=1s"}, 1, "--set pauses[0].for=1s"}, // lesson/b has none

		{"lesson/d", nil, 0.0001, "lesson/b: "}, // a TTL of 0.1 ms
	} {
		_, err := NewExperiments([]string{"lesson/b", test.name}, test.set, test.scale)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, set %v, scale %v: error %v", test.name, test.set, test.scale, err)
		}
	}
}

// What is predicted comes in the order asked for, the same each time, and a trace is one of the runs.
func TestPredictAndTrace(t *testing.T) {
	lab := scenarios.Lab()
	experiments, err := NewExperiments([]string{"lesson/e", "lesson/c"}, []string{"rounds=4"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var hashes []string
	predict := func() []*history.Cell {
		hashes = nil
		p := Prediction{Profile: &lab, Seed: 3, Runs: 5}
		p.Each = func(r *history.Record) error { hashes = append(hashes, r.HistoryHash); return nil }
		cells, err := p.PredictAll(context.Background(), experiments)
		if err != nil {
			t.Fatal(err)
		}
		return cells
	}
	cells := predict()
	before := jsonOf(t, cells)
	if again := predict(); jsonOf(t, again) != before {
		t.Error("the same prediction gives another cell")
	}
	if len(cells) != 2 || cells[0].Scenario != "lesson/e" || cells[1].Scenario != "lesson/c" || cells[1].Conflicts.Stat().Min != 7 {
		t.Errorf("predicted %s", before)
	}
	if cells[0].Runs != 5 || cells[0].Profile != "lab" || cells[0].ProfileHash != lab.Hash() || cells[0].World != history.Sim || cells[0].Store.Product != "model" {
		t.Errorf("predicted %+v", cells[0].Source)
	}
	traced := Trace(experiments[1], &lab, 3, 4)
	events := traced.Events
	if traced.Tally.Conflicts != 7 || len(hashes) != 10 {
		t.Errorf("traced %+v", traced.Tally)
	}
	for i := range events[1:] {
		if events[i].At > events[i+1].At {
			t.Fatalf("traced %+v before %+v", events[i], events[i+1])
		}
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestCaptions(t *testing.T) {
	var experiments []*Experiment
	for _, name := range lessonNames {
		experiments = append(experiments, experiment(t, name, 1))
	}
	want := map[string]string{
		"lesson/a": "no lock", "lesson/b": "TTL 1000 ms", "lesson/c": "TTL 200 ms", "lesson/d": "TTL 1000 ms, pause 1200 ms",
		"lesson/e": "TTL 1000 ms, pause 1200 ms, fencing",
	}
	if got := captions(experiments); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
