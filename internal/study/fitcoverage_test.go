package study

import (
	"slices"
	"testing"

	"locklab/internal/choice"
	"locklab/sim"
)

// Of made-up labs, each with a true combination of its own and one run of each scenario, the ridge holds the truth in nearly all
// cases: as few counts as the lesson has are enough for what the ridge is taken for.
func TestRidgeHoldsTheTruth(t *testing.T) {
	plan := fitPlan(t, []string{"lesson/a", "lesson/d", "lesson/e"}, "pauses[0].every=3,4,5", "retry=10ms,25ms,50ms", "think=5ms,10ms,20ms")
	f, err := NewFit(plan)
	if err != nil {
		t.Fatal(err)
	}
	const runs, labs = 300, 20
	samples := make([][]sample, len(f.parts)) // by part and cell
	truths := make([][][]outcome, len(f.parts))
	for i := range f.parts {
		part := &f.parts[i]
		for c := range part.cells {
			s, _, err := part.grid.Scenario(c)
			if err != nil {
				t.Fatal(err)
			}
			all := simulatedOutcomes(sim.NewWorld(s, plan.Profile), part.tellsRejected(), runs+labs)
			var seen sample
			for _, o := range all[:runs] {
				seen.add(o)
			}
			samples[i], truths[i] = append(samples[i], seen), append(truths[i], all[runs:])
		}
	}
	held, all := 0, 0
	for truth := range f.combinations {
		for lab := range labs {
			for i := range f.parts {
				part := &f.parts[i]
				counted := &sample{}
				counted.add(truths[i][part.at(f.axes, truth)][lab])
				for c := range part.cells {
					part.cells[c] = likelihoodOf(counted, &samples[i][c])
				}
			}
			logs := f.logs()
			if all++; slices.Max(logs)-logs[truth] <= regionOf(f.axes) {
				held++
			}
		}
	}
	share := float64(held) / float64(all)
	t.Logf("%d of %d, %.1f %%", held, all, 100*share)
	if share < 0.95 {
		t.Errorf("the ridge holds the truth in %d of %d cases", held, all)
	}
}

// simulatedOutcomes are those of some runs.
func simulatedOutcomes(world *sim.World, rejected bool, runs int) []outcome {
	run := world.NewRun()
	var all []outcome
	for i := range runs {
		run.Do(choice.RunSeed(3, uint64(i)))
		o := outcome{run.Tally.Entries, run.Tally.Conflicts, notCounted}
		if rejected {
			o.rejected = run.Tally.RejectedWrites
		}
		all = append(all, o)
	}
	return all
}
