package study

import (
	"cmp"
	"context"
	"math"
	"slices"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
)

// A Sensitivity says how much an outcome moves with the parts of the world that a profile describes: each part in turn is
// made as short as its shortest draws (5 of 100 are below) and as long as its longest (5 of 100 are above), with the luck of
// all runs unchanged.
type Sensitivity struct {
	Runs      int      `json:"runs"`
	Conflicts Response `json:"conflicts"`
	Overlap   Response `json:"overlap_ns"`
}

// A Response is the outcome under the profile, per run, and how each part moves it.
type Response struct {
	Mean   float64 `json:"mean"`
	SD     float64 `json:"sd"`
	Swings []Swing `json:"swings"` // the largest first
}

// A Swing is what one part of the world does to the mean of an outcome.
type Swing struct {
	Part  string `json:"part"`
	Short Shift  `json:"short"` // if the part is as short as its 5th percentile
	Long  Shift  `json:"long"`  // and as long as its 95th
}

// A Shift is by how much the mean changes, and the standard error of that.
type Shift struct {
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"`
}

// A worldPart is something that a profile says about its machine.
type worldPart struct {
	name string
	laws func(*scenarios.Profile) []*choice.Law
}

var worldParts = []worldPart{
	{"latency", latencies},
	{"timer lateness", func(p *scenarios.Profile) (laws []*choice.Law) {
		p.Timers = slices.Clone(p.Timers)
		for i := range p.Timers {
			laws = append(laws, &p.Timers[i].Late)
		}
		return laws
	}},
	{"start lateness", func(p *scenarios.Profile) []*choice.Law { return []*choice.Law{&p.Start} }},
	{"stop delay", func(p *scenarios.Profile) []*choice.Law { return []*choice.Law{&p.Stop, &p.Continue} }},
}

// latencies are the laws of a profile's latency, made its own.
func latencies(p *scenarios.Profile) []*choice.Law {
	laws := []*choice.Law{&p.Network.AfterSleep, &p.Network.AfterReply}
	if p.Network.Ways == nil {
		return laws
	}
	ways := *p.Network.Ways
	p.Network.Ways, p.Timers = &ways, slices.Clone(p.Timers)
	trips := []*scenarios.Trip{&ways.AfterReply, &ways.AfterStop}
	for i := range p.Timers {
		trips = append(trips, &p.Timers[i].Trip)
	}
	for _, trip := range trips {
		laws = append(laws, &trip.There, &trip.Back)
	}
	return laws
}

// with is the profile in which every law of the part is moved to its quantile of so many percent. ok is false if that
// changes nothing.
func (w *worldPart) with(p *scenarios.Profile, percent uint64) (moved *scenarios.Profile, ok bool) {
	copied := *p
	for _, law := range w.laws(&copied) {
		if law.Min() < law.Max() {
			*law, ok = movedTo(law, percent), true
		}
	}
	return &copied, ok
}

// movedTo is the law scaled so that its median becomes its quantile of so many percent: it keeps its shape, as a race that is
// decided by small differences would become another one with a constant. A law whose median is 0 becomes constant.
func movedTo(law *choice.Law, percent uint64) choice.Law {
	const hundredth = math.MaxUint64 / 100
	to, median := law.Quantile(percent*hundredth), law.Quantile(50*hundredth)
	if median == 0 {
		return choice.Const(to)
	}
	return law.Scaled(float64(to) / float64(median))
}

// outcomes are what each run of a prediction gave.
type outcomes struct{ conflicts, overlap []float64 }

// Sensitivity simulates the experiment under the profile and under each of its variations.
func (p *Prediction) Sensitivity(ctx context.Context, e *Experiment) (*Sensitivity, error) {
	base, err := p.outcomes(ctx, e, p.Profile)
	if err != nil {
		return nil, err
	}
	s := Sensitivity{Runs: p.Runs, Conflicts: newResponse(base.conflicts), Overlap: newResponse(base.overlap)}
	for _, part := range worldParts {
		var shifts [2]struct{ conflicts, overlap Shift }
		for i, percent := range [...]uint64{5, 95} {
			profile, ok := part.with(p.Profile, percent)
			if !ok {
				continue
			}
			moved, err := p.outcomes(ctx, e, profile)
			if err != nil {
				return nil, err
			}
			shifts[i].conflicts = shift(base.conflicts, moved.conflicts)
			shifts[i].overlap = shift(base.overlap, moved.overlap)
		}
		s.Conflicts.Swings = append(s.Conflicts.Swings, Swing{part.name, shifts[0].conflicts, shifts[1].conflicts})
		s.Overlap.Swings = append(s.Overlap.Swings, Swing{part.name, shifts[0].overlap, shifts[1].overlap})
	}
	for _, r := range []*Response{&s.Conflicts, &s.Overlap} {
		slices.SortStableFunc(r.Swings, func(a, b Swing) int { return cmp.Compare(b.size(), a.size()) })
	}
	return &s, nil
}

func (p *Prediction) outcomes(ctx context.Context, e *Experiment, profile *scenarios.Profile) (*outcomes, error) {
	var o outcomes
	varied := Prediction{Profile: profile, Seed: p.Seed, Runs: p.Runs, Done: p.Done}
	varied.Each = func(r *history.Record) error {
		o.conflicts = append(o.conflicts, float64(r.Conflicts))
		o.overlap = append(o.overlap, float64(r.OverlapNS))
		return nil
	}
	_, err := varied.Predict(ctx, e)
	return &o, err
}

func newResponse(values []float64) Response {
	m := meanOf(values)
	return Response{Mean: m.Mean, SD: m.SE * math.Sqrt(float64(len(values)))}
}

// shift is the mean difference of runs with the same luck.
func shift(before, after []float64) Shift {
	d := make([]float64, len(before))
	for i := range d {
		d[i] = after[i] - before[i]
	}
	return meanOf(d)
}

// meanOf is the mean of values and its standard error; 0 for a single one.
func meanOf(values []float64) Shift {
	n := float64(len(values))
	var sum, square float64
	for _, v := range values {
		sum += v
	}
	mean := sum / n
	for _, v := range values {
		square += float64((v - mean) * (v - mean))
	}
	return Shift{mean, math.Sqrt(square / max(n-1, 1) / n)}
}

// size is how far apart the outcomes are that the part can lead to.
func (s *Swing) size() float64 {
	return max(s.Short.Mean, s.Long.Mean, 0) - min(s.Short.Mean, s.Long.Mean, 0)
}

// isReal reports whether chance alone would hardly move the outcome so far.
func (s *Swing) isReal() bool {
	return math.Abs(s.Short.Mean) > 3*s.Short.SE || math.Abs(s.Long.Mean) > 3*s.Long.SE
}
