package compare

import (
	"slices"

	"locklab/history"
)

// lab is the profile whose prediction is the reference if there are several: it is the one that stands for the
// machine on which the published counts were measured.
const lab = "lab"

// ideal is the profile under which nothing takes any time: the prediction that knows nothing of the machine.
const ideal = "ideal"

// pair makes the rows of one experiment: one for each measured profile, and one even if nothing was measured.
func pair(lines []line) []Row {
	var predictions []*Prediction
	var measurements []*Measurement
	for _, runs := range chunks(lines, func(l line) pool { return l.pool }) {
		if runs[0].world == history.Sim {
			predictions = append(predictions, newPrediction(runs))
		} else {
			measurements = append(measurements, newMeasurement(runs))
		}
	}
	row := newRow(lines)
	if len(measurements) == 0 {
		return []Row{row.unmeasured(predictions)}
	}
	var rows []Row
	for _, m := range measurements {
		rows = append(rows, row.measured(m, predictions, measurements))
	}
	return rows
}

// newRow has all that the rows of an experiment have in common.
func newRow(lines []line) Row {
	src := lines[0].source
	row := Row{Scenario: src.Scenario, ScenarioHash: src.ScenarioHash, Params: src.Params}
	for _, l := range lines {
		if l.source.Published != nil {
			row.Published = l.source.Published
			break
		}
	}
	return row
}

// measured is the row for one of the measurements. What was predicted for none of them is a reference.
func (r Row) measured(m *Measurement, predictions []*Prediction, all []*Measurement) Row {
	r.Measured, r.N = m, len(m.Conflicts)
	var references []*Prediction
	for _, p := range predictions {
		if p.Profile == ideal {
			r.ideal = p
		}
		switch {
		case p.predicts(m):
			r.Simulated = p
		case !slices.ContainsFunc(all, p.predicts):
			references = append(references, p)
		}
	}
	r.Reference = r.choose(references)
	r.Ranks = ranks(r.Simulated, m)
	return r
}

// unmeasured is the row of an experiment that was only predicted: nothing tells the profile of the machine from a
// reference but the name lab.
func (r Row) unmeasured(predictions []*Prediction) Row {
	var references, others []*Prediction
	for _, p := range predictions {
		if p.isLab() {
			references = append(references, p)
		} else {
			others = append(others, p)
		}
	}
	r.Reference, r.Simulated = r.choose(references), r.choose(others)
	return r
}

// choose is the first prediction under lab, or else the first; the others are hidden.
func (r *Row) choose(from []*Prediction) *Prediction {
	if len(from) == 0 {
		return nil
	}
	chosen := max(0, slices.IndexFunc(from, (*Prediction).isLab))
	for i, p := range from {
		if i != chosen {
			r.hidden = append(r.hidden, p.Profile)
		}
	}
	return from[chosen]
}

func (p *Prediction) isLab() bool { return p.Profile == lab }

// predicts reports whether the prediction is for the machine of m.
func (p *Prediction) predicts(m *Measurement) bool {
	return m.ProfileHash != "" && p.ProfileHash == m.ProfileHash
}

// newPrediction sums up simulated runs of one experiment under one profile, from cells, records or both.
func newPrediction(runs []line) *Prediction {
	sum := history.NewCell(*runs[0].source)
	for _, l := range runs {
		if l.cell != nil {
			sum.Merge(l.cell)
		} else {
			counts := l.record.Tally()
			sum.Add(&counts, 0, l.record.Bounded)
		}
	}
	return &Prediction{
		Profile: sum.Profile, ProfileHash: sum.ProfileHash, Seeds: seeds(runs),
		Runs: sum.Runs, Bounded: sum.Bounded,
		Entries: sum.Entries.Stat(), Conflicts: sum.Conflicts.Stat(), RejectedWrites: sum.RejectedWrites.Stat(),
		LostHolds: sum.LostHolds.Stat(), GaveUp: sum.GaveUp.Stat(), Damage: sum.Damage.Stat(),
		ranking: newRanking(sum.Conflicts), damage: newRanking(sum.Damage), updates: sum.Updates.Stat().Max > 0, overlap: newRanking(sum.OverlapNS),
	}
}

// newMeasurement lists real runs of one experiment on one machine. A cell does not say what each run gave, so cells
// of the real world, which no command writes, count as nothing measured.
func newMeasurement(runs []line) *Measurement {
	m := &Measurement{
		Profile: runs[0].profile, ProfileHash: runs[0].profileHash, Seeds: seeds(runs),
		Entries: []int64{}, Conflicts: []int64{}, RejectedWrites: []int64{}, LostHolds: []int64{}, GaveUp: []int64{}, Damage: []int64{},
	}
	for _, l := range runs {
		if r := l.record; r != nil {
			m.add(r)
		}
	}
	return m
}

func (m *Measurement) add(r *history.Record) {
	if !slices.Contains(m.Stores, r.Store) {
		m.Stores = append(m.Stores, r.Store)
	}
	if r.Disturbed {
		m.Disturbed++
		return
	}
	if r.Bounded {
		m.Bounded++
	} else if m.first == nil {
		m.first = r
	}
	m.Entries = append(m.Entries, r.Entries)
	m.Conflicts = append(m.Conflicts, r.Conflicts)
	m.RejectedWrites = append(m.RejectedWrites, r.RejectedWrites)
	m.LostHolds = append(m.LostHolds, r.LostHolds)
	m.GaveUp = append(m.GaveUp, r.GaveUp)
	m.Damage = append(m.Damage, r.Damage())
	m.updates = m.updates || r.Updates > 0
}

// seeds are those of the runs, each once, ascending.
func seeds(runs []line) []uint64 {
	var all []uint64
	for _, l := range runs {
		all = append(all, l.seed)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ranks are the mid-ranks of the measured conflicts, none without a prediction.
func ranks(p *Prediction, m *Measurement) []float64 {
	if p == nil || p.ranking.runs() == 0 {
		return nil
	}
	var out []float64
	for _, x := range m.Conflicts {
		out = append(out, p.ranking.midRank(x))
	}
	return out
}
