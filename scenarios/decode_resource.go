package scenarios

import (
	"locklab/worker"
)

// Bounds of a resource. Redis and its scripts count them exactly.
const (
	maxAmount  = 1_000_000
	maxOpening = 1_000_000_000_000
)

var resourceKeys = []string{"kind", "update", "amount", "opening"}

// resource decodes what the lock protects.
func (d *decoder) resource(n *node) worker.Resource {
	if d.skip(n) {
		return worker.Resource{}
	}
	f := d.mapping(n, resourceKeys)
	d.require(n, f, "kind")
	kind := pick(d, f["kind"], resourceWords)
	if kind == worker.NoResource {
		d.nothingBut(n, "kind")
		return worker.Resource{}
	}
	r := worker.Resource{Kind: kind, Update: pick(d, f["update"], updateWords[kind])}
	if kind != worker.Balance {
		d.onlyOf(f, "a balance", "amount", "opening")
		return r
	}
	r.Amount, r.Opening = 1, d.whole(f["opening"], 0, maxOpening)
	if f["amount"] != nil {
		r.Amount = d.whole(f["amount"], 1, maxAmount)
	}
	return r
}

// onlyOf notes the first of some keys that is given, but belongs to something else.
func (d *decoder) onlyOf(f map[string]*node, owner string, keys ...string) {
	for _, k := range keys {
		if f[k] != nil {
			d.fail(f[k], "is given, but only %s has it; leave it out", owner)
		}
	}
}

// exact is the largest number up to which Lua, whose numbers are doubles, tells every whole number from its neighbours.
const exact = 1 << 53

// guard checks what fencing and resource ask of each other.
func (d *decoder) guard(f map[string]*node, s *Scenario) {
	if d.problem != nil {
		return
	}
	if s.Fencing.Check&worker.CheckCommit != 0 && !s.Resource.Fenced() {
		d.fail(f["fencing"], "has a check at the commit, but the update %q of the resource has no room for one, and needs no lock; want update plain, or no check at the commit",
			nameOf(updateWords[s.Resource.Kind], s.Resource.Update))
	}
	last := s.Fencing.First + int64(s.Workers)*int64(s.Rounds)
	if s.Fencing.Check != 0 && last > exact {
		d.fail(f["fencing"], "lets tokens grow to %d, above 2^53 = %d: Redis compares them in Lua, whose numbers are doubles, so two holders' tokens would look equal there, and the check would accept both; want a lower fencing.first",
			last, int64(exact))
	}
}
