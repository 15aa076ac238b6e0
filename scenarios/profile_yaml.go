package scenarios

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
)

const (
	maxTimers  = 100       // sleeps whose lateness a profile tells
	maxCarries = 1_000_000 // runs side by side
)

var (
	profileKeys = []string{"profile", "about", "carries", "network", "tick", "timers", "start", "stop", "continue", "watch"}
	timerKeys   = []string{"sleep", "late", "there", "back"}
	watchKeys   = []string{"late", "answer"}
)

// ProfileByName is the built-in profile ideal or lab.
func ProfileByName(name string) (*Profile, error) {
	var known []string
	for _, p := range []Profile{Ideal(), Lab()} {
		if p.Name == name {
			return &p, nil
		}
		known = append(known, p.Name)
	}
	return nil, fmt.Errorf("unknown profile %q; %sallowed: ideal, lab, or a file that `locklab calibrate` wrote", name, didYouMean(name, known))
}

// LoadProfile reads the profile that a file holds. A file of samples that it names is looked for in the same folder.
func LoadProfile(path string) (*Profile, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	return parseProfile(path, data, decoder{inProfile: true, files: filesIn(filepath.Dir(path))})
}

// ParseProfile reads the profile that a YAML file holds. The profile may name no other file; see LoadProfile. An error is
// one line: FILE:LINE:COL, what is wrong, and what is allowed.
func ParseProfile(file string, data []byte) (*Profile, error) {
	return parseProfile(file, data, decoder{inProfile: true})
}

func parseProfile(file string, data []byte, d decoder) (*Profile, error) {
	root, p := readTree(data)
	if p != nil {
		return nil, p.in(file)
	}
	profile := d.profile(root)
	if d.problem != nil {
		return nil, d.problem.in(file)
	}
	return profile, nil
}

func (d *decoder) profile(n *node) *Profile {
	f := d.mapping(n, profileKeys)
	d.require(n, f, "profile")
	p := &Profile{
		Name:     d.identifier(f["profile"]),
		About:    d.about(f["about"]),
		Carries:  int(d.whole(f["carries"], 1, maxCarries)),
		Network:  d.network(f["network"]),
		Tick:     d.positive(f["tick"]),
		Timers:   d.timers(f["timers"]),
		Start:    d.law(f["start"]),
		Stop:     d.law(f["stop"]),
		Continue: d.law(f["continue"]),
		Watch:    d.watch(f["watch"]),
	}
	for i := range p.Timers {
		if p.Network.Ways == nil && !p.Timers[i].Trip.IsZero() {
			d.fail(f["timers"].items[i], "has there or back, which go with network.after_reply only")
		}
	}
	return p
}

// about decodes notes, by names of the writer's choice.
func (d *decoder) about(n *node) map[string]string {
	if d.skip(n) {
		return nil
	}
	if n.kind != mappingNode || len(n.keys) == 0 {
		d.fail(n, "is %s; want a mapping of notes, e.g. {machine: laptop}", n.show())
		return nil
	}
	notes := make(map[string]string, len(n.keys))
	for i, key := range n.keys {
		n.items[i].path = join(n.path, key)
		if !identifierForm.MatchString(key) {
			d.failAt(n.keyNodes[i], "the key %q in %s is no name; want letters, digits, - and _", shorten(key), n.name())
		}
		notes[key] = d.text(n.items[i])
	}
	return notes
}

func (d *decoder) timers(n *node) []TimerLateness {
	items := d.list(n, 0, "timers")
	if len(items) > maxTimers {
		d.fail(n, "has %d timers; want at most %d", len(items), maxTimers)
	}
	var timers []TimerLateness
	for i, item := range items {
		f := d.mapping(item, timerKeys)
		d.require(item, f, "sleep", "late")
		t := TimerLateness{Sleep: d.positive(f["sleep"]), Late: d.law(f["late"]), Trip: d.tripOf(f)}
		if i > 0 && t.Sleep <= timers[i-1].Sleep {
			d.fail(item, "has a sleep that is not above the one before it; sort the timers, shortest sleep first")
		}
		timers = append(timers, t)
	}
	return timers
}

func (d *decoder) watch(n *node) Watch {
	f := d.mapping(n, watchKeys)
	return Watch{Late: d.law(f["late"]), Answer: d.law(f["answer"])}
}

// YAML is the profile in its canonical form, from which ParseProfile reads the same profile.
func (p *Profile) YAML() []byte {
	n := mapping().with("profile", text(p.Name))
	if len(p.About) > 0 {
		about := mapping()
		for _, key := range slices.Sorted(maps.Keys(p.About)) {
			about.with(key, text(p.About[key]))
		}
		n.with("about", about)
	}
	if p.Carries > 0 {
		n.with("carries", wholeNode(int64(p.Carries)))
	}
	p.behaviour(n)
	watch := mapping().withProfileLaw("late", p.Watch.Late).withProfileLaw("answer", p.Watch.Answer)
	if len(watch.keys) > 0 {
		n.with("watch", watch)
	}
	return printTree(n)
}

// Hash is the first 16 hexadecimal digits of the SHA-256 of the profile's canonical YAML without name, notes, watch and
// what the machine carries: of all that a prediction depends on.
func (p *Profile) Hash() string { return hashOf(p.behaviour(mapping())) }

// behaviour adds to a mapping all that a profile says about its machine.
func (p *Profile) behaviour(n *node) *node {
	if network := networkNode(&p.Network); network != nil {
		n.with("network", network)
	}
	n.withDuration("tick", p.Tick)
	if len(p.Timers) > 0 {
		timers := list()
		for i := range p.Timers {
			t := &p.Timers[i]
			timer := mapping().with("sleep", durationNode(t.Sleep)).with("late", profileLawNode(t.Late))
			timers.items = append(timers.items, timer.withTrip(&t.Trip))
		}
		n.with("timers", timers)
	}
	return n.withProfileLaw("start", p.Start).withProfileLaw("stop", p.Stop).withProfileLaw("continue", p.Continue)
}
