package study

import (
	"path/filepath"
	"slices"
	"strings"

	"locklab/compare"
	"locklab/history"
	"locklab/plots/page"
	"locklab/scenarios"
)

// mostTraced is of how many rows a run is simulated for a page.
const mostTraced = 12

// RowRuns simulates the first run of predictions once more, for a page: of rows whose scenario is built in or in a file
// NAME.yaml of the current folder, and whose profile is among those given. Measured rows come first.
func RowRuns(rows []compare.Row, profiles []*scenarios.Profile) []page.Run {
	some := slices.Clone(rows)
	slices.SortStableFunc(some, measuredFirst)
	var runs []page.Run
	for i := range some[:min(len(some), mostTraced)] {
		row := &some[i]
		e := namedLike(row.Scenario, row.ScenarioHash, row.Params)
		for _, prediction := range []*compare.Prediction{row.Simulated, row.Reference} {
			if e == nil || prediction == nil || len(prediction.Seeds) == 0 {
				continue
			}
			known := slices.IndexFunc(profiles, func(p *scenarios.Profile) bool { return p.Hash() == prediction.ProfileHash })
			if known >= 0 {
				p, seed := profiles[known], prediction.Seeds[0]
				runs = append(runs, SimulatedRun(e, p, seed, 0, Trace(e, p, seed, 0)))
			}
		}
	}
	return runs
}

// FileRun is the run whose events were read from a file, for a page. If the file is named like those that lesson and real write,
// e.g. lesson-d-0.jsonl, and one of the sources is of that scenario, the run is one of its repetitions.
func FileRun(path string, events []history.Event, sources []history.Source) page.Run {
	history.Sort(events)
	base := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	run := page.Run{Name: base, World: history.Real, Events: events}
	if slices.ContainsFunc(events, func(e history.Event) bool { return e.Kind.IsTruth() }) {
		run.World = history.Sim
	}
	for i := range sources {
		rest, ok := strings.CutPrefix(base, fileName(sources[i].Scenario)+"-")
		if !ok {
			continue
		}
		run.Scenario, run.Disturbed = sources[i].Scenario, strings.Contains(rest, "-disturbed-")
		run.Name = "measured, repetition " + strings.ReplaceAll(strings.Replace(rest, "-", ", ", 1), "-", " ")
		if e := namedLike(sources[i].Scenario, sources[i].ScenarioHash, sources[i].Params); e != nil {
			run.Title, run.Lease = e.Scenario.Title, leaseOf(e.Scenario)
		}
	}
	return run
}

// fileName is a scenario's name as a part of the name of a file.
func fileName(scenario string) string { return strings.ReplaceAll(scenario, "/", "-") }

// InTurn puts the runs of several scenarios into an order in which each has its first before any has its second, and disturbed
// ones come last.
func InTurn(runs []page.Run) []page.Run {
	runs = slices.Clone(runs)
	slices.SortStableFunc(runs, func(a, b page.Run) int {
		switch {
		case a.Disturbed == b.Disturbed:
			return 0
		case b.Disturbed:
			return -1
		}
		return 1
	})
	var turns [][]page.Run
	seen := make(map[string]int)
	for _, r := range runs {
		n := seen[r.Scenario]
		seen[r.Scenario]++
		if n == len(turns) {
			turns = append(turns, nil)
		}
		turns[n] = append(turns[n], r)
	}
	return slices.Concat(turns...)
}
