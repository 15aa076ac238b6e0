package scenarios

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"locklab/worker"
)

//go:embed presets
var presets embed.FS

// A Preset is a lock as a library has it by default. Its file says where each number comes from.
type Preset struct {
	Name    string
	Library string // and its version
	Notices string // what a holder would notice of a loss

	lock  *node
	token *node // of fencing; nil if the library issues none
}

// PresetNames are the names of the presets, sorted.
func PresetNames() []string {
	entries, err := presets.ReadDir("presets")
	if err != nil {
		panic(err) // the files are part of the program
	}
	var all []string
	for _, e := range entries {
		all = append(all, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	slices.Sort(all)
	return all
}

// PresetSource is the file of a preset as it is, comments included.
func PresetSource(name string) ([]byte, error) {
	if !slices.Contains(PresetNames(), name) {
		return nil, fmt.Errorf("unknown preset %q; %s`locklab scenarios list` shows all", name, didYouMean(name, PresetNames()))
	}
	return presets.ReadFile("presets/" + name + ".yaml")
}

var presetKeys = names{now: []string{"preset", "library", "notices", "token", "lock"}}

// PresetNamed is the preset of the given name.
func PresetNamed(name string) (*Preset, error) {
	source, err := PresetSource(name)
	if err != nil {
		return nil, err
	}
	root, p := readTree(source)
	if p != nil {
		return nil, p.in("presets/" + name + ".yaml")
	}
	var d decoder
	f := d.mapping(root, presetKeys)
	d.require(root, f, "preset", "library", "notices", "lock")
	preset := &Preset{Name: d.text(f["preset"]), Library: d.text(f["library"]), Notices: d.text(f["notices"]), lock: f["lock"], token: f["token"]}
	if d.problem != nil {
		return nil, d.problem.in("presets/" + name + ".yaml")
	}
	return preset, nil
}

// TakesTTL reports whether the library takes the TTL as an argument: it has no default for it.
func (p *Preset) TakesTTL() bool {
	acquire := p.lock.get("acquire")
	return p.lock.get("ttl") == nil && (acquire == nil || acquire.text != "set-nx")
}

// HasToken reports whether the library issues a fencing token with the grant.
func (p *Preset) HasToken() bool { return p.token != nil }

// expand puts a preset's lock in the place of its name, in a tree of a scenario: under lock, which is the name, or a mapping with the
// name and what is to differ from the preset.
func (d *decoder) expand(root *node) {
	if d.skip(root) || root.kind != mappingNode {
		return
	}
	given := root.get("lock")
	name := nameOfPreset(given)
	if name == nil {
		return
	}
	preset, err := PresetNamed(name.text)
	if err != nil {
		if given != name {
			name.path = "lock.preset"
			d.refuse(name, name.text, fmt.Sprintf("%s %s", name.name(), name.show()), names{now: PresetNames()})
		}
		return // decoding the lock says so
	}
	whole := preset.lockAt(given)
	if given.kind == mappingNode {
		given.without("preset")
		whole.overlay(given)
	}
	if whole.get("ttl") == nil && preset.TakesTTL() {
		given.path = "lock"
		d.fail(given, "is %s, which takes its TTL as an argument; write {preset: %s, ttl: DURATION}", preset.Name, preset.Name)
		return
	}
	root.replace("lock", whole)
	if preset.token != nil && root.get("fencing") == nil {
		root.with("fencing", mapping().with("token", text(preset.token.text)))
	}
	d.preset = preset.Name
}

// nameOfPreset is where a lock names a preset; nil if it does not.
func nameOfPreset(lock *node) *node {
	switch {
	case lock == nil:
		return nil
	case lock.kind == mappingNode:
		return lock.get("preset")
	case lock.isScalar() && slices.Contains(PresetNames(), lock.text):
		return lock
	}
	return nil
}

// lockAt is a copy of the preset's lock whose problems are shown where a node stands.
func (p *Preset) lockAt(at *node) *node { return p.lock.copyAt(at.line, at.col) }

func (n *node) copyAt(line, col int) *node {
	c := *n
	c.line, c.col = line, col
	c.keys = slices.Clone(n.keys)
	c.keyNodes, c.items = nil, nil
	for _, k := range n.keyNodes {
		c.keyNodes = append(c.keyNodes, k.copyAt(line, col))
	}
	for _, item := range n.items {
		c.items = append(c.items, item.copyAt(line, col))
	}
	return &c
}

// overlay puts the values of another mapping over those of this one, key by key. A law takes the place of a law as a whole.
func (n *node) overlay(o *node) {
	for i, key := range o.keys {
		mine, theirs := n.get(key), o.items[i]
		if mine != nil && mine.kind == mappingNode && theirs.kind == mappingNode && !mine.isLaw() && !theirs.isLaw() {
			mine.overlay(theirs)
			continue
		}
		for _, group := range rivals {
			if slices.Contains(group, key) {
				for _, rival := range group {
					n.without(rival)
				}
			}
		}
		n.replace(key, theirs)
	}
}

// isLaw reports whether a mapping is a law, of which a scenario has one of several.
func (n *node) isLaw() bool {
	return len(n.keys) == 1 && slices.Contains(lawKeys.now, n.keys[0])
}

// replace gives a key of a mapping another value, or its first.
func (n *node) replace(key string, value *node) {
	if i := slices.Index(n.keys, key); i >= 0 {
		n.items[i], n.keyNodes[i] = value, value
		return
	}
	n.with(key, value)
}

// WorstHold is the longest that a worker of the scenario may be from sending its acquire to sending its release, in ns, as far as the
// scenario says: its work and all pauses within. bounded is false if one of these has no bound.
func (s *Scenario) WorstHold() (hold int64, bounded bool) {
	hold, bounded = s.Work.Max(), !s.Work.IsUnbounded()
	for i := range s.Pauses {
		p := &s.Pauses[i]
		if p.Crash || p.Where != worker.At && (p.Step == 0 || !withinHold[p.Step.String()]) {
			continue
		}
		hold += p.For.Max()
		bounded = bounded && !p.For.IsUnbounded()
	}
	return hold, bounded
}

// withinHold are the steps in which, or before which, a pause prolongs a hold.
var withinHold = map[string]bool{
	"acquire": true, "token": true, "enter": true, "check": true, "read": true, "work": true, "commit": true, "leave": true, "release": true,
}
