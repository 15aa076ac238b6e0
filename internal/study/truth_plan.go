package study

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/scenarios/random"
	"locklab/sim"
)

// A candidate is a random scenario that may be measured, and how it went on trial: a few runs under lab. So the choice is the
// same on every machine.
type candidate struct {
	Experiment
	seed   uint64 // of its measured runs: of its own, so that not all scenarios have the same luck
	end    int64  // of a run, mean, in ns
	spread bool   // the conflicts differ between runs, and not just in a few of them
}

const (
	trialRuns = 200
	mostAlike = trialRuns * 9 / 10 // with a spread, at most so many runs have the same number of conflicts
)

// tryOut simulates scenario i of a seed a few times. ok is false if a run takes longer than longest.
func tryOut(seed, i uint64, lab *scenarios.Profile, longest time.Duration) (c candidate, ok bool) {
	s := random.Scenario(seed, i)
	c = candidate{
		Experiment: Experiment{s, s.Hash(), history.Params{Scale: 1}},
		seed:       choice.RunSeed(seed, i) >> 32,
	}
	alike := make(map[int64]int)
	most := 0
	run := sim.NewWorld(s, lab).NewRun()
	for r := range uint64(trialRuns) {
		run.Do(choice.RunSeed(seed, r))
		if run.Tally.End > int64(longest) {
			return c, false
		}
		c.end += run.Tally.End / trialRuns
		alike[run.Tally.Conflicts]++
		most = max(most, alike[run.Tally.Conflicts])
	}
	c.spread = most <= mostAlike
	return c, true
}

// spreadShare is how many of so many scenarios are to have a spread. Of the others many hold, or fail each time.
func spreadShare(all int) int { return (2*all + 2) / 3 }

// choose draws the scenarios: the first that are short enough, of each kind as many as are wanted.
func (t *truth) choose(ctx context.Context) error {
	const mostTries = 100 // for each scenario that is wanted
	t.Progress.Begin("choose scenarios", t.Scenarios)
	lab := scenarios.Lab()
	spread := spreadShare(t.Scenarios)
	room := map[bool]int{true: spread, false: t.Scenarios - spread}
	tried := 0
	for ; len(t.set) < t.Scenarios; tried++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if tried == mostTries*t.Scenarios {
			return fmt.Errorf("only %d of %d random scenarios take at most %v (%d were wanted); allow longer ones with --longest",
				len(t.set), tried, t.Longest, t.Scenarios)
		}
		begin := time.Now()
		c, ok := tryOut(t.Seed, uint64(tried), &lab, t.Longest)
		if !ok || room[c.spread] == 0 {
			continue
		}
		room[c.spread]--
		t.set = append(t.set, c)
		t.spent += time.Since(begin)
		t.Progress.Add(1)
	}
	return t.out.writeScenarios(t.set)
}

// A wave is scenarios that are measured side by side. It lasts as long as the longest.
type wave []*candidate

// wavesOf puts scenarios of about the same length side by side, the shortest first, with at most so many workers at once.
func wavesOf(set []*candidate, mostWorkers int) []wave {
	sorted := slices.SortedStableFunc(slices.Values(set), func(a, b *candidate) int { return cmp.Compare(a.end, b.end) })
	var waves []wave
	room := 0
	for _, c := range sorted {
		if room -= c.Scenario.Workers; room < 0 || len(waves) == 0 {
			waves = append(waves, nil)
			room = mostWorkers - c.Scenario.Workers
		}
		last := len(waves) - 1
		waves[last] = append(waves[last], c)
	}
	return waves
}

func (w wave) workers() (n int) {
	for _, c := range w {
		n += c.Scenario.Workers
	}
	return n
}

// length is about how long the wave takes, with the starting and ending of its processes.
func (w wave) length() time.Duration {
	const perWorker = 20 * time.Millisecond
	var longest int64
	for _, c := range w {
		longest = max(longest, c.end)
	}
	return time.Duration(longest) + time.Duration(w.workers())*perWorker
}

func lengthOf(waves []wave) (sum time.Duration) {
	for _, w := range waves {
		sum += w.length()
	}
	return sum
}

// plan says what is going to be done.
func (t *truth) plan() TruthPlan {
	left, _ := t.left()
	waves := wavesOf(left, 2*t.Parallel)
	p := TruthPlan{Scenarios: len(t.set), Measured: len(t.set) - len(left), Waves: len(waves), Measure: lengthOf(waves)}
	for _, c := range t.set {
		p.Workers += c.Scenario.Workers
		if c.spread {
			p.Spread++
		}
	}
	const profiles = 2
	cells := profiles*len(t.set) - len(t.lines.Cells)
	perRun := t.spent.Seconds() / float64(trialRuns*len(t.set))
	p.Predict = time.Duration(perRun * float64(t.Runs*cells/runtime.GOMAXPROCS(0)) * float64(time.Second))
	for _, w := range waves {
		p.AtOnce = max(p.AtOnce, w.workers())
	}
	return p
}
