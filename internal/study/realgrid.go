package study

import (
	"fmt"

	"locklab/history"
	"locklab/scenarios"
)

// A RealGridPlan says what a grid that is measured is made of.
type RealGridPlan struct {
	Scenario string   // a built-in name or a path
	Set      []string // path=value
	Scale    float64
	Axes     []history.Axis
	Reps     int // of each cell, above 0
	Seed     uint64
}

// maxRealRuns is the most runs of a grid that is measured: some weeks.
const maxRealRuns = 100_000

// A RealGrid is one experiment in all combinations of the values of its axes, to be measured. Its records answer to the cells of
// a sweep along the same axes.
type RealGrid struct {
	Cells  []*Experiment // in order, the last axis moving fastest
	plan   RealGridPlan
	whole  *Experiment // what the cells have in common, not scaled
	header history.Sweep
}

// NewRealGrid makes a grid ready. An error says what of the plan is impossible.
func NewRealGrid(plan RealGridPlan) (*RealGrid, error) {
	e, grid, err := alongAxes(plan.Scenario, plan.Set, plan.Scale, plan.Axes)
	if err != nil {
		return nil, err
	}
	if grid.Cells() > maxRealRuns/plan.Reps {
		return nil, fmt.Errorf("%s: %d cells with %d repetitions are more than %d runs; want fewer", plan.Scenario, grid.Cells(), plan.Reps, maxRealRuns)
	}
	g := &RealGrid{plan: plan, whole: e, header: e.header(history.Source{Params: e.params}, grid)}
	for i := range grid.Cells() {
		scenario, hash, err := grid.Scenario(i)
		if err != nil {
			return nil, fmt.Errorf("%s: cell %d (%v): %w", plan.Scenario, i, grid.Values(i), err)
		}
		params := history.Params{Scale: plan.Scale, Set: cellSet(&g.header, i)}
		g.Cells = append(g.Cells, &Experiment{scenario, hash, params})
	}
	return g, nil
}

// Header is the first line of a file of what was measured on a store for a profile.
func (g *RealGrid) Header(p *scenarios.Profile, store history.Store) *history.Sweep {
	h := g.header
	h.Source = g.whole.source(history.Real, g.plan.Seed, p, store)
	h.Runs = int64(g.plan.Reps)
	return &h
}
