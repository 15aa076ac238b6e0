package scenarios

import (
	"embed"
	"fmt"
	"slices"
	"strings"
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

var presetKeys = []string{"preset", "library", "notices", "token", "lock"}

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
	return p.lock.get("ttl") == nil && (acquire == nil || acquire.text != withoutTTL)
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
			d.refuse(name, fmt.Sprintf("%s %s", name.name(), name.show()), name.text, PresetNames())
		}
		return // decoding the lock says so
	}
	whole := preset.lock.copyAt(given.line, given.col)
	if given.kind == mappingNode {
		given.without("preset")
		whole.overlay(given)
	}
	root.replace("lock", whole)
	d.preset = preset.Name
	if d.token = nil; preset.token != nil {
		d.token = preset.token.copyAt(given.line, given.col)
	}
}

// fence lets the lock of a preset that issues a token issue it, unless the scenario says where its token comes from.
func (d *decoder) fence(root *node) {
	if d.token == nil || d.skip(root) {
		return
	}
	fencing := root.get("fencing")
	if fencing == nil {
		fencing = mapping()
		fencing.line, fencing.col = d.token.line, d.token.col
		root.with("fencing", fencing)
	}
	if fencing.kind == mappingNode && fencing.get("token") == nil {
		fencing.with("token", d.token)
	}
}

// takesTTL reports whether the scenario's lock is a preset that has no TTL by itself.
func (d *decoder) takesTTL() bool {
	preset, err := PresetNamed(d.preset)
	return err == nil && preset.TakesTTL()
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

// copyAt is a copy whose problems are shown at a place.
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

// overlay puts the values of another mapping over those of this one, key by key; null takes one away. A law takes the place of a law
// as a whole.
func (n *node) overlay(o *node) {
	for i, key := range o.keys {
		if !n.goesInto(key, o.items[i]) {
			n.makeRoom(key, o.items[i])
		}
	}
	for i, key := range o.keys {
		mine, theirs := n.get(key), o.items[i]
		switch {
		case n.goesInto(key, theirs):
			mine.overlay(theirs)
		case mine != nil && theirs.kind == nullNode:
			n.without(key)
		default:
			n.replace(key, theirs)
		}
	}
}

// goesInto reports whether a value is to be put over that of a key, part by part.
func (n *node) goesInto(key string, value *node) bool {
	mine := n.get(key)
	return mine != nil && mine.kind == mappingNode && value.kind == mappingNode && !mine.isLaw() && !value.isLaw()
}

// isLaw reports whether a mapping is a law, of which a scenario has one of several.
func (n *node) isLaw() bool {
	return len(n.keys) == 1 && slices.Contains(lawKeys, n.keys[0])
}

// replace gives a key of a mapping another value, or its first.
func (n *node) replace(key string, value *node) {
	if i := slices.Index(n.keys, key); i >= 0 {
		n.items[i], n.keyNodes[i] = value, value
		return
	}
	n.with(key, value)
}
