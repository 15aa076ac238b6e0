package study

import (
	"context"
	"slices"
	"testing"

	"locklab/history"
	"locklab/scenarios"
)

// Every built-in scenario of the lesson is in a section, and shows in the simulator what it is there to show, under every profile
// that is not this machine's.
func TestLessonShowsWhatItSays(t *testing.T) {
	all := lessonScenarios()
	for _, name := range scenarios.Names() {
		if !slices.ContainsFunc(all, func(x lessonScenario) bool { return x.name == name }) {
			t.Errorf("%s is in no section", name)
		}
	}
	lab, ideal := scenarios.Lab(), scenarios.Ideal()
	for _, x := range all {
		e, err := NewExperiment(x.name, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []*scenarios.Profile{&lab, &ideal} {
			prediction := Prediction{Profile: p, Seed: 1, Runs: 200}
			cell, err := prediction.Predict(context.Background(), e)
			if err != nil {
				t.Fatal(err)
			}
			for _, count := range x.expect.Misses(cell) {
				t.Errorf("%s under %s: unexpected %s", x.name, p.Name, count)
			}
		}
	}
}

func TestExpectationIsMissed(t *testing.T) {
	cell := history.NewCell(history.Source{})
	cell.Add(&history.Tally{Entries: 4, Conflicts: 2}, 0, false)
	cell.Add(&history.Tally{Entries: 4}, 0, false)
	for _, test := range []struct {
		x    Expectation
		want int
	}{
		{Expectation{}, 0}, {Expectation{Conflicts: Some, Damage: Zero}, 0}, {Expectation{Conflicts: Every}, 1},
		{Expectation{Conflicts: Zero, Never: Some}, 2},
	} {
		if got := test.x.Misses(cell); len(got) != test.want {
			t.Errorf("%+v: misses %q, want %d", test.x, got, test.want)
		}
	}
}
