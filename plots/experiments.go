package plots

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"locklab/history"
)

// An experiment is a scenario with its parameters, and all that is known of its outcome.
type experiment struct {
	history.Source // of the first line; its world and profile mean nothing here
	simulated      []simulation
	measured       []history.Record
}

// A profile is what a simulation assumed of the machine.
type profile struct{ name, hash string }

// A simulation pools all runs of an experiment under one profile.
type simulation struct {
	profile
	sum history.Cell // its source means nothing here; of records, EachWaitNS is empty
}

// experiments groups records and cells by scenario and parameters: sorted by scenario, those of one scenario
// in the order in which they came.
func experiments(l history.Lines) []experiment {
	var all []experiment
	index := make(map[string]int)
	find := func(src history.Source) *experiment {
		params, _ := json.Marshal(src.Params) // cannot fail: a number, and a map that JSON sorts
		key := fmt.Sprintf("%q %s %s", src.Scenario, src.ScenarioHash, params)
		i, ok := index[key]
		if !ok {
			i, index[key] = len(all), len(all)
			all = append(all, experiment{Source: src})
		}
		return &all[i]
	}
	for i := range l.Cells {
		c := &l.Cells[i]
		find(c.Source).simulation(c.Source).sum.Merge(c)
	}
	for i := range l.Records {
		find(l.Records[i].Source).addRecord(&l.Records[i])
	}
	slices.SortStableFunc(all, func(a, b experiment) int { return cmp.Compare(a.Scenario, b.Scenario) })
	return all
}

func (e *experiment) addRecord(r *history.Record) {
	if r.World == history.Real {
		e.measured = append(e.measured, *r)
		return
	}
	e.simulation(r.Source).sum.Add(&history.Tally{
		Entries: r.Entries, Conflicts: r.Conflicts, WaitMax: r.WaitMaxNS, End: r.EndNS,
		Updates: r.Updates, LostUpdates: r.LostUpdates, DoneTwice: r.DoneTwice,
		AtEnd: history.AtEnd{Commands: r.Commands, NotDone: r.NotDone},
	}, 0, false)
}

// undisturbed leaves out what is no measurement.
func undisturbed(records []history.Record) []history.Record {
	return slices.DeleteFunc(slices.Clone(records), func(r history.Record) bool { return r.Disturbed })
}

func (e *experiment) simulation(src history.Source) *simulation {
	p := profile{src.Profile, src.ProfileHash}
	for i := range e.simulated {
		if e.simulated[i].profile == p {
			return &e.simulated[i]
		}
	}
	e.simulated = append(e.simulated, simulation{profile: p})
	return &e.simulated[len(e.simulated)-1]
}

// under is the simulation under the given profile, or nil.
func (e *experiment) under(p profile) *simulation {
	for i := range e.simulated {
		if e.simulated[i].profile == p && e.simulated[i].sum.Runs > 0 {
			return &e.simulated[i]
		}
	}
	return nil
}

// profiles are those of all simulations: references by name, then those that a measurement answers to.
func profiles(all []experiment) []profile {
	answered := make(map[string]bool)
	seen := make(map[profile]bool)
	for _, e := range all {
		for _, r := range e.measured {
			answered[r.ProfileHash] = r.ProfileHash != ""
		}
		for _, s := range e.simulated {
			seen[s.profile] = true
		}
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b profile) int {
		if answered[a.hash] != answered[b.hash] {
			return map[bool]int{true: 1, false: -1}[answered[a.hash]]
		}
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.hash, b.hash))
	})
}

// names are the names of experiments: the scenario, and what was changed in it on lines of their own. Scenarios
// of one name and different content are told apart by their hash.
func names(all []experiment) []string {
	count := make(map[string]int)
	labels := make([]string, len(all))
	for i := range all {
		labels[i] = strings.Join(append([]string{all[i].Scenario}, changes(all[i].Params)...), "\n")
		count[labels[i]]++
	}
	for i, l := range labels {
		if count[l] > 1 {
			labels[i] += "\n#" + clipHash(all[i].ScenarioHash)
		}
	}
	return labels
}

func clipHash(hash string) string { return hash[:min(6, len(hash))] }

// changes lists parameters that differ from the scenario as it is written.
func changes(p history.Params) []string {
	var list []string
	if p.Scale != 0 && p.Scale != 1 {
		list = append(list, fmt.Sprintf("scale %g", p.Scale))
	}
	for _, path := range slices.Sorted(maps.Keys(p.Set)) {
		list = append(list, path+" "+p.Set[path])
	}
	return list
}
