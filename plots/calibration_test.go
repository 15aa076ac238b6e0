package plots

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"locklab/history"
)

// manyCells is a calibration of n cells by conflicts and by overlap, of which cell 0 is off and the last has no spread.
func manyCells(n int) *Calibration {
	conflicts := Measure{
		Name: "conflicts per run",
		PIT:  PIT{N: n - 1, P: 0.25, Bins: []int{1, 1, 2, 1, 0, 2, 1, 1, 1, 9}, BandLow: 0, BandHigh: 6},
		Coverage: []Covered{
			{0.5, 0.62, 0.55, 0.3, 0.77, 4, &Sharp{0.15, 1}}, {0.8, 0.85, 0.75, 0.5, 0.9, 7, &Sharp{0.2, 2}},
			{0.95, 0.97, 0.95, 0.76, 0.99, 9, &Sharp{0.25, 3}}, {0.99, 0.995, 1, 0.84, 1, 12, &Sharp{0.35, 4}},
		},
	}
	for i := range n {
		x := float64(i)
		conflicts.Cells = append(conflicts.Cells, Forecast{Median: x, Low: max(0, x-2), High: x + 2, Measured: x + 1})
	}
	conflicts.Cells[0].Measured = 9
	conflicts.Cells[n-1] = Forecast{}
	return &Calibration{Profile: "machine", Measures: []Measure{conflicts, {Name: "overlap per run (ms)", Cells: conflicts.Cells}}}
}

func figureNames(t *testing.T, opts Options) []string {
	t.Helper()
	figures, err := Figures(lesson(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return namesOf(figures)
}

func namesOf(figures []Figure) []string {
	var names []string
	for _, f := range figures {
		names = append(names, f.Name)
	}
	return names
}

func TestManyCellsAreDrawnAsACalibration(t *testing.T) {
	for _, c := range []struct {
		calibration *Calibration
		want        []string
	}{
		{nil, []string{"conflicts", "agreement"}},
		{manyCells(20), []string{"conflicts", "forecasts", "transforms", "coverage"}},
		{manyCells(31), []string{"forecasts", "transforms", "coverage"}},
		{&Calibration{Measures: []Measure{{Name: "x", Cells: make([]Forecast, 10)}}}, []string{"conflicts", "forecasts"}},
	} {
		if got := figureNames(t, Options{Calibration: c.calibration}); !slices.Equal(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// Beside a calibration, a sweep of what was measured is drawn, without those under other profiles, which are references.
// One that cannot be drawn is left out, unless it was asked for.
func TestSweepsBesideACalibration(t *testing.T) {
	grid, smaller := swept(some, ttlAndPause(4)...), swept(some, ttlAndPause(3)...)
	measured := measuredAt(8, map[string]string{"lock.ttl": "140ms", "pauses[0].for": "140ms"})
	measured.Profile, measured.ProfileHash = grid.Cells[0].Profile, grid.Cells[0].ProfileHash
	under := func(profile string, l history.Lines) history.Lines {
		other := history.Lines{Cells: slices.Clone(l.Cells), Sweeps: slices.Clone(l.Sweeps)}
		for i := range other.Cells {
			other.Cells[i].Profile, other.Cells[i].ProfileHash = profile, "hash of "+profile
		}
		other.Sweeps[0].Profile, other.Sweeps[0].ProfileHash = profile, "hash of "+profile
		return other
	}
	both := func(a, b history.Lines) history.Lines {
		return history.Lines{
			Records: []history.Record{measured},
			Cells:   slices.Concat(a.Cells, b.Cells), Sweeps: slices.Concat(a.Sweeps, b.Sweeps),
		}
	}
	for name, c := range map[string]struct {
		lines history.Lines
		where []string
		want  string // names of figures, or an error
	}{
		"a reference":           {both(under("ideal", grid), grid), nil, "sweep forecasts"},
		"references only":       {both(under("ideal", grid), history.Lines{}), nil, "forecasts"},
		"two sweeps":            {both(grid, smaller), nil, "forecasts"},
		"two sweeps, one asked": {both(grid, smaller), []string{"ttl=140ms"}, "two sweeps of lesson/d over different axes: draw one at a time"},
	} {
		crowd := &Calibration{Measures: []Measure{{Name: "x", Cells: make([]Forecast, 31)}}}
		figures, err := Figures(c.lines, Options{Where: c.where, Calibration: crowd})
		got := fmt.Sprint(err)
		if err == nil {
			got = strings.Join(namesOf(figures), " ")
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestCalibrationFiguresHaveTheirWords(t *testing.T) {
	words := map[string][]string{
		"forecasts":  {"predicted under machine", "conflicts per run", "overlap per run (ms)", "20 cells, 1 measured outside of their interval", "measured"},
		"transforms": {"19 cells with a spread; p of uniformity 0.25", "share of simulated runs below the measured one", "outside of the band"},
		"coverage":   {"19 cells with a spread; median width of 95 %: 9 (ideal: 3)", "cells inside (%)", "the same under ideal", "99"},
	}
	for _, f := range manyCells(20).figures() {
		svg := string(saved(t, f, ".svg"))
		for _, w := range words[f.Name] {
			if !strings.Contains(svg, w) {
				t.Errorf("%s does not say %q", f.Name, w)
			}
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s has no place for something", f.Name)
		}
		if f.Name != "forecasts" && strings.Contains(svg, "overlap") {
			t.Errorf("%s draws a measure without a spread", f.Name)
		}
		delete(words, f.Name)
	}
	if len(words) > 0 {
		t.Errorf("not drawn: %v", words)
	}
}

func TestCalibrationWithoutCellsIsAnError(t *testing.T) {
	for _, of := range []func(*Calibration) (Figure, error){Forecasts, Transforms, Coverage} {
		if _, err := of(&Calibration{Measures: []Measure{{Name: "conflicts"}}}); err == nil || !strings.Contains(err.Error(), "need cells") {
			t.Errorf("got error %v, want what is needed", err)
		}
	}
}

// On any axis there are a few round ticks from 0 on, ascending, and their labels do not touch.
func TestRootedTicks(t *testing.T) {
	for _, high := range []float64{1, 1.05, 7, 40, 130, 999, 12345, 4e7} {
		ticks := rooted{}.Ticks(0, high)
		if len(ticks) < 3 || len(ticks) > 8 || ticks[0].Value != 0 {
			t.Errorf("to %g: got %v", high, ticks)
		}
		for i := 1; i < len(ticks); i++ {
			from, to := rooted{}.Normalize(0, high, ticks[i-1].Value), rooted{}.Normalize(0, high, ticks[i].Value)
			if to-from < 0.12 || to > 1 {
				t.Errorf("to %g: %s and %s are %.2f apart", high, ticks[i-1].Label, ticks[i].Label, to-from)
			}
		}
	}
}

// The axis of shares reaches below the lowest mark, and not to 0 if nothing is there.
func TestLeastShare(t *testing.T) {
	c := manyCells(20)
	if got := leastShare(c); got != 0.1 {
		t.Errorf("got %g, want 0.1 for an ideal of 0.15", got)
	}
	for i := range c.Measures[0].Coverage {
		c.Measures[0].Coverage[i].Ideal = nil
	}
	if got := leastShare(c); got != 0.3 {
		t.Errorf("got %g, want 0.3 for a confidence interval from 0.3", got)
	}
}
