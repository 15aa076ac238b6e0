package plots

import (
	"math"
	"slices"

	"locklab/history"
)

// A quantity is something that every run has: how it is read from simulations and from a measured run.
type quantity struct {
	title     string
	note      string // what it counts, or which way is better
	isShare   bool   // it is at most 100 or little more
	simulated func(*history.Cell) (rate, bool)
	measured  func(*history.Record) float64 // NaN or infinite if the run has none; nil if no measured run has any
}

// simulatedIn is the quantity in the runs of an experiment under a profile.
func (q *quantity) simulatedIn(e *experiment, p profile) (rate, bool) {
	s := e.under(p)
	if s == nil {
		return rate{}, false
	}
	return q.simulated(&s.sum)
}

// measuredIn is the quantity in each repetition of an experiment, and its mean.
func (q *quantity) measuredIn(e *experiment) (rate, bool) {
	var v rate
	for i := range e.measured {
		if q.measured == nil {
			break
		}
		if dot := q.measured(&e.measured[i]); !math.IsNaN(dot) && !math.IsInf(dot, 0) {
			v.dots = append(v.dots, dot)
		}
	}
	v.mean = mean(v.dots)
	return v, len(v.dots) > 0
}

// values are all that a mark of the rate has to show; none if there is no rate.
func (v *rate) values() []float64 {
	if math.IsNaN(v.mean) {
		return nil
	}
	if v.hi > v.lo {
		return append([]float64{v.mean, v.lo, v.hi}, v.dots...)
	}
	return append([]float64{v.mean}, v.dots...)
}

// farApart is by which factor values differ that are shown on a logarithmic axis.
const farApart = 30

// rulerFor has room for all values: from 0, or, if they are far apart and none is 0, on a logarithmic axis, unless they are parts
// of a hundred.
func (q *quantity) rulerFor(values []float64) ruler {
	if len(values) == 0 {
		return ruler{hi: 1, one: 1}
	}
	least, top := slices.Min(values), slices.Max(values)
	if !q.isShare && least > 0 && top > farApart*least {
		return ruler{lo: math.Log10(least) - 0.1, hi: math.Log10(top) + 0.1, log: true, one: 1}
	}
	if top == 0 {
		top = 1
	}
	return ruler{hi: 1.06 * top, one: 1}
}

// quotient is so many times a count by another one, which in most scenarios is the same in every run: its mean is what is
// divided by. It reports false if that is 0.
func quotient(counts, by *history.Histogram, times float64) (rate, bool) {
	each, c := by.Mean(), counts.Stat()
	if each == 0 {
		return rate{mean: math.NaN()}, false
	}
	return rate{mean: times * c.Mean / each, lo: times * float64(c.P2_5) / each, hi: times * float64(c.P97_5) / each}, true
}

// perSecond is how many of a count a second of the run has. It reports false if the runs took no time.
func perSecond(counts, endNS *history.Histogram) (rate, bool) {
	n, end := counts.Mean(), endNS.Stat()
	if end.P2_5 == 0 {
		return rate{mean: math.NaN()}, false
	}
	return rate{mean: n / seconds(end.Mean), lo: n / seconds(float64(end.P97_5)), hi: n / seconds(float64(end.P2_5))}, true
}

func seconds(ns float64) float64 { return ns / 1e9 }

// waitP99 is the wait, in ms, that one in a hundred exceeds: 0 if nobody waits for a lock. It reports false for records, which
// do not know it.
func waitP99(c *history.Cell) (rate, bool) {
	rank, seen := int64(math.Ceil(0.99*float64(c.EachWaitNS.Total()))), int64(0)
	for _, b := range c.EachWaitNS.Bins() {
		if seen += b.N; seen >= rank {
			return rate{mean: float64(b.Value) / 1e6}, true
		}
	}
	return rate{}, c.WaitMaxNS.Mean() == 0
}

// Damage is per round, or, of experiments without a resource, conflicts are.

var damage = quantity{
	title:   "damage per 100 rounds",
	note:    "updates lost, jobs done twice or not at all",
	isShare: true,
	simulated: func(c *history.Cell) (rate, bool) {
		if c.Updates.Mean() == 0 && c.Damage.Mean() == 0 {
			return rate{}, false
		}
		return quotient(&c.Damage, &c.Entries, 100)
	},
	measured: func(r *history.Record) float64 {
		if r.Updates == 0 && r.Damage() == 0 {
			return math.NaN()
		}
		return percent(float64(r.Damage()), float64(r.Entries))
	},
}

var conflicts = quantity{
	title:     "conflicts per 100 rounds",
	note:      "entries that find another worker inside",
	isShare:   true,
	simulated: conflictRate,
	measured:  func(r *history.Record) float64 { return percent(float64(r.Conflicts), float64(r.Entries)) },
}

var roundsPerSecond = quantity{
	title:     "rounds per second",
	note:      "higher is better →",
	simulated: func(c *history.Cell) (rate, bool) { return perSecond(&c.Entries, &c.EndNS) },
	measured:  func(r *history.Record) float64 { return float64(r.Entries) / seconds(float64(r.EndNS)) },
}

var commandsPerRound = quantity{
	title:     "Redis commands per round",
	note:      "← lower is better",
	simulated: func(c *history.Cell) (rate, bool) { return quotient(&c.Commands, &c.Entries, 1) },
	measured:  func(r *history.Record) float64 { return float64(r.Commands) / float64(r.Entries) },
}

var updatesPerSecond = quantity{
	title:     "updates per second",
	note:      "higher is better",
	simulated: func(c *history.Cell) (rate, bool) { return perSecond(&c.Updates, &c.EndNS) },
	measured:  func(r *history.Record) float64 { return float64(r.Updates) / seconds(float64(r.EndNS)) },
}

var commandsPerUpdate = quantity{
	title:     "Redis commands per update",
	note:      "lower is better",
	simulated: func(c *history.Cell) (rate, bool) { return quotient(&c.Commands, &c.Updates, 1) },
	measured:  func(r *history.Record) float64 { return float64(r.Commands) / float64(r.Updates) },
}

var longWait = quantity{
	title:     "wait, 99th percentile (ms)",
	note:      "for the lock or in retries; simulated",
	simulated: waitP99,
}
