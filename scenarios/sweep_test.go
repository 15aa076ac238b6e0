package scenarios_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"locklab/history"
	"locklab/scenarios"
)

func TestSweepFile(t *testing.T) {
	const file = `
sweep: my/grid
scenario: mine/job.yaml
set:
  rounds: 10
  pauses[0].for: 2s
  lock.retry.every: {uniform: [1ms, 2ms]}
  pauses[1]: null
axes:
  - {ttl: 100ms..2s:100ms}
  - pause: [0ms, 1200ms]
  - pauses[0].every: 1, 2
precision: 0.01
most_runs: 5000
seed: 7
profile: fast.yaml
scale: 0.5
`
	got, err := scenarios.ParseSweep("dir/grid.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	want := &scenarios.SweepFile{
		Name: "my/grid", Scenario: filepath.Join("dir", "mine", "job.yaml"), Profile: filepath.Join("dir", "fast.yaml"),
		Set:       []string{"rounds=10", "pauses[0].for=2s", `lock.retry.every={uniform: ["1ms", "2ms"]}`, "pauses[1]=null"},
		Precision: new(0.01), MostRuns: new(int64(5000)), Seed: new(uint64(7)), Scale: new(0.5),
	}
	for _, axis := range got.Axes {
		want.Axes = append(want.Axes, history.Axis{Path: axis.Path, Values: axis.Values})
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if len(got.Axes) != 3 || got.Axes[0].Path != "lock.ttl" || len(got.Axes[0].Values) != 20 ||
		!slices.Equal(got.Axes[1].Values, []string{"0ms", "1200ms"}) || !slices.Equal(got.Axes[2].Values, []string{"1", "2"}) {
		t.Errorf("axes %+v", got.Axes)
	}
}

func TestSweepFileOfABuiltIn(t *testing.T) {
	got, err := scenarios.ParseSweep("dir/grid.yaml", []byte("sweep: x\nscenario: lesson/d\naxes: [{workers: 2}]\nruns: 50\nprofile: ideal\n"))
	if err != nil || got.Scenario != "lesson/d" || got.Profile != "ideal" || *got.Runs != 50 || got.Precision != nil || got.Seed != nil {
		t.Errorf("got %+v, error %v", got, err)
	}
}

func TestSweepFileRefuses(t *testing.T) {
	const begin = "sweep: x\nscenario: lesson/d\n"
	for _, test := range []struct{ file, want string }{
		{begin + "axis: []\n", `f.yaml:3:1: unknown key "axis" in the document; did you mean "axes"? allowed: sweep, scenario, set, axes,`},
		{begin, `f.yaml:1:1: the document lacks "axes"; it must have: sweep, scenario, axes`},
		{begin + "axes: []\n", "f.yaml:3:7: axes has length 0; want at least 1 axes"},
		{begin + "axes: [ttl]\n", `f.yaml:3:8: axes[0] is "ttl"; want one parameter and its values, e.g. {ttl: 100ms..2s/20}`},
		{begin + "axes: [{ttl: 1s, pause: 1s}]\n", "f.yaml:3:8: axes[0] is a mapping; want one parameter and its values"},
		{begin + "axes: [{workers: 2}, {tll: 1s}]\n", `f.yaml:3:28: axes[1].tll: "tll" is no parameter with numbers or durations as values; did you mean "ttl"?`},
		{begin + "axes:\n  - ttl: 1s..2s/1\n", "f.yaml:4:10: axes[0].ttl: one value from 1s to 2s"},
		{begin + "axes: [{ttl: [1s, [2s]]}]\n", "f.yaml:3:19: axes[0].ttl[1] is a list; want a value"},
		{begin + "axes: [{ttl: {uniform: 1s}}]\n", "f.yaml:3:14: axes[0].ttl is a mapping; want from..to/n"},
		{begin + "axes: [{workers: 2}]\nruns: 0\n", "f.yaml:4:7: runs is 0, out of bounds; want a whole number from 1 to 1000000000000"},
		{begin + "axes: [{workers: 2}]\nprecision: 0\n", "f.yaml:4:12: precision is 0, which no number of runs reaches"},
		{begin + "axes: [{workers: 2}]\nprecision: 2\n", "f.yaml:4:12: precision is 2, out of bounds"},
		{begin + "axes: [{workers: 2}]\nprecision: 0.1\nruns: 5\n", "f.yaml:4:12: precision is given, but runs is, too"},
		{begin + "axes: [{workers: 2}]\nmost_runs: 500\n", "f.yaml:4:12: most_runs is given, but no precision"},
		{begin + "axes: [{workers: 2}]\nseed: -1\n", "f.yaml:4:7: seed is -1, out of bounds"},
		{begin + "axes: [{workers: 2}]\nset: [work]\n", "f.yaml:4:6: set is a list; want parameters, e.g. {lock.ttl: 500ms}"},
		{begin + "axes: [{workers: 2}]\nset: {lock..ttl: 1s}\n", `f.yaml:4:7: "lock..ttl" is not the path of a parameter`},
	} {
		if got, err := scenarios.ParseSweep("f.yaml", []byte(test.file)); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s%+v, error %v, want %s", test.file, got, err, test.want)
		}
	}
}

// A file is a sweep if it has the key, whatever else is wrong with it; a scenario is none.
func TestLoadSweep(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"sweep.yaml": "sweep: x\nscenario: lesson/d\naxes: [{workers: 2}]\n", "bad.yaml": "sweep: x\n",
		"scenario.yaml": "scenario: x\nworkers: 1\nrounds: 1\nwork: 1s\n", "syntax.yaml": "work: {\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name string
		ok   bool
		want string
	}{
		{"lesson/d", false, ""}, {filepath.Join(dir, "sweep.yaml"), true, ""}, {filepath.Join(dir, "scenario.yaml"), false, ""},
		{filepath.Join(dir, "bad.yaml"), true, `lacks "scenario"`}, {filepath.Join(dir, "syntax.yaml"), false, "not valid YAML"},
		{filepath.Join(dir, "missing.yaml"), false, "reading a sweep or a scenario"},
	} {
		s, ok, err := scenarios.LoadSweep(test.name)
		if ok != test.ok || (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) || ok && err == nil && s.Name != "x" {
			t.Errorf("%s: %+v, %v, error %v", test.name, s, ok, err)
		}
	}
}
