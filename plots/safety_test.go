package plots

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"locklab/history"
)

// ran is a run of 10 rounds in a second, each of which is an update, with so many lost and so many commands.
func ran(lost, commands int64) *history.Tally {
	return &history.Tally{Entries: 10, Updates: 10, LostUpdates: lost, End: 1e9, AtEnd: history.AtEnd{Commands: commands}}
}

func simulatedAs(scenario string, tallies ...*history.Tally) history.Cell {
	c := history.NewCell(source(scenario, history.Sim, "machine", 0))
	for _, t := range tallies {
		c.Add(t, 1, false)
	}
	return *c
}

func measuredAs(scenario string, t *history.Tally) history.Record {
	return history.NewRecord(source(scenario, history.Real, "machine", 0), 0, t, 1, 0)
}

// updates are runs of three scenarios: lesson/open loses updates, lesson/safe never, and lesson/shy only when measured.
func updates() history.Lines {
	return history.Lines{
		Cells: []history.Cell{
			simulatedAs("lesson/open", ran(4, 20), ran(6, 20)), simulatedAs("lesson/safe", ran(0, 200), ran(0, 220)),
			simulatedAs("lesson/shy", ran(0, 30)),
		},
		Records: []history.Record{
			measuredAs("lesson/open", ran(5, 20)), measuredAs("lesson/safe", ran(0, 190)), measuredAs("lesson/shy", ran(1, 30)),
		},
	}
}

func safetyOf(l history.Lines, scenarios ...string) safety {
	return newSafety(inOrder(experiments(l), scenarios))
}

func TestSafetySaysZeroOnlyIfNothingWentWrongInEitherWorld(t *testing.T) {
	s := safetyOf(updates(), "lesson/shy", "lesson/safe", "lesson/gone", "lesson/open")
	want := []row{{name: "shy"}, {"safe", true, "in 2 simulated and 1 measured runs"}, {name: "gone", said: "no runs"}, {name: "open"}}
	if !slices.Equal(s.rows, want) {
		t.Errorf("got rows %v, want %v", s.rows, want)
	}
}

func TestSafetyMeasuresPerRound(t *testing.T) {
	s := safetyOf(updates(), "lesson/open", "lesson/safe")
	for i, want := range [][]rate{
		{{mean: 50, lo: 40, hi: 60}, {}},
		{{mean: 10, lo: 10, hi: 10}, {mean: 10, lo: 10, hi: 10}},
		{{mean: 2, lo: 2, hi: 2}, {mean: 21, lo: 20, hi: 22}},
	} {
		for k, w := range want {
			got := s.panels[i].series[0].rates[k]
			for _, pair := range [][2]float64{{got.mean, w.mean}, {got.lo, w.lo}, {got.hi, w.hi}} {
				if math.Abs(pair[0]-pair[1]) > 0.01*pair[1] { // durations are in buckets of 1 %
					t.Errorf("%s of %s: got %v, want %v", s.panels[i].title, s.rows[k].name, got, w)
				}
			}
		}
	}
	if got := s.panels[2].series[1].rates[1].dots; !slices.Equal(got, []float64{19}) {
		t.Errorf("measured commands per round: got %v, want 19", got)
	}
}

func TestSafetyOfSimulatedRecordsIsThatOfTheirCell(t *testing.T) {
	src := source("lesson/open", history.Sim, "machine", 0)
	one := &history.Tally{Entries: 8, Conflicts: 2, Updates: 5, LostUpdates: 1, DoneTwice: 1, End: 2e9, AtEnd: history.AtEnd{Commands: 30, NotDone: 2}}
	cells := history.Lines{Cells: []history.Cell{simulatedAs("lesson/open", one, ran(1, 20))}}
	records := history.Lines{Records: []history.Record{history.NewRecord(src, 0, one, 1, 0), history.NewRecord(src, 1, ran(1, 20), 1, 0)}}
	a, b := safetyOf(cells, "lesson/open"), safetyOf(records, "lesson/open")
	for i := range a.panels {
		if x, y := a.panels[i].valuesIn(0), b.panels[i].valuesIn(0); len(x) == 0 || !slices.Equal(x, y) {
			t.Errorf("%s: got %v from a cell and %v from records", a.panels[i].title, x, y)
		}
	}
}

func TestSafetyWithoutResourceShowsConflicts(t *testing.T) {
	l := lesson()
	s := safetyOf(l, "lesson/c", "lesson/b")
	if got := s.panels[0]; got.title != conflicts.title || got.series[0].rates[0].mean != 98.75 {
		t.Errorf("got %s: %v, want conflicts of lesson/c", got.title, got.series)
	}
	if want := []row{{name: "c"}, {"b", true, "in 6 simulated and 3 measured runs"}}; !slices.Equal(s.rows, want) {
		t.Errorf("got rows %v, want %v", s.rows, want)
	}
	l.Cells = append(l.Cells, updates().Cells...)
	if got := safetyOf(l, "lesson/b", "lesson/open").rows[0]; got != (row{name: "b", said: "no updates"}) {
		t.Errorf("got %v beside updates, want no 0 for a scenario that has none", got)
	}
}

func TestSafetyTellsChangedScenariosApart(t *testing.T) {
	changed := simulatedAs("lesson/open", ran(1, 20))
	changed.Params.Set = map[string]string{"work": "1s"}
	l := updates()
	l.Cells = append(l.Cells, changed)
	s := safetyOf(l, "lesson/open", "lesson/safe")
	if len(s.rows) != 3 || s.rows[0].name != "open" || s.rows[1].name != "open, work 1s" || s.rows[2].name != "safe" {
		t.Errorf("got rows %v", s.rows)
	}
}

func TestFarApartValuesAreLogarithmicUnlessShares(t *testing.T) {
	for _, test := range []struct {
		q      quantity
		values []float64
		log    bool
	}{
		{commandsPerRound, []float64{1, 31}, true}, {commandsPerRound, []float64{1, 30}, false}, {commandsPerRound, []float64{0, 1, 31}, false},
		{damage, []float64{1, 31}, false}, {damage, nil, false}, {damage, []float64{0}, false},
	} {
		r := test.q.rulerFor(test.values)
		if r.log != test.log {
			t.Errorf("%s of %v: got logarithmic %t", test.q.title, test.values, r.log)
		}
		for _, v := range test.values {
			if at := r.at(v); at < 0 || at > 1 {
				t.Errorf("%s of %v: %g is at %g, out of the panel", test.q.title, test.values, v, at)
			}
		}
	}
}

func TestSafetyHasItsWords(t *testing.T) {
	l := updates()
	disturbed := measuredAs("lesson/safe", ran(9, 200))
	disturbed.Disturbed = true
	l.Records = append(l.Records, disturbed)
	f, err := Safety(l, []string{"lesson/open", "lesson/safe", "lesson/shy", "lesson/gone"}, "")
	if err != nil {
		t.Fatal(err)
	}
	svg := string(saved(t, f, ".svg"))
	for _, w := range []string{"What goes wrong, and what does it cost?", "damage per 100 rounds", "rounds per second", "Redis commands per round",
		"simulated, machine", "measured", "open", "safe", "in 2 simulated and 1 measured runs", "no runs"} {
		if !strings.Contains(svg, ">"+w) {
			t.Errorf("safety does not say %q", w)
		}
	}
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Error("safety has no place for something")
	}
	if f.Name != "safety" || !bytes.Equal(saved(t, f, ".svg"), []byte(svg)) {
		t.Errorf("%s.svg differs from one time to the next", f.Name)
	}
}

func TestSafetyNeedsSomethingToDraw(t *testing.T) {
	if _, err := Safety(updates(), []string{"lesson/gone"}, ""); err == nil || !strings.Contains(err.Error(), "lesson/gone") {
		t.Errorf("got error %v, want the scenarios that are needed", err)
	}
}
