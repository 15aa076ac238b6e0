package scenarios

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"locklab/history"
)

// MaxRuns is the most runs of a cell.
const MaxRuns = 1_000_000_000_000

var sweepKeys = []string{
	"sweep", "scenario", "set", "axes", "runs", "precision", "most_runs", "seed", "profile", "scale",
}

// A SweepFile is a sweep as a YAML file describes it. What the file leaves out is nil or empty.
type SweepFile struct {
	Name      string
	Scenario  string   // a built-in name, or a path
	Set       []string // path=value
	Axes      []history.Axis
	Runs      *int64
	Precision *float64
	MostRuns  *int64
	Seed      *uint64
	Profile   string // ideal, lab, machine, or a path
	Scale     *float64
}

// LoadSweep reads the sweep that a file holds. ok is false if nameOrPath is something else: the name of a built-in scenario,
// or a file without the key sweep.
func LoadSweep(nameOrPath string) (s *SweepFile, ok bool, err error) {
	if !isPath(nameOrPath) {
		return nil, false, nil
	}
	data, err := readFile(nameOrPath)
	if err != nil {
		return nil, false, fmt.Errorf("reading a sweep or a scenario: %w", err)
	}
	root, p := readTree(data)
	if p != nil {
		return nil, false, p.in(nameOrPath)
	}
	if root.get("sweep") == nil {
		return nil, false, nil
	}
	s, err = ParseSweep(nameOrPath, data)
	return s, true, err
}

// ParseSweep reads the sweep that a YAML file holds. Paths in it are relative to the file. An error is one line:
// FILE:LINE:COL, what is wrong, and what is allowed.
func ParseSweep(file string, data []byte) (*SweepFile, error) {
	root, p := readTree(data)
	if p != nil {
		return nil, p.in(file)
	}
	var d decoder
	s := d.sweep(root)
	if d.problem != nil {
		return nil, d.problem.in(file)
	}
	for _, name := range []*string{&s.Scenario, &s.Profile} {
		if isFile(*name) && !filepath.IsAbs(*name) {
			*name = filepath.Join(filepath.Dir(file), *name)
		}
	}
	return s, nil
}

func isFile(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

func (d *decoder) sweep(n *node) *SweepFile {
	f := d.mapping(n, sweepKeys)
	d.require(n, f, "sweep", "scenario", "axes")
	s := &SweepFile{Name: d.identifier(f["sweep"]), Scenario: d.text(f["scenario"]), Profile: d.text(f["profile"])}
	s.Set = d.settings(f["set"])
	for _, item := range d.list(f["axes"], 1, "axes") {
		s.Axes = append(s.Axes, d.axis(item))
	}
	if f["runs"] != nil && f["precision"] != nil {
		d.fail(f["precision"], "is given, but runs is, too; a cell has a number of runs or a precision")
	}
	if f["most_runs"] != nil && f["precision"] == nil {
		d.fail(f["most_runs"], "is given, but no precision; give both, or only runs")
	}
	s.Runs, s.MostRuns = optional(f["runs"], d.whole, 1, MaxRuns), optional(f["most_runs"], d.whole, 1, MaxRuns)
	if s.Precision = optional(f["precision"], d.number, 0, 1); s.Precision != nil && *s.Precision == 0 {
		d.fail(f["precision"], "is 0, which no number of runs reaches; want how wide the 95 %% interval may be, e.g. 0.01")
	}
	if seed := optional(f["seed"], d.whole, 0, 1<<63-1); seed != nil {
		s.Seed = new(uint64(*seed))
	}
	s.Scale = optional(f["scale"], d.number, 0, MaxScale)
	return s
}

// optional is a number of [least, most], or nil if there is none.
func optional[T any](n *node, decode func(n *node, least, most T) T, least, most T) *T {
	if n == nil {
		return nil
	}
	v := decode(n, least, most)
	return &v
}

// settings decodes parameters that are set, path: value.
func (d *decoder) settings(n *node) []string {
	if d.skip(n) {
		return nil
	}
	if n.kind != mappingNode {
		d.fail(n, "is %s; want parameters, e.g. {lock.ttl: 500ms}", n.show())
		return nil
	}
	var all []string
	for i, path := range n.keys {
		if _, err := splitPath(path); err != nil {
			d.failAt(n.keyNodes[i], "%v", err)
		}
		all = append(all, path+"="+n.items[i].flow())
	}
	return all
}

// flow is the value as YAML in one line.
func (n *node) flow() string {
	switch {
	case n.kind == nullNode:
		return "null"
	case n.isScalar() && !n.quoted:
		return n.text
	}
	var out bytes.Buffer
	printFlow(&out, n)
	return out.String()
}

// axis decodes an axis: a mapping with one key, the parameter. Its values are a text as ParseAxis reads it, or a list.
func (d *decoder) axis(n *node) history.Axis {
	if d.skip(n) {
		return history.Axis{}
	}
	if n.kind != mappingNode || len(n.keys) != 1 {
		d.fail(n, "is %s; want one parameter and its values, e.g. {ttl: 100ms..2s/20}", n.show())
		return history.Axis{}
	}
	values := n.items[0]
	values.path = join(n.path, n.keys[0])
	texts := values.text
	if values.kind == listNode {
		var items []string
		for _, item := range d.list(values, 1, "values") {
			items = append(items, item.text)
			if !item.isScalar() {
				d.fail(item, "is %s; want a value", item.show())
			}
		}
		texts = strings.Join(items, ",")
	} else if !values.isScalar() {
		d.fail(values, "is %s; %s", values.show(), axisForms)
	}
	axis, err := ParseAxis(n.keys[0], texts)
	if err != nil {
		d.failAt(values, "%s: %v", values.name(), err)
	}
	return axis
}
