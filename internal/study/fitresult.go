package study

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"locklab/history"
	"locklab/scenarios"
)

// A FitResult says how likely all combinations of parameters make what was counted. As JSON it is the first line of a fit's file.
type FitResult struct {
	Kind         string         `json:"kind"` // "fit"
	Seed         uint64         `json:"seed"`
	Profile      string         `json:"profile"`
	ProfileHash  string         `json:"profile_hash"`
	Params       history.Params `json:"params"`
	Runs         int64          `json:"runs"`         // of each scenario with each combination of its parameters
	RefinedRuns  int64          `json:"refined_runs"` // of those near the best
	Refined      int            `json:"refined"`      // how many combinations have so many
	Combinations int            `json:"combinations"`
	Counts       []FitCount     `json:"counts"`
	Region       FitRegion      `json:"region"`
	Axes         []FitAxis      `json:"axes"`
	Notes        []string       `json:"notes,omitempty"`       // what the counts cannot tell
	Unexplained  []string       `json:"unexplained,omitempty"` // counts that even the best combination does not explain
	Best         FitCombination `json:"-"`                     // it is the next line

	fit   *Fit
	logs  []float64
	order []int // of the combinations, the best first
}

// A FitCount is an outcome that was counted in one of the scenarios, and how often.
type FitCount struct {
	Scenario       string        `json:"scenario"`
	ScenarioHash   string        `json:"scenario_hash"`
	World          history.World `json:"world,omitempty"` // of records; empty for what is published
	Entries        int64         `json:"entries"`
	Conflicts      int64         `json:"conflicts"`
	RejectedWrites *int64        `json:"rejected_writes"` // nil if they were not counted
	Times          int64         `json:"times"`
}

// A FitRegion is the combinations that the counts do not tell from the best: the ridge.
type FitRegion struct {
	Delta        float64 `json:"delta"`      // their logarithms of the likelihood are at most so far below the best's
	Parameters   int     `json:"parameters"` // axes with more than one value
	Combinations int     `json:"combinations"`
}

// A FitAxis is an axis and what the counts say about it.
type FitAxis struct {
	history.Axis
	Best     string    `json:"best"`
	InRegion []string  `json:"in_region"` // values that a combination in the region has
	Delta    []float64 `json:"delta"`     // of each value, with the other axes at what is best for it: the profile likelihood
}

// A FitCombination is a combination of the axes' values.
type FitCombination struct {
	Kind     string            `json:"kind"` // "combination"
	Set      map[string]string `json:"set"`
	Log      float64           `json:"log_likelihood"`
	Error    *float64          `json:"log_likelihood_sd"` // as the runs are a sample; nil if something that was counted is not in it
	Delta    float64           `json:"delta"`             // how far Log is below the best's
	InRegion bool              `json:"in_region"`
	Parts    []FitPart         `json:"scenarios"`
}

// A FitPart is what a scenario contributes to a combination's likelihood, and its means over the simulated runs.
type FitPart struct {
	Scenario       string   `json:"scenario"`
	Log            float64  `json:"log_likelihood"`
	Runs           int64    `json:"runs"`
	Entries        float64  `json:"entries_mean"`
	Conflicts      float64  `json:"conflicts_mean"`
	RejectedWrites *float64 `json:"rejected_writes_mean"` // nil if they were not counted
}

// refineBeyond is how far beyond the region cells are looked at more closely: further than luck moves one with few runs.
const refineBeyond = 2

// parametersOf is how many axes have more than one value.
func parametersOf(axes []history.Axis) int {
	n := 0
	for _, a := range axes {
		if len(a.Values) > 1 {
			n++
		}
	}
	return n
}

// regionOf is how far below the best the likelihood's logarithm may be in the 95 % region of all parameters together: half of the
// 95 % quantile of χ² with as many degrees of freedom (S. Wilks, Annals of Mathematical Statistics 9, 1938).
func regionOf(axes []history.Axis) float64 {
	d := parametersOf(axes)
	if d == 0 {
		return 0
	}
	return round6(distuv.ChiSquared{K: float64(d)}.Quantile(0.95) / 2)
}

// result sums up what was simulated.
func (f *Fit) result() *FitResult {
	r := &FitResult{
		Kind: "fit", Seed: f.plan.Seed, Profile: f.plan.Profile.Name, ProfileHash: f.plan.Profile.Hash(), Params: f.parts[0].params,
		Runs: f.plan.Runs, RefinedRuns: f.plan.Refined, Combinations: f.combinations,
		Region: FitRegion{Delta: regionOf(f.axes), Parameters: parametersOf(f.axes)},
		Notes:  f.notes(), fit: f, logs: f.logs(),
	}
	for c := range r.logs {
		r.order = append(r.order, c)
		if f.isRefined(c) {
			r.Refined++
		}
	}
	slices.SortStableFunc(r.order, func(a, b int) int { return cmp.Compare(r.logs[b], r.logs[a]) })
	for i := range f.parts {
		r.Counts = append(r.Counts, f.parts[i].counts(f.plan.Data)...)
	}
	r.Best = r.Combination(0)
	for a := range f.axes {
		r.Axes = append(r.Axes, r.axis(a))
	}
	for c := range r.logs {
		if r.isInRegion(c) {
			r.Region.Combinations++
		}
	}
	r.Unexplained = r.unexplained()
	return r
}

func (f *Fit) isRefined(combination int) bool {
	return !slices.ContainsFunc(f.parts, func(p fitPart) bool { return p.cells[p.at(f.axes, combination)].runs < f.plan.Refined })
}

// counts are what was counted of a scenario.
func (p *fitPart) counts(data []history.Record) []FitCount {
	var all []FitCount
	for i, o := range p.counted.outcomes {
		c := FitCount{Scenario: p.Scenario.Name, ScenarioHash: p.hash, Entries: o.entries, Conflicts: o.conflicts, Times: p.counted.n[i]}
		if o.rejected != notCounted {
			c.RejectedWrites = &o.rejected
		}
		if len(data) > 0 {
			c.World = data[0].World
		}
		all = append(all, c)
	}
	return all
}

// delta is how far a combination is below the best.
func (r *FitResult) delta(combination int) float64 {
	return round6(r.logs[r.order[0]] - r.logs[combination])
}

func (r *FitResult) isInRegion(combination int) bool { return r.delta(combination) <= r.Region.Delta }

// Combination is the rank-th best of the combinations, from 0.
func (r *FitResult) Combination(rank int) FitCombination {
	c := r.order[rank]
	all := FitCombination{
		Kind: "combination", Set: make(map[string]string), Log: r.logs[c], Delta: r.delta(c), InRegion: r.isInRegion(c),
	}
	for a, value := range scenarios.CellValues(r.fit.axes, c) {
		all.Set[r.fit.axes[a].Path] = value
	}
	variance := 0.0
	for i := range r.fit.parts {
		p := &r.fit.parts[i]
		l := p.cells[p.at(r.fit.axes, c)]
		variance += l.variance
		part := FitPart{Scenario: p.Scenario.Name, Log: l.log, Runs: l.runs, Entries: l.means[0], Conflicts: l.means[1]}
		if p.tellsRejected() {
			part.RejectedWrites = &l.means[2]
		}
		all.Parts = append(all.Parts, part)
	}
	if sd := round6(math.Sqrt(variance)); !math.IsInf(sd, 1) {
		all.Error = &sd
	}
	return all
}

// ProfileAlong is, for every combination of the values of some of the axes, in order, the least delta that the other axes allow.
func (r *FitResult) ProfileAlong(some ...int) []float64 {
	var axes []history.Axis
	for _, a := range some {
		axes = append(axes, r.fit.axes[a])
	}
	strides := stridesOf(r.fit.axes, axes)
	cells, _ := scenarios.CountCells(axes)
	least := slices.Repeat([]float64{math.Inf(1)}, cells)
	for c := range r.logs {
		place := placeOf(r.fit.axes, strides, c)
		least[place] = min(least[place], r.delta(c))
	}
	return least
}

// axis says what the counts say about an axis.
func (r *FitResult) axis(a int) FitAxis {
	axis := FitAxis{Axis: r.fit.axes[a], Best: r.Best.Set[r.fit.axes[a].Path], Delta: r.ProfileAlong(a)}
	for i, value := range axis.Values {
		if axis.Delta[i] <= r.Region.Delta {
			axis.InRegion = append(axis.InRegion, value)
		}
	}
	return axis
}

// unexplained names the scenarios of which something was counted that no simulated run of the best combination reaches.
func (r *FitResult) unexplained() []string {
	var all []string
	for i := range r.fit.parts {
		p := &r.fit.parts[i]
		if l := p.cells[p.at(r.fit.axes, r.order[0])]; !l.explains {
			all = append(all, fmt.Sprintf("%s: what was counted lies outside of all %d simulated runs of the best combination", p.Scenario.Name, l.runs))
		}
	}
	return all
}

// WriteLines writes the result as JSON lines: first what it sums up to, then so many combinations, the best first.
func (r *FitResult) WriteLines(w io.Writer, combinations int) error {
	if err := history.WriteLine(w, r); err != nil {
		return err
	}
	for rank := range min(combinations, r.Combinations) {
		c := r.Combination(rank)
		if err := history.WriteLine(w, &c); err != nil {
			return err
		}
	}
	return nil
}
