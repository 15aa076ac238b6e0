package study

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"locklab/scenarios"
	"locklab/sim/explore"
)

// smallest are counterexamples of built-in scenarios, as files.
func smallest(f *testing.F, name string, set ...string) (files [][]byte) {
	f.Helper()
	e, err := NewExperiment(name, set, 1)
	if err != nil {
		f.Fatal(err)
	}
	lab := scenarios.Lab()
	bounds := explore.Bounds{Rounds: 1, Deviations: 1}
	report, err := explore.Explore(context.Background(), e.Scenario, &lab, bounds, nil)
	if err != nil {
		f.Fatal(err)
	}
	for _, finding := range report.Findings {
		if finding.Counterexample == nil {
			continue
		}
		data, err := json.Marshal(NewCounterexample(e, &lab, report.Bounds, finding.Counterexample))
		if err != nil {
			f.Fatal(err)
		}
		files = append(files, data)
	}
	return files
}

// Whatever a file says, it is refused or carried out, the same each time, and in a time that people wait.
func FuzzCounterexample(f *testing.F) {
	for _, name := range []string{"lesson/a", "lesson/c", "lesson/d", "lesson/e"} {
		for _, data := range smallest(f, name) {
			f.Add(data)
		}
	}
	for _, data := range smallest(f, "lesson/e", "fencing.token=inside", "resource.kind=job", "workers=5", "lock.retry.tries=3") {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseCounterexample("x.json", data)
		if err != nil {
			return
		}
		if s, _, err := c.parts(); err != nil || s.Workers > 20 {
			return // see FuzzReplay
		}
		first, err := c.Replay()
		if err != nil {
			return
		}
		again, err := c.Replay()
		if err != nil || len(again.Events) != len(first.Events) || len(again.Deviations) != len(first.Deviations) {
			t.Fatalf("first %d events, then %d, error %v", len(first.Events), len(again.Events), err)
		}
		for i := range first.Deviations {
			_ = first.Deviations[i].String()
		}
		if _, _, err := c.Experiment(); err != nil {
			t.Fatal(err)
		}
	})
}

// The same with the parts of the file apart, so that more of what is tried is a file at all. Each choice is four bytes: an
// event, how many options from there are quiet, and the next two options.
func FuzzReplay(f *testing.F) {
	lab, ideal := scenarios.Lab(), scenarios.Ideal()
	choices := []byte{0, 0, 1, 0, 2, 1, 1, 0, 9, 0, 2, 1}
	for _, name := range scenarios.Names() {
		s, err := scenarios.Builtin(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(s.YAML()), string(lab.YAML()), int64(1_200_000_000), int32(2), choices)
		f.Add(string(s.YAML()), string(ideal.YAML()), int64(0), int32(100), choices[:4])
	}
	f.Add("scenario: x\nworkers: 9\nrounds: 1\nwork: 24h\nlock: {kind: single, ttl: 24h, retry: {every: {uniform: [0ms, 1ns]}}}\n",
		"profile: p\nnetwork: {each_way: {exponential: 24h}}\n", int64(24*3600*1e9), int32(100), choices)
	f.Fuzz(func(t *testing.T, scenario, profile string, pause int64, rounds int32, choices []byte) {
		if s, err := scenarios.Parse("x.yaml", []byte(scenario)); err != nil || s.Workers > 20 {
			return // more workers take longer than a fuzzing process may, instrumented as it is
		}
		c := Counterexample{Scenario: scenario, Profile: profile, Bounds: explore.Bounds{Pause: pause, Rounds: rounds}}
		for ; len(choices) >= 4; choices = choices[4:] {
			options := append(make([]int, choices[1]%64), int(choices[2]), int(choices[3]))
			c.Choices = append(c.Choices, Choice{Event: int(choices[0]), Options: options})
		}
		replayed, err := c.Replay()
		if err != nil {
			return
		}
		for i := 1; i < len(replayed.Events); i++ {
			if replayed.Events[i].At < replayed.Events[i-1].At {
				t.Fatal("time goes back")
			}
		}
		if replayed.Events != nil && replayed.Events[0].At < 0 {
			t.Fatal("a run begins before its start")
		}
		if _, _, err := c.Experiment(); err != nil {
			t.Fatal(err)
		}
	})
}

// Whatever a file holds, a sweep goes on after cells that are its own, and a measured grid after its records, or refuses it.
func FuzzSweepState(f *testing.F) {
	plan := smallPlan(f)
	plan.Each, plan.Rule.Runs, plan.Axes = true, 1, axes(f, "workers=1,2") // a short file: long ones take long to make shorter
	s := newSweep(f, plan)
	whole := fileOf(f, s)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(whole[:100])
	f.Add([]byte(`{"kind":"sweep","axes":[{"path":"x","values":[]}]}` + "\n"))
	measured := bytes.Join(realGridFile(f, realPlan(f), "00", "21!"), nil)
	f.Add(measured)
	f.Add(measured[:len(measured)-1])
	header := headerOf(f, realPlan(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		if state, err := ReadRealGrid(bytes.NewReader(data), header); err == nil && (state.Size > int64(len(data)) || state.Measured() > len(state.Records)) {
			t.Errorf("%d bytes: %+v", len(data), state)
		}
		Unfinished(bytes.NewReader(data))
		state, err := s.State(bytes.NewReader(data))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
			return
		}
		if state.Size > int64(len(data)) || state.Cells > state.All || state.Cells > 0 && state.Size == 0 {
			t.Errorf("%d bytes: %+v", len(data), state)
		}
	})
}
