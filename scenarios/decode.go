package scenarios

import (
	"locklab/history"
	"locklab/internal/choice"
)

// Bounds of a scenario.
const (
	maxWorkers   = 1000
	maxRounds    = 1_000_000
	maxPublished = maxWorkers * maxRounds
)

// The keys of a scenario and its small parts, in the order in which they are written.
var (
	scenarioKeys = []string{
		"scenario", "title", "teaches", "workers", "rounds", "start", "work", "think", "lock", "fencing",
		"resource", "pauses", "crashes", "delay", "published",
	}
	startKeys     = []string{"spread", "apart"}
	workKeys      = append([]string{"cpu"}, lawKeys...)
	delayKeys     = []string{"network", "timer"}
	publishedKeys = []string{"entries", "conflicts", "rejected_writes"}
)

// Parse reads the scenario that a YAML file holds. The scenario may name no other file; see Load. An error is one line:
// FILE:LINE:COL, what is wrong, and what is allowed.
func Parse(file string, data []byte) (*Scenario, error) { return parse(file, data, decoder{}) }

// parse reads a scenario with a decoder that is told what the scenario may name.
func parse(file string, data []byte, d decoder) (*Scenario, error) {
	root, p := readTree(data)
	if p != nil {
		return nil, p.in(file)
	}
	s, p := d.decode(root)
	if p != nil {
		return nil, p.in(file)
	}
	return s, nil
}

// decode is the scenario that a tree holds.
func (d *decoder) decode(root *node) (*Scenario, *problem) {
	s := d.scenario(root)
	if d.problem != nil {
		return nil, d.problem
	}
	return s, nil
}

func (d *decoder) scenario(n *node) *Scenario {
	d.expand(n)
	d.fence(n)
	f := d.mapping(n, scenarioKeys)
	d.require(n, f, "scenario", "workers", "rounds", "work")
	s := &Scenario{Name: d.identifier(f["scenario"]), Title: d.text(f["title"]), Teaches: d.text(f["teaches"])}
	s.Workers = int(d.whole(f["workers"], 1, maxWorkers))
	s.Rounds = int32(d.whole(f["rounds"], 1, maxRounds))
	start := d.mapping(f["start"], startKeys)
	s.Start, s.Apart = d.duration(start["spread"]), d.duration(start["apart"])
	s.Work, s.WorkCPU = d.work(f["work"])
	s.Think = d.law(f["think"])
	s.Lock = d.lock(f["lock"])
	d.clock(f["lock"], s)
	d.fencing(f["fencing"], s)
	s.Resource = d.resource(f["resource"])
	d.guard(f, s)
	s.Pauses = append(d.faults(f["pauses"], s, "pauses", d.pause), d.faults(f["crashes"], s, "crashes", d.crash)...)
	s.Delay = d.delay(f["delay"])
	s.Published = d.published(f["published"])
	s.Preset = d.preset
	if hasShares(f["lock"]) {
		s.shared = f["lock"]
	}
	return s
}

// work decodes the work of a round: how long it takes, and whether that is time on the processor.
func (d *decoder) work(n *node) (work choice.Law, cpu bool) {
	if d.skip(n) || n.kind != mappingNode {
		return d.law(n), false
	}
	f := d.mapping(n, workKeys)
	if d.oneOf(n, f, workKeys...) == "cpu" {
		return d.law(f["cpu"]), true
	}
	return d.law(n), false
}

func (d *decoder) delay(n *node) Delay {
	f := d.mapping(n, delayKeys)
	return Delay{Network: d.law(f["network"]), Timer: d.law(f["timer"])}
}

func (d *decoder) published(n *node) *history.Counts {
	if d.skip(n) {
		return nil
	}
	f := d.mapping(n, publishedKeys)
	d.require(n, f, "entries", "conflicts")
	counts := &history.Counts{Entries: d.whole(f["entries"], 0, maxPublished)}
	counts.Conflicts = d.whole(f["conflicts"], 0, counts.Entries)
	if f["rejected_writes"] != nil {
		rejected := d.whole(f["rejected_writes"], 0, maxPublished)
		counts.RejectedWrites = &rejected
	}
	return counts
}
