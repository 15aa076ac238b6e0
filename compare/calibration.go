package compare

import (
	"cmp"
	"fmt"
	"slices"

	"locklab/history"
	"locklab/internal/choice"
)

// Many is from how many cells on a calibration says something: with fewer, hardly any coverage could be told from
// what it should be.
const Many = 10

// A Calibration says how far the predictions of many cells can be trusted. A cell is a scenario with its parameters,
// measured under one profile and predicted under the same: a row of [Rows]. Repetitions of a cell share whatever the
// prediction has wrong, so only one of each counts.
type Calibration struct {
	Kind      string    `json:"kind"`     // "calibration"
	Seed      uint64    `json:"seed"`     // of the draws that break ties
	Profiles  []string  `json:"profiles"` // of the cells: what was measured of the machine
	Cells     int       `json:"cells"`    // that were measured and predicted
	LeftOut   []LeftOut `json:"left_out"` // cells that were measured, and cannot be held against a prediction
	Conflicts Score     `json:"conflicts"`
	Overlap   Score     `json:"overlap_ns"`
	Largest   []Scored  `json:"largest"` // every cell, the largest discrepancy first
}

// LeftOut is a cell that does not count, and the reason.
type LeftOut struct {
	Cell string `json:"cell"`
	Why  string `json:"why"`
}

// A Score sums up the forecasts of one measure.
type Score struct {
	WithSpread int        `json:"with_spread"` // cells of which the simulated runs differ: transform and coverage are theirs
	Degenerate Degenerate `json:"degenerate"`
	PIT        *PIT       `json:"pit"`      // nil if no cell has a spread
	Coverage   []Coverage `json:"coverage"` // of the 50, 80, 95 and 99 % intervals; empty if no cell has a spread
}

// Degenerate counts the cells whose simulated runs are all alike. They are apart from the others because what cannot
// be missed would flatter the score.
type Degenerate struct {
	N     int `json:"n"`
	Equal int `json:"equal"` // of these, how many were measured as predicted
}

// A Scored is one cell: the repetition that counts, and what was predicted of it.
type Scored struct {
	Cell         string         `json:"cell"` // scenario and parameters; no two of a calibration are alike
	Scenario     string         `json:"scenario"`
	ScenarioHash string         `json:"scenario_hash"`
	Params       history.Params `json:"params"`
	Profile      string         `json:"profile"`
	ProfileHash  string         `json:"profile_hash"`
	Seed         uint64         `json:"seed"` // of the repetition
	Run          int            `json:"run"`  // its number
	Conflicts    Forecast       `json:"conflicts"`
	Overlap      Forecast       `json:"overlap_ns"`
	P            float64        `json:"p"`             // the smaller of the two
	Why          string         `json:"why,omitempty"` // where the discrepancy comes from, as far as the caller knows
}

// Calibrate holds the first repetition of every measured cell that was neither disturbed nor cut short against the cell's prediction.
// The same lines give the same result, whatever their order.
func Calibrate(lines history.Lines) Calibration {
	rows := slices.DeleteFunc(untested(lines), func(r Row) bool { return r.Measured == nil })
	names := cellNames(rows)
	c := Calibration{Kind: "calibration", Seed: drawSeed, Profiles: []string{}, LeftOut: []LeftOut{}, Largest: []Scored{}}
	for i := range rows {
		if why := unscored(&rows[i]); why != "" {
			c.LeftOut = append(c.LeftOut, LeftOut{names[i], why})
			continue
		}
		c.Largest = append(c.Largest, newScored(&rows[i], names[i]))
		if profile := rows[i].Measured.Profile; !slices.Contains(c.Profiles, profile) {
			c.Profiles = append(c.Profiles, profile)
		}
	}
	slices.SortFunc(c.Largest, func(a, b Scored) int { return a.compare(&b) })
	c.Cells = len(c.Largest)
	c.Conflicts = newScore(c.Largest, func(s *Scored) *Forecast { return &s.Conflicts })
	c.Overlap = newScore(c.Largest, func(s *Scored) *Forecast { return &s.Overlap })
	return c
}

// Explain says of cells where their discrepancy comes from: why is by the name of the cell.
func (c *Calibration) Explain(why map[string]string) {
	for i := range c.Largest {
		if text, ok := why[c.Largest[i].Cell]; ok {
			c.Largest[i].Why = text
		}
	}
}

// unscored is why a measured row cannot be held against a prediction; "" if it can.
func unscored(r *Row) string {
	switch p := r.Simulated; {
	case p == nil:
		return unpaired(r)[0]
	case !p.isEnough():
		return fewRuns(min(p.ranking.runs(), p.overlap.runs()))
	case r.Measured.first == nil:
		return "no repetition that was neither disturbed nor cut short"
	}
	return ""
}

// isEnough reports whether there are enough runs for an interval of 99 %.
func (p *Prediction) isEnough() bool { return min(p.ranking.runs(), p.overlap.runs()) >= MinRuns }

// cellNames are the labels of rows, with the profile where a scenario was measured under several.
func cellNames(rows []Row) []string {
	names := labels(rows)
	count := make(map[string]int)
	for _, name := range names {
		count[name]++
	}
	for i, name := range names {
		if count[name] > 1 {
			names[i] = fmt.Sprintf("%s (%s %.8s)", name, rows[i].Measured.Profile, rows[i].Measured.ProfileHash)
		}
	}
	return names
}

func newScored(r *Row, name string) Scored {
	run, predicted, ideal := r.Measured.first, r.Simulated, r.ideal
	if ideal != nil && !ideal.isEnough() {
		ideal = nil
	}
	forecast := func(m *measure) Forecast {
		ties := choice.NameOf("calibration "+r.ScenarioHash+" "+mustJSON(r.Params)+" "+predicted.ProfileHash, 0, m.name)
		return m.forecast(run, predicted, ideal, choice.Seeded(drawSeed).Stream(ties, choice.Fixed))
	}
	s := Scored{
		Cell: name, Scenario: r.Scenario, ScenarioHash: r.ScenarioHash, Params: r.Params,
		Profile: predicted.Profile, ProfileHash: predicted.ProfileHash, Seed: run.Seed, Run: run.Run,
		Conflicts: forecast(&conflicts), Overlap: forecast(&overlap),
	}
	s.P = min(s.Conflicts.P, s.Overlap.P)
	return s
}

// compare puts the larger discrepancy first: the less likely, and of those outside of all simulated runs the farther.
func (s *Scored) compare(o *Scored) int {
	return cmp.Or(
		cmp.Compare(s.P, o.P),
		cmp.Compare(max(o.Conflicts.beyond(), o.Overlap.beyond()), max(s.Conflicts.beyond(), s.Overlap.beyond())),
		cmp.Compare(s.Cell, o.Cell),
	)
}

// beyond is how far outside of the widest interval the measured number is, in widths of that interval.
func (f *Forecast) beyond() float64 {
	widest := f.Intervals[len(f.Intervals)-1]
	off := max(widest.Low-f.Measured, f.Measured-widest.High, 0)
	return float64(off) / float64(1+widest.width())
}

func newScore(cells []Scored, of func(*Scored) *Forecast) Score {
	var s Score
	var spread []*Forecast
	for i := range cells {
		f := of(&cells[i])
		if f.U != nil {
			spread = append(spread, f)
			continue
		}
		s.Degenerate.N++
		if f.isMet() {
			s.Degenerate.Equal++
		}
	}
	s.WithSpread = len(spread)
	s.PIT = newPIT(spread)
	s.Coverage = coverage(spread)
	return s
}
