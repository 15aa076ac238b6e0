package study

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"locklab/history"
)

// countsOf is what is to be explained of a scenario: what was measured, or what is published of it.
func (f *Fit) countsOf(p *fitPart) (sample, error) {
	if f.plan.Data != nil {
		return f.measured(p)
	}
	c := p.Scenario.Published
	if c == nil {
		return sample{}, errors.New("no counts are published of it: give records of measured runs with --data, or name scenarios with published counts")
	}
	if f.plan.Scale != 1 {
		return sample{}, fmt.Errorf("what is published of it is of scale 1, not %g; leave out the scale, or give records with --data", f.plan.Scale)
	}
	o := outcome{c.Entries, c.Conflicts, notCounted}
	if c.RejectedWrites != nil {
		o.rejected = *c.RejectedWrites
	}
	var counted sample
	counted.add(o)
	return counted, f.checkEntries(p, c.Entries)
}

// checkEntries refuses published counts that no run can have, as they are of a longer scenario.
func (f *Fit) checkEntries(p *fitPart, entries int64) error {
	most := int64(p.Scenario.Workers) * int64(p.Scenario.Rounds)
	moved := slices.ContainsFunc(f.axes, func(a history.Axis) bool { return a.Path == "workers" || a.Path == "rounds" })
	if !moved && entries > most {
		return fmt.Errorf("%d entries are published of it, and %d workers with %d rounds each have at most %d; want the scenario as it was counted",
			entries, p.Scenario.Workers, p.Scenario.Rounds, most)
	}
	return nil
}

// measured counts the records of the scenario. The parameters that the axes set may have been anything when they were made; all
// else must have been as it is here.
func (f *Fit) measured(p *fitPart) (sample, error) {
	var counted sample
	checked := make(map[string]error) // by what was set
	for i := range f.plan.Data {
		r := &f.plan.Data[i]
		if r.Scenario != p.Scenario.Name || r.Bounded {
			continue
		}
		key := describeSet(r.Params.Set)
		if _, known := checked[key]; !known {
			checked[key] = f.checkRecord(p, r)
		}
		if err := checked[key]; err != nil {
			return counted, fmt.Errorf("a record of it (run %d) is of something else: %w", r.Run, err)
		}
		counted.addRecord(r, true)
	}
	if counted.runs == 0 {
		return counted, errors.New("there are no records of it; name only scenarios of which there are")
	}
	return counted, nil
}

// checkRecord refuses a record that was made from another scenario.
func (f *Fit) checkRecord(p *fitPart, r *history.Record) error {
	if r.Params.Scale != p.params.Scale {
		return fmt.Errorf("its scale is %g, not %g", r.Params.Scale, p.params.Scale)
	}
	rest := maps.Clone(r.Params.Set)
	for _, axis := range f.axes {
		delete(rest, axis.Path)
	}
	if !maps.Equal(rest, p.params.Set) {
		return fmt.Errorf("what was set, but for the axes, is %q, not %q", describeSet(rest), describeSet(p.params.Set))
	}
	var set []string
	for _, path := range sortedKeys(r.Params.Set) {
		set = append(set, path+"="+r.Params.Set[path])
	}
	made, err := changed(p.name, set, 1)
	if err != nil {
		return err
	}
	if made.hash != r.ScenarioHash {
		return fmt.Errorf("the scenario had hash %s, and %s has %s", r.ScenarioHash, p.name, made.hash)
	}
	return nil
}

// checkData refuses records of both worlds: the question is what one of them is like.
func (f *Fit) checkData() error {
	for i := range f.plan.Data {
		if f.plan.Data[i].World != f.plan.Data[0].World {
			return errors.New("some records are of simulated runs and some of real ones; want those of one world")
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
