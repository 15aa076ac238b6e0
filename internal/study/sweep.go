package study

import (
	"bytes"
	"context"
	"fmt"
	"maps"

	"locklab/history"
	"locklab/scenarios"
	"locklab/sim"
	"locklab/sim/batch"
)

// A SweepPlan says what a sweep is made of.
type SweepPlan struct {
	Scenario string   // a built-in name or a path
	Set      []string // path=value
	Scale    float64
	Axes     []history.Axis
	Rule     Rule // how many runs a cell has
	Each     bool // the record of every run is wanted, too
	Seed     uint64
	Profile  *scenarios.Profile
	Shard    Shard // which part of the cells
}

// Rule says how many runs a cell has.
type Rule = batch.Rule

// What a sweep's numbers are if nothing else is said.
const (
	DefaultRuns     = 200     // of a cell
	DefaultMostRuns = 100_000 // of a cell with a precision
)

// A Sweep is one experiment in all combinations of the values of its axes.
type Sweep struct {
	plan   SweepPlan
	grid   *scenarios.Grid
	source history.Source // of the cells, without what the axes set
	header history.Sweep
}

// NewSweep makes a sweep ready. An error says what of the plan is impossible.
func NewSweep(plan SweepPlan) (*Sweep, error) {
	if err := plan.checkNumbers(); err != nil {
		return nil, err
	}
	e, grid, err := alongAxes(plan.Scenario, plan.Set, plan.Scale, plan.Axes)
	if err != nil {
		return nil, err
	}
	s := &Sweep{plan: plan, grid: grid, source: e.source(history.Sim, plan.Seed, plan.Profile, model)}
	s.header = e.header(s.source, grid)
	s.header.Each, s.header.Shard = plan.Each, plan.Shard.String()
	if plan.Rule.Precision > 0 {
		s.header.Precision, s.header.MostRuns = plan.Rule.Precision, plan.Rule.Most()
	} else {
		s.header.Runs = plan.Rule.Runs
	}
	return s, nil
}

// alongAxes is the experiment that a grid is made of, not scaled yet, and the grid.
func alongAxes(scenario string, set []string, scale float64, axes []history.Axis) (*Experiment, *scenarios.Grid, error) {
	if len(axes) == 0 {
		return nil, nil, fmt.Errorf("no axis; want at least one, e.g. ttl=100ms..2s/20")
	}
	e, err := changed(scenario, set, scale)
	if err != nil {
		return nil, nil, err
	}
	grid, err := scenarios.NewGrid(e.Scenario, axes, scale)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", scenario, err)
	}
	for _, axis := range grid.Axes() {
		if value, ok := e.params.Set[axis.Path]; ok {
			return nil, nil, fmt.Errorf("%s: %s is set to %s, and an axis moves along it; leave out one of the two", scenario, axis.Path, value)
		}
	}
	return e, grid, nil
}

// header is the first line of a file of the grid's cells, but for how many runs they have. src is that of the cells, without what
// the axes set.
func (e *Experiment) header(src history.Source, grid *scenarios.Grid) history.Sweep {
	return history.Sweep{
		Kind: "sweep", Source: src, Axes: grid.Axes(), DurationsNS: e.Scenario.Durations(e.params.Scale),
	}
}

func (p *SweepPlan) checkNumbers() error {
	r := &p.Rule
	switch {
	case r.Precision == 0 && (r.Runs < 1 || r.Runs > scenarios.MaxRuns):
		return fmt.Errorf("%d runs of each cell; want from 1 to %d", r.Runs, int64(scenarios.MaxRuns))
	case !(r.Precision >= 0 && r.Precision < 1):
		return fmt.Errorf("precision %v; want how wide the 95 %% interval of the conflict rate may be, above 0 and below 1, e.g. 0.01", r.Precision)
	case r.Precision > 0 && (r.MostRuns < batch.BatchRuns || r.MostRuns > scenarios.MaxRuns):
		return fmt.Errorf("at most %d runs of a cell; want from %d to %d", r.MostRuns, batch.BatchRuns, int64(scenarios.MaxRuns))
	}
	return nil
}

// Header is the first line of the sweep's file.
func (s *Sweep) Header() *history.Sweep { return &s.header }

// Cells is how many cells the sweep has, or its shard.
func (s *Sweep) Cells() int {
	first, last := s.plan.Shard.Bounds(s.grid.Cells())
	return last - first
}

// MostRuns is how many runs there are, or, with a precision, may be. It is no whole number as there may be very many.
func (s *Sweep) MostRuns() float64 { return float64(s.Cells()) * float64(s.plan.Rule.Most()) }

// A SweepRun says which cells of a sweep are to be computed, and what becomes of them.
type SweepRun struct {
	From int                                            // the cells [0, From) are there already
	Text func(cell *history.Cell) ([]byte, error)       // what is written of a cell
	Put  func(text []byte, cells int, runs int64) error // called in order with what is to be written, and how many cells and runs it ends
	Done func(runs int)                                 // called with the number of runs just finished, from any goroutine, if not nil
}

// Run simulates the cells. What was put when it ends early are the first of what the sweep writes.
func (s *Sweep) Run(ctx context.Context, r SweepRun) error {
	first, last := s.plan.Shard.Bounds(s.grid.Cells())
	first += r.From
	grid := batch.Grid{
		Cells: last - first, Rule: s.plan.Rule, Records: s.plan.Each, Done: r.Done,
		Cell:   func(i int) (*sim.World, history.Source, error) { return s.cell(first + i) },
		Encode: func(p *batch.Part) error { return encode(p, r.Text) },
		Put: func(p *batch.Part) error {
			if p.Cell == nil {
				return r.Put(p.Text, 0, 0)
			}
			return r.Put(p.Text, 1, p.Cell.Runs)
		},
	}
	if err := grid.Run(ctx); err != nil {
		return fmt.Errorf("sweep %s: %w", s.source.Scenario, err)
	}
	return nil
}

// cell is the world of a cell, and what its records say about it.
func (s *Sweep) cell(i int) (*sim.World, history.Source, error) {
	scenario, hash, err := s.grid.Scenario(i)
	if err != nil {
		return nil, history.Source{}, fmt.Errorf("cell %d (%v): %w", i, s.grid.Values(i), err)
	}
	source := s.source
	source.ScenarioHash, source.Params.Set = hash, cellSet(&s.header, i)
	return sim.NewWorld(scenario, s.plan.Profile), source, nil
}

// cellSet is what the params of a cell say that was set, given by the cell's number in the whole grid.
func cellSet(h *history.Sweep, i int) map[string]string {
	set := make(map[string]string, len(h.Params.Set)+len(h.Axes))
	maps.Copy(set, h.Params.Set)
	for a, value := range scenarios.CellValues(h.Axes, i) {
		set[h.Axes[a].Path] = value
	}
	return set
}

// encode gives a part its text, and takes away what was written.
func encode(p *batch.Part, text func(*history.Cell) ([]byte, error)) (err error) {
	if p.Cell != nil {
		p.Text, err = text(p.Cell)
		p.Cell = &history.Cell{Runs: p.Cell.Runs}
		return err
	}
	var lines bytes.Buffer
	for i := range p.Records {
		if err := history.WriteLine(&lines, &p.Records[i]); err != nil {
			return err
		}
	}
	p.Text, p.Records = lines.Bytes(), nil
	return nil
}

// CellLine is a cell as a JSON line.
func CellLine(c *history.Cell) ([]byte, error) {
	var line bytes.Buffer
	err := history.WriteLine(&line, c)
	return line.Bytes(), err
}
