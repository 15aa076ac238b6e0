package study

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"locklab/history"
	"locklab/scenarios"

	"pgregory.net/rapid"
)

// realPlan is a grid of four cells with three repetitions.
func realPlan(t testing.TB) RealGridPlan {
	t.Helper()
	return RealGridPlan{
		Scenario: "lesson/d", Set: []string{"rounds=3"}, Scale: 0.5, Axes: axes(t, "ttl=400ms,2s", "pause=0ms,1s"), Reps: 3, Seed: 5,
	}
}

// realFile is the lines of a file of a measured grid, the first line first. Runs are named by cell and repetition, e.g. "30";
// "30!" is disturbed.
func realGridFile(t testing.TB, plan RealGridPlan, runs ...string) [][]byte {
	t.Helper()
	g, err := NewRealGrid(plan)
	if err != nil {
		t.Fatal(err)
	}
	lab, store := scenarios.Lab(), history.Store{Product: "redis", Version: "7.0.15"}
	var lines [][]byte
	add := func(v any) {
		var line bytes.Buffer
		if err := history.WriteLine(&line, v); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line.Bytes())
	}
	add(g.Header(&lab, store))
	for _, run := range runs {
		source := g.Cells[run[0]-'0'].source(history.Real, plan.Seed, &lab, store)
		record := history.NewRecord(source, int(run[1]-'0'), &history.Tally{Entries: 6}, 7, 0)
		if strings.HasSuffix(run, "!") {
			record.Disturbed, record.Disturbance = true, "why"
		}
		add(&record)
	}
	return lines
}

func headerOf(t testing.TB, plan RealGridPlan) *history.Sweep {
	t.Helper()
	g, err := NewRealGrid(plan)
	if err != nil {
		t.Fatal(err)
	}
	lab := scenarios.Lab()
	return g.Header(&lab, history.Store{Product: "redis", Version: "7.0.15"})
}

// Wherever a file of a measured grid ends, its whole records are there, and no others; and of the runs those that were
// measured undisturbed.
func TestRealGridResumesAnywhere(t *testing.T) {
	runs := []string{"30", "11", "21!", "20", "31", "10!", "21", "10!", "00", "01", "02", "12"}
	lines, header := realGridFile(t, realPlan(t), runs...), headerOf(t, realPlan(t))
	whole := bytes.Join(lines, nil)
	rapid.Check(t, func(t *rapid.T) {
		cut := whole[:rapid.IntRange(0, len(whole)).Draw(t, "cut")]
		state, err := ReadRealGrid(bytes.NewReader(cut), header)
		if err != nil {
			t.Fatal(err)
		}
		complete, size := 0, 0
		for _, line := range lines {
			if size+len(line) > len(cut) {
				break
			}
			complete, size = complete+1, size+len(line)
		}
		if len(state.Records) != max(complete-1, 0) || state.Size != int64(size) {
			t.Fatalf("%d records in %d bytes, want %d in %d", len(state.Records), state.Size, complete-1, size)
		}
		want := make(map[string]bool)
		for _, run := range runs[:len(state.Records)] {
			if !strings.HasSuffix(run, "!") {
				want[run] = true
			}
		}
		for cell := range 4 {
			for rep := range 3 {
				if state.Has(cell, rep) != want[fmt.Sprintf("%d%d", cell, rep)] {
					t.Fatalf("cell %d, repetition %d: %v", cell, rep, state.Has(cell, rep))
				}
			}
		}
		if state.Measured() != len(want) {
			t.Fatalf("%d measured, want %d", state.Measured(), len(want))
		}
		what, unfinished := Unfinished(bytes.NewReader(cut))
		if unfinished != (size > 0) || unfinished && what != fmt.Sprintf("an unfinished measurement, %d of 12 runs", len(want)) {
			t.Fatalf("unfinished: %v, %q", unfinished, what)
		}
	})
}

// What is not a file of this grid, or damaged elsewhere than at its end, is not resumed.
func TestRealGridResumeRefuses(t *testing.T) {
	plan := realPlan(t)
	lines := realGridFile(t, plan, "00", "01", "02")
	other := func(change func(p *RealGridPlan), runs ...string) [][]byte {
		p := realPlan(t)
		change(&p)
		return realGridFile(t, p, runs...)
	}
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for _, test := range []struct {
		file []byte
		want string
	}{
		{[]byte("my notes"), "it is no sweep's file"},
		{lines[1], "it is no sweep's file"},
		{fileOf(t, newSweep(t, smallPlan(t))), "it was made from something else: world sim, not real; "},
		{join(other(func(p *RealGridPlan) { p.Seed = 6 })...), "it was made from something else: seed 6, not 5"},
		{join(other(func(p *RealGridPlan) { p.Reps = 4 })...), "runs 4, not 3"},
		{join(other(func(p *RealGridPlan) { p.Scale = 1 })...), "scale 1, not 0.5"},
		{join(other(func(p *RealGridPlan) { p.Axes = p.Axes[:1] })...), "axes lock.ttl=400ms,2s, not lock.ttl=400ms,2s pauses[0].for=0ms,1s"},
		{bytes.Replace(join(lines...), []byte("7.0.15"), []byte("8.0.15"), 1), "store redis 8.0.15, not redis 7.0.15"},
		{join(lines[0], lines[1], []byte("oops\n"), lines[2]), "line 3: not a JSON object"},
		{join(lines[0], other(func(p *RealGridPlan) { p.Seed = 6 }, "00")[1], lines[1]), "line 2: it is no record of this grid, but of lesson/d lock.ttl=400ms"},
		{join(lines[0], other(func(p *RealGridPlan) { p.Reps = 4 }, "03")[1], lines[1]), "line 2: it is of repetition 3; the grid has 3, from 0"},
		{join(lines[0], lines[0], lines[1]), "line 2: it is no record of a real run; the file is damaged, and cannot be resumed"},
	} {
		if state, err := ReadRealGrid(bytes.NewReader(test.file), headerOf(t, plan)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.60s…: %+v, error %v, want %s", test.file, state, err, test.want)
		}
	}
	if what, ok := Unfinished(bytes.NewReader(join(realGridFile(t, plan, "00", "01", "02", "10", "11", "12", "20", "21", "22", "30", "31", "32")...))); ok {
		t.Errorf("%s, although all is measured", what)
	}
}

func TestRealGridRefuses(t *testing.T) {
	for want, change := range map[string]func(p *RealGridPlan){
		"no axis; want at least one":                         func(p *RealGridPlan) { p.Axes = nil },
		"are more than 100000 runs; want fewer":              func(p *RealGridPlan) { p.Reps = 30_000 },
		"lock.ttl is set to 1s, and an axis moves along it":  func(p *RealGridPlan) { p.Set = []string{"lock.ttl=1s"} },
		"the first values of the axes (400ms): scale 0.0001": func(p *RealGridPlan) { p.Scale = 0.0001; p.Axes = p.Axes[:1] },
	} {
		plan := realPlan(t)
		change(&plan)
		if _, err := NewRealGrid(plan); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
