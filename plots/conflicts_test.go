package plots

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"locklab/history"
)

func seriesNames(r rates) []string {
	var names []string
	for _, s := range r.series {
		names = append(names, s.name)
	}
	return names
}

func TestRatesOfTheLesson(t *testing.T) {
	r := newRates(experiments(lesson()), map[string]string{"lesson/a": "no lock"})
	if want := []string{"published", "simulated, lab", "simulated, machine", "measured"}; !slices.Equal(seriesNames(r), want) {
		t.Errorf("got series %q, want %q: references before the profile that was measured", seriesNames(r), want)
	}
	if want := []string{"lesson/a\nno lock", "lesson/b", "lesson/c", "lesson/d", "lesson/e"}; !slices.Equal(r.columns, want) {
		t.Errorf("got columns %q, want %q", r.columns, want)
	}
	const d = 3
	for i, want := range []rate{
		{mean: 38.75},
		{mean: 37.5, lo: 35, hi: 40},
		{mean: 35, lo: 32.5, hi: 38.75},
		{mean: 35, dots: []float64{33.75, 36.25, 35}},
	} {
		if got := r.series[i].rates[d]; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", r.series[i].name, got, want)
		}
	}
	if r.top() != 100 {
		t.Errorf("got an axis up to %g, want 100", r.top())
	}
}

func TestRatesWithoutSomeSeries(t *testing.T) {
	src := source("x", history.Sim, "lab", 0)
	src.Published = nil
	other := source("y", history.Real, "machine", 0)
	other.Published = nil
	r := newRates(experiments(history.Lines{Cells: []history.Cell{cell(src, 1)}, Records: []history.Record{record(other, 0, 2)}}), nil)
	if want := []string{"simulated, lab", "measured"}; !slices.Equal(seriesNames(r), want) {
		t.Fatalf("got series %q, want %q", seriesNames(r), want)
	}
	if !math.IsNaN(r.series[0].rates[1].mean) || !math.IsNaN(r.series[1].rates[0].mean) {
		t.Errorf("got %v, want NaN where nothing is known", r.series)
	}
	if r.top() != 5 {
		t.Errorf("got an axis up to %g, want 5 for 2.5 %%", r.top())
	}
}

func TestSimulatedRecordsArePooledWithCells(t *testing.T) {
	src := source("x", history.Sim, "lab", 0)
	all := experiments(history.Lines{
		Cells:   []history.Cell{cell(src, 1, 2)},
		Records: []history.Record{record(src, 0, 3), record(src, 1, 6)},
	})
	if len(all) != 1 || len(all[0].simulated) != 1 {
		t.Fatalf("got %v, want one experiment with one simulation", all)
	}
	if s := all[0].simulated[0].sum; s.Runs != 4 || s.Conflicts.Stat().Mean != 3 {
		t.Errorf("got %d runs with a mean of %g, want 4 with 3", s.Runs, s.Conflicts.Stat().Mean)
	}
}

func TestNamesTellExperimentsApart(t *testing.T) {
	plain := source("x", history.Sim, "lab", 0)
	edited, scaled, set := plain, plain, plain
	edited.ScenarioHash = "another"
	scaled.Params.Scale = 0.1
	set.Params.Set = map[string]string{"work": "50ms", "lock.ttl": "200ms"}
	var l history.Lines
	for _, src := range []history.Source{plain, edited, scaled, set} {
		l.Cells = append(l.Cells, cell(src, 1))
	}
	want := []string{"x\n#hash o", "x\n#anothe", "x\nscale 0.1", "x\nlock.ttl 200ms\nwork 50ms"}
	if got := names(experiments(l)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProfilesOfOneNameAreToldApart(t *testing.T) {
	old, young := profile{"machine", "abcdefgh"}, profile{"machine", "ijklmnop"}
	if got := profileName(old, []profile{old, young}); got != "machine #abcdef" {
		t.Errorf("got %q", got)
	}
	if got := profileName(old, []profile{old, {"lab", "x"}}); got != "machine" {
		t.Errorf("got %q", got)
	}
}

func TestConflictsNeedsSomethingToDraw(t *testing.T) {
	if _, err := Conflicts(history.Lines{}, nil); err == nil || !strings.Contains(err.Error(), "need records or cells") {
		t.Errorf("got error %v, want what is needed", err)
	}
}

func TestWrapBreaksAtHyphensOnlyIfItMust(t *testing.T) {
	sty := sans(sizeTick, ink)
	if got := wrap(sty, "lesson/work-too-short", sty.Width("work-too-short")+1); got != "lesson/\nwork-too-short" {
		t.Errorf("got %q", got)
	}
	if got := wrap(sty, "work-too-short", sty.Width("work-too-")+1); got != "work-too-\nshort" {
		t.Errorf("got %q", got)
	}
}

func TestRoundStep(t *testing.T) {
	for length, want := range map[float64]float64{100: 20, 50: 10, 20: 5, 5: 1, 2: 0.5, 1: 0.2, 1700: 500} {
		if got := roundStep(length, 5); math.Abs(got-want) > 1e-9 {
			t.Errorf("roundStep(%g, 5) = %g, want %g", length, got, want)
		}
	}
}
