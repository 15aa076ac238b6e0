package compare

import (
	"math"
	"math/rand/v2"

	"locklab/history"
)

// source is where a run of the named scenario under the named profile comes from.
func source(scenario string, world history.World, profile string) history.Source {
	src := history.Source{
		Scenario: scenario, ScenarioHash: "hash of " + scenario, Params: history.Params{Scale: 1},
		World: world, Seed: 1, Profile: profile, ProfileHash: "hash of " + profile,
		Store: history.Store{Product: "model"},
	}
	if world == history.Real {
		src.Store = history.Store{Product: "redis", Version: "7.0.15"}
	}
	return src
}

// counts are those of one run.
type counts struct{ conflicts, rejected, lost int64 }

// cellOf is a prediction of 80 entries: each of the runs as often as asked.
func cellOf(src history.Source, times int, runs ...counts) history.Cell {
	c := history.NewCell(src)
	for _, run := range runs {
		for range times {
			c.Add(&history.Tally{Entries: 80, Conflicts: run.conflicts, RejectedWrites: run.rejected, LostHolds: run.lost}, 0, false)
		}
	}
	return *c
}

// conflictsOnly are runs with the given conflicts.
func conflictsOnly(xs ...int64) []counts {
	runs := make([]counts, len(xs))
	for i, x := range xs {
		runs[i].conflicts = x
	}
	return runs
}

// recordsOf are repetitions with the given counts.
func recordsOf(src history.Source, runs ...counts) []history.Record {
	records := make([]history.Record, len(runs))
	for i, run := range runs {
		tally := history.Tally{Entries: 80, Conflicts: run.conflicts, RejectedWrites: run.rejected, LostHolds: run.lost}
		records[i] = history.NewRecord(src, i, &tally, uint64(i), 0)
	}
	return records
}

// experimentOf is a prediction under machine, of at least 10,000 runs shared out evenly, and its repetitions.
func experimentOf(scenario string, predicted []int64, measured ...int64) history.Lines {
	return history.Lines{
		Cells:   []history.Cell{cellOf(source(scenario, history.Sim, "machine"), (MinRuns+len(predicted)-1)/len(predicted), conflictsOnly(predicted...)...)},
		Records: recordsOf(source(scenario, history.Real, "machine"), conflictsOnly(measured...)...),
	}
}

func join(all ...history.Lines) history.Lines {
	var sum history.Lines
	for _, l := range all {
		sum.Records = append(sum.Records, l.Records...)
		sum.Cells = append(sum.Cells, l.Cells...)
	}
	return sum
}

// law draws conflicts of a run.
type law func(*rand.Rand) int64

// normal is rounded to whole conflicts.
func normal(mean, sd float64) law {
	return func(r *rand.Rand) int64 { return int64(math.Round(mean + sd*r.NormFloat64())) }
}

func constant(x int64) law { return func(*rand.Rand) int64 { return x } }

// either is a law of two modes.
func either(a, b int64) law {
	return func(r *rand.Rand) int64 {
		if r.IntN(2) == 0 {
			return a
		}
		return b
	}
}

func (l law) sample(r *rand.Rand, n int) []int64 {
	xs := make([]int64, n)
	for i := range xs {
		xs[i] = l(r)
	}
	return xs
}

func rankingOf(xs ...int64) ranking {
	var h history.Histogram
	for _, x := range xs {
		h.Add(x)
	}
	return newRanking(h)
}
