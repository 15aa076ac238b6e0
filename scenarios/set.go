package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Set is the scenario with one parameter changed: path is its place, e.g. lock.ttl, pauses[0].for, work, or its short name; value is
// YAML, e.g. 500ms, {uniform: [1ms, 2ms]}. The value null takes the parameter away, so that its default counts. s
// stays as it is.
func Set(s *Scenario, path, value string) (*Scenario, error) {
	changed, _, err := SetAll(s, []string{path + "=" + value})
	return changed, err
}

// SetAll is the scenario with several parameters changed, each written path=value, and what was set, by (long) path. Of
// two values for one path the later wins. Only the result must be a valid scenario, not each step on the way. A file that a
// value names is read now, from the working directory.
func SetAll(s *Scenario, settings []string) (*Scenario, map[string]string, error) {
	root := s.settable()
	d := decoder{files: filesIn("."), preset: s.Preset}
	set := make(map[string]string, len(settings))
	for _, setting := range settings {
		path, value, ok := strings.Cut(setting, "=")
		if !ok {
			return nil, nil, fmt.Errorf("--set %s: no value; want path=value, e.g. lock.ttl=500ms", setting)
		}
		if long := shortNames[path]; long != "" {
			path = long
		}
		put := root.set
		if path == "lock" {
			put = func(_, value string) error { return d.setLock(root, value) }
		}
		if err := put(path, value); err != nil {
			return nil, nil, fmt.Errorf("--set %s: %w", setting, err)
		}
		set[path] = canonical(value)
	}
	changed, p := d.decode(root)
	if p != nil {
		return nil, nil, fmt.Errorf("--set %s: %s", strings.Join(settings, " --set "), p.what)
	}
	return changed, set, nil
}

// setLock puts another lock into a tree. A preset is expanded, so that parts of it can be set after that; one that takes its TTL as an
// argument takes that of the lock before it.
func (d *decoder) setLock(root *node, value string) error {
	before := root.get("lock")
	if err := root.set("lock", value); err != nil {
		return err
	}
	d.preset, d.token = "", nil
	if d.expand(root); d.preset == "" {
		return nil
	}
	preset, err := PresetNamed(d.preset)
	if err != nil {
		return err
	}
	if lock := root.get("lock"); preset.TakesTTL() && lock.get("ttl") == nil && before != nil && before.get("ttl") != nil {
		lock.with("ttl", before.get("ttl"))
	}
	return nil
}

// notParameters describe a scenario and do not change how it behaves.
var notParameters = []string{"scenario", "title", "teaches", "published"}

// set puts a value at a path below a mapping.
func (n *node) set(path, value string) error {
	steps, err := splitPath(path)
	if err != nil {
		return err
	}
	if slices.Contains(notParameters, steps[0].key) {
		return fmt.Errorf("%s describes the scenario and is no parameter of it; change it in the file", steps[0].key)
	}
	if steps[0].key == "lock" && len(steps) == 2 && steps[1].key == "preset" {
		return fmt.Errorf("a preset is the whole lock; set lock instead, e.g. lock=redsync, and parts of it after that")
	}
	v, p := readTree([]byte(value))
	if p != nil {
		return fmt.Errorf("the value: %s", p.what)
	}
	return n.setPath(steps, v)
}

// setPath puts a value where steps lead.
func (n *node) setPath(steps []pathStep, v *node) (err error) {
	last := len(steps) - 1
	for i, step := range steps[:last] {
		if n, err = n.below(step, steps[i+1]); err != nil {
			return err
		}
	}
	return n.put(steps[last], v)
}

// find is the value to which steps lead, or nil.
func (n *node) find(steps []pathStep) *node {
	for _, step := range steps {
		if n == nil || n.fits(step) != nil {
			return nil
		}
		n = n.child(step)
	}
	return n
}

// A pathStep goes from a mapping to the value of a key, or, if key is empty, from a list to an item.
type pathStep struct {
	key   string
	index int
	path  string // the path up to and with this step
}

var (
	pathForm = regexp.MustCompile(`^[A-Za-z_-]+(\.[A-Za-z_-]+|\[(0|[1-9][0-9]{0,3})\])*$`)
	stepForm = regexp.MustCompile(`([A-Za-z_-]+)|\[([0-9]+)\]`)
)

func splitPath(path string) ([]pathStep, error) {
	if !pathForm.MatchString(path) {
		return nil, fmt.Errorf("%q is not the path of a parameter; want keys and numbers, e.g. lock.ttl or pauses[0].for", path)
	}
	var steps []pathStep
	for _, m := range stepForm.FindAllStringSubmatchIndex(path, -1) {
		step := pathStep{path: path[:m[1]]}
		if m[2] >= 0 {
			step.key = path[m[2]:m[3]]
		} else {
			step.index, _ = strconv.Atoi(path[m[4]:m[5]])
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// fits checks that a step can be taken from a node.
func (n *node) fits(step pathStep) error {
	switch {
	case step.key != "" && n.kind != mappingNode:
		return fmt.Errorf("what should have the part %s is %s; set it as a whole", step.path, n.show())
	case step.key == "" && n.kind != listNode:
		return fmt.Errorf("what should have the item %s is %s; set it as a whole", step.path, n.show())
	case step.key == "" && step.index > len(n.items):
		return fmt.Errorf("there is no %s, and the next free number is %d", step.path, len(n.items))
	}
	return nil
}

// below is the value to which a step leads. If there is none yet, it is a new one of the kind that next, the
// step after it, needs.
func (n *node) below(step, next pathStep) (*node, error) {
	if err := n.fits(step); err != nil {
		return nil, err
	}
	if child := n.child(step); child != nil {
		return child, nil
	}
	child := mapping()
	if next.key == "" {
		child = list()
	}
	return child, n.put(step, child)
}

// child is the value to which a step leads that fits, or nil.
func (n *node) child(step pathStep) *node {
	if step.key != "" {
		return n.get(step.key)
	}
	if step.index < len(n.items) {
		return n.items[step.index]
	}
	return nil
}

// rivals are keys of which a mapping has only one: to set one of them takes the others away.
var rivals = [][]string{{"before", "during", "at"}, {"every", "probability", "round"}, {"every", "share"}, {"timeout", "timeout_share"}, {"ahead", "behind"}, lawKeys}

// withoutTTL is the acquire that sets no deadline.
const withoutTTL = "set-nx"

// makeRoom takes away what does not go with the value that a key of a mapping is about to have: its rivals, and what only another
// kind of lock or of wait has.
func (n *node) makeRoom(key string, value *node) {
	var others []string
	for _, group := range rivals {
		if slices.Contains(group, key) {
			others = append(others, group...)
		}
	}
	switch {
	case key == "kind" && value.text != quorumWord:
		others = append(others, quorumKeys...)
	case key == "ttl" && n.get("acquire") != nil && n.get("acquire").text == withoutTTL:
		others = append(others, "acquire")
	case key == "acquire" && value.text == withoutTTL:
		others = append(others, "ttl")
	case key == "wake":
		others = append(others, strangersTo(value.text)...)
	}
	for _, other := range others {
		n.without(other)
	}
}

// put sets the value to which a step leads.
func (n *node) put(step pathStep, value *node) error {
	if err := n.fits(step); err != nil {
		return err
	}
	if step.key == "" {
		n.items = slices.Replace(n.items, step.index, min(step.index+1, len(n.items)), value)
		return nil
	}
	n.makeRoom(step.key, value)
	n.without(step.key)
	if value.kind != nullNode {
		n.with(step.key, value)
	}
	return nil
}
