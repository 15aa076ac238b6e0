package study

import (
	"context"

	"locklab/compare"
	"locklab/history"
	"locklab/scenarios"
)

// An Explanation says of the largest discrepancies of a calibration to which parts of the world their outcome is most
// sensitive.
type Explanation struct {
	Seed uint64
	// Known gives the experiment of a cell, and the profile under which it was predicted; nil where they are not known.
	Known func(*compare.Scored) (*Experiment, *scenarios.Profile)
	Done  func(cells int) // called with the number of cells just finished, if not nil
}

// Sensitive is what the outcome of a cell is sensitive to.
type Sensitive struct {
	Cell string `json:"cell"`
	*Sensitivity
}

// Explain looks at the first compare.Shown cells that are less likely than most, gives their sensitivity, and has the
// calibration say it. Cells that are not known are left out.
func (x *Explanation) Explain(ctx context.Context, c *compare.Calibration) ([]Sensitive, error) {
	const (
		likely = 0.1 // from this p on, there is nothing to explain
		runs   = 2000
	)
	all, why := []Sensitive{}, make(map[string]string)
	for i := range c.Largest[:min(len(c.Largest), compare.Shown)] {
		cell := &c.Largest[i]
		e, profile := x.Known(cell)
		if cell.P >= likely || e == nil || profile == nil {
			continue
		}
		p := Prediction{Profile: profile, Seed: x.Seed, Runs: runs}
		s, err := p.Sensitivity(ctx, e)
		if err != nil {
			return nil, err
		}
		all = append(all, Sensitive{cell.Cell, s})
		why[cell.Cell] = s.Words(cell)
		if x.Done != nil {
			x.Done(1)
		}
	}
	c.Explain(why)
	return all, nil
}

// KnownByName finds experiments that are built in or in a file NAME.yaml of the current folder, and the profiles among those
// given. It is for Explanation.Known.
func KnownByName(profiles []*scenarios.Profile) func(*compare.Scored) (*Experiment, *scenarios.Profile) {
	return func(cell *compare.Scored) (*Experiment, *scenarios.Profile) {
		for _, p := range profiles {
			if p.Hash() == cell.ProfileHash {
				return namedLike(cell.Scenario, cell.ScenarioHash, cell.Params), p
			}
		}
		return nil, nil
	}
}

// namedLike is the experiment that lines speak of, by its scenario's name; nil if it cannot be found, or is another one.
func namedLike(scenario, hash string, params history.Params) *Experiment {
	for _, name := range []string{scenario, scenario + ".yaml"} {
		e, err := NewExperiment(name, settings(params.Set), params.Scale)
		if err == nil && e.hash == hash {
			return e
		}
	}
	return nil
}
