package study

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"locklab/history"
	"locklab/scenarios"
)

// axes are axes as --axis writes them.
func axes(t testing.TB, texts ...string) []history.Axis {
	t.Helper()
	var all []history.Axis
	for _, text := range texts {
		name, values, _ := strings.Cut(text, "=")
		axis, err := scenarios.ParseAxis(name, values)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, axis)
	}
	return all
}

// smallPlan is a sweep of a few short cells.
func smallPlan(t testing.TB) SweepPlan {
	t.Helper()
	lab := scenarios.Lab()
	return SweepPlan{
		Scenario: "lesson/d", Set: []string{"rounds=3"}, Scale: 0.5, Axes: axes(t, "ttl=400ms..2s/3", "pause=0ms,1s,2s"),
		Rule: Rule{Runs: 2}, Seed: 5, Profile: &lab,
	}
}

func newSweep(t testing.TB, plan SweepPlan) *Sweep {
	t.Helper()
	s, err := NewSweep(plan)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fileOf is the file of a sweep.
func fileOf(t testing.TB, s *Sweep) []byte {
	t.Helper()
	var header bytes.Buffer
	if err := history.WriteLine(&header, s.Header()); err != nil {
		t.Fatal(err)
	}
	return append(header.Bytes(), cellsOf(t, s, 0)...)
}

// cellsOf is what a sweep writes from a cell on.
func cellsOf(t testing.TB, s *Sweep, from int) []byte {
	t.Helper()
	var file bytes.Buffer
	cells, runs := 0, int64(0)
	err := s.Run(context.Background(), SweepRun{From: from, Text: CellLine, Put: func(text []byte, c int, r int64) error {
		file.Write(text)
		cells, runs = cells+c, runs+r
		return nil
	}})
	if err != nil || cells != s.Cells()-from || s.header.Runs > 0 && runs != s.header.Runs*int64(cells) {
		t.Fatalf("%d cells, %d runs, error %v", cells, runs, err)
	}
	return file.Bytes()
}

// A cell is the prediction of the experiment with the same parameters: the same line.
func TestSweepIsPredicting(t *testing.T) {
	plan := smallPlan(t)
	lines, err := history.ReadLines(bytes.NewReader(fileOf(t, newSweep(t, plan))))
	if err != nil || len(lines.Cells) != 9 || len(lines.Sweeps) != 1 {
		t.Fatalf("%d cells, %d sweeps, error %v", len(lines.Cells), len(lines.Sweeps), err)
	}
	for i := range lines.Cells {
		var set []string
		for path, value := range lines.Cells[i].Params.Set {
			set = append(set, path+"="+value)
		}
		p := Prediction{Profile: plan.Profile, Seed: plan.Seed, Runs: 2}
		want, err := p.Predict(context.Background(), experiment(t, "lesson/d", 0.5, set...))
		if err != nil {
			t.Fatal(err)
		}
		if got := jsonOf(t, &lines.Cells[i]); got != jsonOf(t, want) {
			t.Errorf("cell %d is %s, predicted %s", i, got, jsonOf(t, want))
		}
	}
}

func TestSweepHeader(t *testing.T) {
	plan := smallPlan(t)
	plan.Each, plan.Shard = true, Shard{1, 4}
	h := newSweep(t, plan).Header()
	base := experiment(t, "lesson/d", 1, "rounds=3")
	if h.Kind != "sweep" || h.Scenario != "lesson/d" || h.ScenarioHash != base.hash || h.Params.Scale != 0.5 || len(h.Params.Set) != 1 ||
		h.Seed != 5 || h.Profile != "lab" || h.Runs != 2 || h.Precision != 0 || h.MostRuns != 0 || !h.Each || h.Shard != "1/4" ||
		h.DurationsNS["lock.ttl"] != 500e6 || h.DurationsNS["work"] != 150e6 || h.Published == nil {
		t.Errorf("%+v", h)
	}
	plan.Rule = Rule{Precision: 0.25, MostRuns: 300, Runs: 7}
	if h := newSweep(t, plan).Header(); h.Runs != 0 || h.Precision != 0.25 || h.MostRuns != 300 {
		t.Errorf("with a precision: %+v", h)
	}
}

func TestSweepRefuses(t *testing.T) {
	for _, test := range []struct {
		change func(p *SweepPlan)
		want   string
	}{
		{func(p *SweepPlan) { p.Axes = nil }, "no axis; want at least one"},
		{func(p *SweepPlan) { p.Rule.Runs = 0 }, "0 runs of each cell; want from 1 to 1000000000000"},
		{func(p *SweepPlan) { p.Rule.Runs = 1e12 + 1 }, "1000000000001 runs of each cell"},
		{func(p *SweepPlan) { p.Rule = Rule{Precision: 1} }, "precision 1; want how wide"},
		{func(p *SweepPlan) { p.Rule = Rule{Precision: -1} }, "precision -1; want how wide"},
		{func(p *SweepPlan) { p.Rule = Rule{Precision: 0.1, MostRuns: 99} }, "at most 99 runs of a cell; want from 100 to 1000000000000"},
		{func(p *SweepPlan) { p.Set = []string{"lock.ttl=1s"} }, "lesson/d: lock.ttl is set to 1s, and an axis moves along it"},
		{func(p *SweepPlan) { p.Scenario = "lesson/z" }, "unknown scenario"},
		{func(p *SweepPlan) { p.Scenario = "lesson/b" }, "lesson/b: axis pauses[0].for, value 0ms: pauses[0] has none of"},
		{func(p *SweepPlan) { p.Scale = 0.0001 }, "lesson/d: the first values of the axes (400ms, 0ms): scale 0.0001: "},
	} {
		plan := smallPlan(t)
		test.change(&plan)
		if _, err := NewSweep(plan); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}

func TestSweepCSV(t *testing.T) {
	plan := smallPlan(t)
	plan.Axes = append(plan.Axes, axes(t, "workers=1,2")...)
	s := newSweep(t, plan)
	header, err := s.CSVHeader()
	if err != nil {
		t.Fatal(err)
	}
	rows := bytes.NewBuffer(header)
	var cells []*history.Cell
	err = s.Run(context.Background(), SweepRun{
		Text: func(c *history.Cell) ([]byte, error) { return s.CSVRow(c) },
		Put:  func(text []byte, _ int, _ int64) error { rows.Write(text); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	table, err := csv.NewReader(rows).ReadAll()
	if err != nil || len(table) != 19 {
		t.Fatalf("%d rows, error %v", len(table), err)
	}
	if got, want := strings.Join(table[0][:10], " "), "lock_ttl_ms pauses_0_for_ms workers runs conflict_rate conflict_rate_low conflict_rate_high entries_mean conflicts_mean lost_holds_mean"; got != want {
		t.Errorf("columns %s, want %s", got, want)
	}
	lines, err := history.ReadLines(bytes.NewReader(fileOf(t, s)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range lines.Cells {
		cells = append(cells, &lines.Cells[i])
	}
	last, cell := table[18], cells[17]
	rate := cell.ConflictRate()
	want := fmt.Sprintf("2000 2000 2 2 %s %s %s", csvNumber(rate.Value), csvNumber(rate.Low), csvNumber(rate.High))
	if got := strings.Join(last[:7], " "); got != want || rate.Value == 0 {
		t.Errorf("last row %s, want %s", got, want)
	}
	if last[7] != "6" || last[8] != csvNumber(cell.Conflicts.Mean()) || last[14] != csvNumber(cell.OverlapNS.Mean()/1e6) {
		t.Errorf("last row %v", last)
	}
}

func TestInMS(t *testing.T) {
	for ns, want := range map[int64]string{0: "0", 1: "0.000001", 1_500_000: "1.5", 20_000_000: "20", 100_000_000_000: "100000"} {
		if got := inMS(ns); got != want {
			t.Errorf("%d ns: %s, want %s", ns, got, want)
		}
	}
}

// An estimate of a sweep is that of its runs and cells: ten times the runs take ten times the time.
func TestEstimate(t *testing.T) {
	plan := smallPlan(t)
	plan.Rule.Runs = 1e9
	e, err := newSweep(t, plan).Estimate(context.Background(), 20*time.Millisecond)
	if err != nil || e.Cells != 9 || e.MostRuns != 9e9 || e.Time < time.Minute || e.Time > 10_000*time.Hour || e.Bytes < 1000 || e.Bytes > 1e6 {
		t.Errorf("%+v, error %v", e, err)
	}
	plan.Each = true
	if e, err := newSweep(t, plan).Estimate(context.Background(), 20*time.Millisecond); err != nil || e.Bytes < 9e9*300 {
		t.Errorf("with records: %+v, error %v", e, err)
	}
}

// The end of a sweep says of what.
func TestSweepEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := newSweep(t, smallPlan(t)).Run(ctx, SweepRun{Text: CellLine, Put: func([]byte, int, int64) error { return nil }})
	if !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "sweep lesson/d: ") {
		t.Errorf("error %v", err)
	}
}
