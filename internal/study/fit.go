package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"locklab/history"
	"locklab/scenarios"
	"locklab/sim"
	"locklab/sim/batch"
)

// A FitPlan asks which parameters make counts most likely.
type FitPlan struct {
	Scenarios []string // built-in names or paths, each once
	Set       []string // path=value, in each of them
	Scale     float64
	Axes      []history.Axis
	Data      []history.Record // what is to be explained; nil for what the scenarios say was published
	Runs      int64            // simulated of each scenario with each combination of its parameters
	Refined   int64            // the same where the counts are nearly as likely as with the best; at least Runs
	Seed      uint64
	Profile   *scenarios.Profile
}

// What a fit's numbers are if nothing else is said.
const (
	DefaultFitRuns     = 400
	DefaultRefinedRuns = 4000
)

const (
	maxCombinations = 1_000_000
	maxFitRuns      = 10_000_000 // of one cell
)

// A Fit looks for the values of parameters, the same in several scenarios, that make what was counted of these most likely.
type Fit struct {
	plan         FitPlan
	axes         []history.Axis
	combinations int
	parts        []fitPart
}

// A fitPart is one of a fit's scenarios. It has a grid of its own, along those axes that are parameters of it, so that nothing is
// simulated twice.
type fitPart struct {
	*Experiment
	name    string // by which it was loaded
	counted sample
	grid    *scenarios.Grid
	strides []int // by axis: how many cells of the grid its next value is away; 0 for an axis that the grid does not have
	cells   []likelihood
}

// NewFit makes a fit ready. An error says what of the plan is impossible.
func NewFit(plan FitPlan) (*Fit, error) {
	if err := plan.check(); err != nil {
		return nil, err
	}
	f := &Fit{plan: plan, axes: slices.Clone(plan.Axes)}
	var err error
	if f.combinations, err = scenarios.CountCells(f.axes); err != nil {
		return nil, err
	}
	if f.combinations > maxCombinations {
		return nil, fmt.Errorf("%d combinations of the axes' values; want at most %d: fewer values, or first a coarse fit and then a fine one around its best",
			f.combinations, maxCombinations)
	}
	for _, name := range plan.Scenarios {
		part, err := f.newPart(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f.parts = append(f.parts, *part)
	}
	return f, cmp.Or(f.checkAxes(), f.checkData())
}

func (p *FitPlan) check() error {
	switch {
	case len(p.Axes) == 0:
		return errors.New("no axis; want the parameters to look for, e.g. retry=10ms,25ms,50ms")
	case p.Runs < 1 || p.Runs > maxFitRuns:
		return fmt.Errorf("%d runs; want from 1 to %d", p.Runs, maxFitRuns)
	case p.Refined < p.Runs || p.Refined > maxFitRuns:
		return fmt.Errorf("%d runs of what is looked at more closely; want at least the %d of all, and at most %d", p.Refined, p.Runs, maxFitRuns)
	}
	for i, a := range p.Axes {
		if slices.ContainsFunc(p.Axes[:i], func(b history.Axis) bool { return a.Path == b.Path }) {
			return fmt.Errorf("two axes are along %s; want each parameter once", a.Path)
		}
	}
	return nil
}

// newPart makes one of the scenarios ready.
func (f *Fit) newPart(name string) (*fitPart, error) {
	e, err := changed(name, f.plan.Set, f.plan.Scale)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(f.parts, func(p fitPart) bool { return p.Scenario.Name == e.Scenario.Name }) {
		return nil, fmt.Errorf("there are two scenarios of the name %s; want each once", e.Scenario.Name)
	}
	part := &fitPart{Experiment: e, name: name}
	own := slices.DeleteFunc(slices.Clone(f.axes), func(a history.Axis) bool { return e.Scenario.Lacks(a.Path) != "" })
	if part.grid, err = scenarios.NewGrid(e.Scenario, own, f.plan.Scale); err != nil {
		return nil, err
	}
	part.strides = stridesOf(f.axes, own)
	part.cells = make([]likelihood, part.grid.Cells())
	if part.counted, err = f.countsOf(part); err != nil {
		return nil, err
	}
	return part, nil
}

// stridesOf is, for each of all axes, how many cells of the grid along some of them the next value is away.
func stridesOf(all, some []history.Axis) []int {
	strides := make([]int, len(all))
	stride := 1
	for a := len(all) - 1; a >= 0; a-- {
		if slices.ContainsFunc(some, func(axis history.Axis) bool { return axis.Path == all[a].Path }) {
			strides[a] = stride
			stride *= len(all[a].Values)
		}
	}
	return strides
}

// checkAxes refuses an axis along which no scenario moves, and one that is set, too.
func (f *Fit) checkAxes() error {
	for a, axis := range f.axes {
		if !slices.ContainsFunc(f.parts, func(p fitPart) bool { return p.strides[a] > 0 }) {
			return fmt.Errorf("axis %s: none of the scenarios has that (%s); name one that does, or leave out the axis", axis.Path, strings.Join(f.plan.Scenarios, ", "))
		}
		if value, ok := f.parts[0].params.Set[axis.Path]; ok {
			return fmt.Errorf("%s is set to %s, and an axis moves along it; leave out one of the two", axis.Path, value)
		}
	}
	return nil
}

// notes say, axis by axis, which scenarios are not moved along it.
func (f *Fit) notes() []string {
	var all []string
	for _, axis := range f.axes {
		var names []string
		what := ""
		for i := range f.parts {
			if lacks := f.parts[i].Scenario.Lacks(axis.Path); lacks != "" {
				names, what = append(names, f.parts[i].Scenario.Name), lacks
			}
		}
		if len(names) > 0 {
			all = append(all, fmt.Sprintf("%s: no %s, so nothing is said about %s", strings.Join(names, ", "), what, axis.Path))
		}
	}
	return all
}

// Combinations is how many combinations of the axes' values there are.
func (f *Fit) Combinations() int { return f.combinations }

// Cells is how many cells are simulated: of each scenario, the combinations of those parameters that it has.
func (f *Fit) Cells() int {
	cells := 0
	for i := range f.parts {
		cells += len(f.parts[i].cells)
	}
	return cells
}

// A fitCell is a cell of a scenario's grid.
type fitCell struct{ part, cell int }

// Run simulates and weighs everything, in two stages: all cells, and then with more runs, from the first on, those of
// combinations that are near the best. It goes on until all that are near it have so many.
func (f *Fit) Run(ctx context.Context, progress Progress) (*FitResult, error) {
	defer progress.End()
	var all []fitCell
	for p := range f.parts {
		for c := range f.parts[p].cells {
			all = append(all, fitCell{p, c})
		}
	}
	stage, runs := "simulate", f.plan.Runs
	for len(all) > 0 {
		progress.Begin(stage, len(all)*int(runs))
		if err := f.simulate(ctx, all, runs, progress.Add); err != nil {
			return nil, fmt.Errorf("fit: %w", err)
		}
		stage, runs = "look closer", f.plan.Refined
		all = f.unrefined()
	}
	return f.result(), nil
}

// simulate weighs some cells by so many runs each.
func (f *Fit) simulate(ctx context.Context, cells []fitCell, runs int64, done func(int)) error {
	var runsOfCell sample
	next := 0
	grid := batch.Grid{
		Cells: len(cells), Rule: batch.Rule{Runs: runs}, Records: true, NoHash: true, Done: done,
		Cell: func(i int) (*sim.World, history.Source, error) {
			part := &f.parts[cells[i].part]
			s, _, err := part.grid.Scenario(cells[i].cell)
			if err != nil {
				return nil, history.Source{}, fmt.Errorf("%s with %v: %w", part.Scenario.Name, part.grid.Values(cells[i].cell), err)
			}
			return sim.NewWorld(s, f.plan.Profile), part.source(history.Sim, f.plan.Seed, f.plan.Profile, model), nil
		},
		Put: func(p *batch.Part) error {
			part := &f.parts[cells[next].part]
			for i := range p.Records {
				runsOfCell.addRecord(&p.Records[i], part.tellsRejected())
			}
			if p.Cell != nil {
				part.cells[cells[next].cell] = likelihoodOf(&part.counted, &runsOfCell)
				next, runsOfCell = next+1, sample{}
			}
			return nil
		},
	}
	return grid.Run(ctx)
}

// tellsRejected reports whether the counts to explain tell the rejected writes.
func (p *fitPart) tellsRejected() bool { return p.counted.outcomes[0].rejected != notCounted }

// at is the scenario's cell in a combination of all axes' values.
func (p *fitPart) at(axes []history.Axis, combination int) int {
	return placeOf(axes, p.strides, combination)
}

// placeOf is the place of a combination of all axes' values in a grid along some of them.
func placeOf(axes []history.Axis, strides []int, combination int) (place int) {
	for a, axis := range slices.Backward(axes) {
		n := len(axis.Values)
		place += combination % n * strides[a]
		combination /= n
	}
	return place
}

// logs are the logarithms of the likelihoods of all combinations.
func (f *Fit) logs() []float64 {
	logs := make([]float64, f.combinations)
	for c := range logs {
		for i := range f.parts {
			p := &f.parts[i]
			logs[c] += p.cells[p.at(f.axes, c)].log
		}
		logs[c] = round6(logs[c])
	}
	return logs
}

// unrefined are the cells of combinations near the best that have not as many runs as they are to have.
func (f *Fit) unrefined() []fitCell {
	logs := f.logs()
	near := slices.Max(logs) - regionOf(f.axes) - refineBeyond
	var found []fitCell
	seen := make(map[fitCell]bool)
	for c, log := range logs {
		if log < near {
			continue
		}
		for i := range f.parts {
			p := &f.parts[i]
			cell := fitCell{i, p.at(f.axes, c)}
			if p.cells[cell.cell].runs < f.plan.Refined && !seen[cell] {
				seen[cell] = true
				found = append(found, cell)
			}
		}
	}
	return found
}
