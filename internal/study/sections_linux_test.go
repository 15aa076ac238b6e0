package study

import (
	"testing"

	"locklab/history"
	"locklab/realrun"
	"locklab/scenarios"
)

// The short scenarios of the lesson show on real Redis, too, what they are there to show.
func TestLessonShowsWhatItSaysOnRedis(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	t.Parallel()
	s := openSession(t)
	lab := scenarios.Lab()
	const longest = 6e9 // ns
	var experiments []*Experiment
	var expected []Expectation
	for _, x := range lessonScenarios() {
		e, err := NewExperiment(x.name, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		if traced := Trace(e, &lab, 1, 0); traced.Tally.End <= longest {
			experiments, expected = append(experiments, e), append(expected, x.expect)
		}
	}
	sums := make([]*history.Cell, len(experiments))
	m := &Measurement{
		Profile: &lab, Seed: 1, Reps: 2, Parallel: 12, noticed: func(*realrun.Watch) string { return "" },
		Each: func(run Measured) error {
			if sums[run.Experiment] == nil {
				sums[run.Experiment] = history.NewCell(run.Record.Source)
			}
			tally := run.Record.Tally()
			sums[run.Experiment].Add(&tally, 0, false)
			return nil
		},
	}
	missing, err := m.Measure(t.Context(), s, experiments)
	if err != nil || len(missing) > 0 {
		t.Fatalf("%v, %v", missing, err)
	}
	if len(experiments) < 20 {
		t.Errorf("only %d scenarios are short", len(experiments))
	}
	for i, e := range experiments {
		for _, count := range expected[i].Misses(sums[i]) {
			t.Errorf("%s: unexpected %s: %+v", e.Scenario.Name, count, *sums[i])
		}
	}
}
