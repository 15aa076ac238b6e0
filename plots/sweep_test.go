package plots

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"locklab/history"
)

func ttlAndPause(n int) []history.Axis {
	return []history.Axis{spaced("lock.ttl", 100, 40, n), spaced("pauses[0].for", 0, 40, n)}
}

// Cells find their place by what they set, in whatever order they come and however a value is written.
func TestCellsFindTheirPlace(t *testing.T) {
	count := func(set map[string]string) int64 { return int64(10*len(set["lock.ttl"]) + len(set["workers"])) }
	l := swept(count, listed("lock.ttl", "2s", "50ms", "500ms"), listed("workers", "2", "12"))
	slices.Reverse(l.Cells)
	l.Cells[0].Params.Set["lock.ttl"] = "0.5s"
	s, err := newSweep(&l, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.axes[0].texts; !slices.Equal(got, []string{"50ms", "500ms", "2s"}) {
		t.Errorf("got %v, want the values ascending", got)
	}
	r := roles{0, 1, -1}
	for x, ttl := range []string{"50ms", "500ms", "2s"} {
		for y, workers := range []string{"2", "12"} {
			want := percent(float64(10*len(ttl)+len(workers)), 80)
			if got := s.cell(r, x, y, 0); got.runs != 3 || got.conflicts.mean != want {
				t.Errorf("TTL %s, %s workers: got %d runs, rate %g, want 3, %g", ttl, workers, got.runs, got.conflicts.mean, want)
			}
		}
	}
}

// A sweep without its first line is one if its cells differ in what was set; what is set alike in all is no axis.
func TestSweepWithoutItsFirstLine(t *testing.T) {
	l := swept(some, listed("lock.ttl", "100ms", "200ms"), listed("rounds", "8"), listed("workers", "2", "3"))
	l.Sweeps = nil
	if !isSweep(&l) {
		t.Fatal("cells that differ in what was set are no sweep")
	}
	s, err := newSweep(&l, nil)
	if err != nil || len(s.axes) != 2 || s.axes[0].path != "lock.ttl" || s.axes[1].path != "workers" || s.Params.Set["rounds"] != "8" {
		t.Errorf("got %+v, %v, want axes lock.ttl and workers, and 8 rounds in all", s, err)
	}
	plain := lesson()
	if isSweep(&plain) {
		t.Error("cells of several scenarios, with nothing set, are a sweep")
	}
}

// Where there are cells, the first line of a measured grid does not lay out the figure; where there are none, it does.
// Disturbed runs are not drawn.
func TestFirstLineOfMeasuredRuns(t *testing.T) {
	l := swept(some, ttlAndPause(4)...)
	grid := l.Sweeps[0]
	grid.World, grid.Axes = history.Real, ttlAndPause(2)
	l.Sweeps = append([]history.Sweep{grid}, l.Sweeps...)
	if got := sweepsOf(&l); len(got) != 1 || got[0].World != history.Sim {
		t.Errorf("with cells, laid out by %+v", got)
	}
	if _, err := Figures(l, Options{}); err != nil {
		t.Error(err)
	}
	noisy := measuredAt(31, map[string]string{"lock.ttl": "100ms", "pauses[0].for": "0ms"})
	noisy.Disturbed = true
	measured := history.Lines{Sweeps: []history.Sweep{grid}, Records: []history.Record{noisy, noisy}}
	figures, err := Figures(measured, Options{})
	if err != nil || len(figures) != 1 || figures[0].Name != "sweep" {
		t.Fatalf("measured runs alone: %v, %v", figures, err)
	}
	without, err := Figures(history.Lines{Sweeps: measured.Sweeps}, Options{})
	if err != nil || !bytes.Equal(saved(t, figures[0], ".svg"), saved(t, without[0], ".svg")) {
		t.Errorf("disturbed runs are drawn (%v)", err)
	}
}

// Shards are parts of one sweep, and cells that are not there yet are missing.
func TestPartsOfASweep(t *testing.T) {
	whole := swept(some, ttlAndPause(4)...)
	a, b := whole, whole
	a.Cells, b.Cells = whole.Cells[:8], whole.Cells[8:]
	joined := history.Lines{Sweeps: append(a.Sweeps, b.Sweeps...), Cells: append(slices.Clone(b.Cells), a.Cells...)}
	s, err := newSweep(&joined, nil)
	if err != nil {
		t.Fatal(err)
	}
	if missing, empty := s.missing(); missing != 0 || empty != 0 {
		t.Errorf("got %d missing, %d empty, want none", missing, empty)
	}
	if s, err = newSweep(&a, nil); err != nil {
		t.Fatal(err)
	}
	if missing, _ := s.missing(); missing != 8 {
		t.Errorf("got %d missing, want 8", missing)
	}
}

func TestWhereChoosesValues(t *testing.T) {
	l := swept(some, append(ttlAndPause(4), listed("workers", "2", "3", "5"))...)
	s, err := newSweep(&l, []string{"workers=3", "ttl=140ms", "ttl=0.18s"})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.axes) != 2 || !slices.Equal(s.axes[0].texts, []string{"140ms", "180ms"}) || len(s.cells) != 8 {
		t.Errorf("got axes %+v and %d cells, want two TTLs, four pauses", s.axes, len(s.cells))
	}
	if missing, _ := s.missing(); missing != 0 || !slices.Equal(s.fixed, []setting{{"workers", "3"}}) {
		t.Errorf("got %d missing, fixed %v; want none, and 3 workers", missing, s.fixed)
	}
}

// Measured runs lie where they were measured: also between cells, and where the scenario's own values are. Others are counted.
func TestMeasuredRunsFindTheirPlace(t *testing.T) {
	l := swept(some, spaced("lock.ttl", 200, 200, 6), spaced("pauses[0].for", 200, 200, 6))
	l.Records = []history.Record{
		measuredAt(8, map[string]string{"lock.ttl": "510ms", "pauses[0].for": "400ms"}),
		measuredAt(24, map[string]string{"lock.ttl": "510ms", "pauses[0].for": "400ms"}),
		measuredAt(31, nil),
		measuredAt(1, map[string]string{"lock.ttl": "9s"}),
		measuredAt(2, map[string]string{"work": "5ms"}),
		record(source("lesson/c", history.Real, "machine", 79), 0, 79),
	}
	s, err := newSweep(&l, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.measured) != 2 || s.elsewhere != 3 {
		t.Fatalf("got %d places and %d runs elsewhere, want 2 and 3", len(s.measured), s.elsewhere)
	}
	first, second := s.measured[0], s.measured[1]
	if !slices.Equal(first.at, []float64{510e6, 400e6}) || first.conflicts.mean != 20 || first.conflicts.lo != 10 || first.conflicts.hi != 30 {
		t.Errorf("got %+v, want 20 %% (10 to 30) at 510 and 400 ms", first)
	}
	if !slices.Equal(second.at, []float64{1000e6, 1200e6}) {
		t.Errorf("got %v, want what the scenario itself has", second.at)
	}
}

// What was measured between two panels is in neither, and that is said.
func TestMeasuredRunsBetweenPanels(t *testing.T) {
	l := swept(some, spaced("lock.ttl", 200, 200, 6), listed("workers", "2", "4"))
	l.Records = []history.Record{
		measuredAt(8, map[string]string{"lock.ttl": "510ms", "workers": "4"}), measuredAt(8, map[string]string{"lock.ttl": "510ms", "workers": "3"}),
	}
	figures, err := Figures(l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if svg := string(saved(t, figures[0], ".svg")); !strings.Contains(svg, "Not shown: 1 measured run that is not of these cells.") {
		t.Error("does not say that a measured run is not shown")
	}
}

func TestSweepsThatCannotBeDrawn(t *testing.T) {
	grid := func() history.Lines { return swept(some, ttlAndPause(4)...) }
	other := swept(some, ttlAndPause(3)...)
	for name, c := range map[string]struct {
		change func(*history.Lines)
		where  []string
		want   string
	}{
		"one cell":        {func(l *history.Lines) { *l = swept(some, ttlAndPause(1)...) }, nil, "a sweep of one cell"},
		"mixed scenarios": {func(l *history.Lines) { l.Cells[5].Scenario = "lesson/c" }, nil, "of scenario lesson/d and of scenario lesson/c"},
		"mixed seeds":     {func(l *history.Lines) { l.Cells[5].Seed = 7 }, nil, "of seed 0 and of seed 7"},
		"mixed profiles":  {func(l *history.Lines) { l.Cells[5].Profile = "ideal" }, nil, "of profile lab l and of profile ideal l"},
		"two sweeps":      {func(l *history.Lines) { l.Sweeps = append(l.Sweeps, other.Sweeps...) }, nil, "over different axes"},
		"two scenarios": {func(l *history.Lines) {
			l.Sweeps = append(l.Sweeps, history.Sweep{Source: source("lesson/c", history.Sim, "lab", 0)})
		}, nil, "sweeps of lesson/d and of lesson/c"},
		"a foreign value": {func(l *history.Lines) { l.Cells[5].Params.Set["lock.ttl"] = "7ms" }, nil, "lock.ttl=7ms, which is no value of that axis"},
		"another setting": {func(l *history.Lines) { l.Cells[5].Params.Set["rounds"] = "8" }, nil, "sets rounds=8, which is no axis"},
		"a value missing": {func(l *history.Lines) { delete(l.Cells[5].Params.Set, "lock.ttl") }, nil, "does not set lock.ttl"},
		"an empty axis":   {func(l *history.Lines) { l.Sweeps[0].Axes = []history.Axis{{Path: "workers"}} }, nil, "has no values of workers"},
		"no such axis":    {func(*history.Lines) {}, []string{"workers=2"}, "no axis of that name; there are lock.ttl, pauses[0].for"},
		"no such value":   {func(*history.Lines) {}, []string{"ttl=5ms"}, "no such value of lock.ttl; there are 100ms, 140ms"},
		"four axes": {func(l *history.Lines) {
			*l = swept(some, append(ttlAndPause(2), listed("workers", "2", "3"), listed("rounds", "4", "8"))...)
		}, nil, "--where rounds=4"},
		"too many panels": {func(l *history.Lines) { *l = swept(some, append(ttlAndPause(13), spaced("work", 1, 1, 13))...) }, nil, "12 at most"},
		"not a sweep":     {func(l *history.Lines) { *l = lesson() }, []string{"ttl=5ms"}, "no cells of a sweep"},
	} {
		l := grid()
		c.change(&l)
		if _, err := Figures(l, Options{Where: c.where}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", name, err, c.want)
		}
	}
}

// Axes get the roles that suit them.
func TestRoles(t *testing.T) {
	ttl, pause := spaced("lock.ttl", 100, 40, 10), spaced("pauses[0].for", 0, 40, 10)
	release := listed("lock.release", "compare", "plain", "get-del", "none")
	for name, c := range map[string]struct {
		axes []history.Axis
		want roles
	}{
		"one":                     {[]history.Axis{ttl}, roles{0, -1, -1}},
		"two long":                {[]history.Axis{ttl, pause}, roles{0, 1, -1}},
		"one short":               {[]history.Axis{listed("workers", "2", "3"), ttl}, roles{1, -1, 0}},
		"one of words":            {[]history.Axis{release, ttl}, roles{1, -1, 0}},
		"two of words":            {[]history.Axis{release, listed("lock.kind", "a", "b", "c", "d")}, roles{0, 1, -1}},
		"three, the middle short": {[]history.Axis{ttl, listed("workers", "2", "3", "4", "5", "6"), pause}, roles{0, 2, 1}},
	} {
		l := swept(some, c.axes...)
		s, err := newSweep(&l, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		if got, err := s.roles(); err != nil || got != c.want {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, c.want)
		}
	}
}
