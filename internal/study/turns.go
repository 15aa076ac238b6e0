package study

import (
	"cmp"
	"math"
	"slices"
	"time"

	"locklab/scenarios"
)

// A turn is one run that is to be measured.
type turn struct {
	experiment, rep int
	attempt         int           // how often it was disturbed so far
	expected        time.Duration // how long it will take; 0 if that would take long to simulate
}

// turns are the runs that are left to be measured.
func (m *Measurement) turns(experiments []*Experiment) []turn {
	var all []turn
	for i, e := range experiments {
		expected := m.length(e)
		for rep := range m.Reps {
			if m.Skip == nil || !m.Skip(i, rep) {
				all = append(all, turn{experiment: i, rep: rep, expected: expected})
			}
		}
	}
	return all
}

// length is about how long a run of an experiment takes: that of one simulated run.
func (m *Measurement) length(e *Experiment) time.Duration {
	const manyRounds = 10_000
	if int64(e.Scenario.Workers)*int64(e.Scenario.Rounds) > manyRounds {
		return 0
	}
	profile := m.Profile
	if profile == nil {
		lab := scenarios.Lab()
		profile = &lab
	}
	return time.Duration(Trace(e, profile, m.Seed, 0).Tally.End)
}

// arrange puts turns into the order in which they are taken, side at a time. All of a wave wait for its longest run, so
// long runs go with long ones; of those that take about as long, the first repetitions of all experiments come before the second
// ones, so that what is odd about a wave does not hit all repetitions of one experiment. Within a wave the order is that of the experiments.
func arrange(turns []turn, side int) {
	slices.SortStableFunc(turns, func(a, b turn) int {
		return cmp.Or(cmp.Compare(b.class(), a.class()), cmp.Compare(a.rep, b.rep))
	})
	for wave := range slices.Chunk(turns, max(side, 1)) {
		slices.SortStableFunc(wave, func(a, b turn) int {
			return cmp.Or(cmp.Compare(a.experiment, b.experiment), cmp.Compare(a.rep, b.rep))
		})
	}
}

// class is the same for runs that take about as long.
func (t *turn) class() int {
	const tenth = 0.0953 // ln 1.1
	return int(math.Log(float64(max(t.expected, time.Millisecond))) / tenth)
}

// What a wave takes beside its longest run: for each run until its processes are ready and until all is reported, and
// until the first begins.
const (
	perRun  = 30 * time.Millisecond
	perWave = 150 * time.Millisecond
)

// expected is about how long turns take that are arranged for so many side by side. It is 0 if that of a run is not known.
func expected(turns []turn, side int) (sum time.Duration) {
	for wave := range slices.Chunk(turns, max(side, 1)) {
		var longest time.Duration
		for i := range wave {
			if wave[i].expected == 0 {
				return 0
			}
			longest = max(longest, wave[i].expected)
		}
		sum += perWave + time.Duration(len(wave))*perRun + longest
	}
	return sum
}
