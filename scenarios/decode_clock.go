package scenarios

import "locklab/worker/lock"

var clockKeys = []string{"ahead", "behind", "workers"}

// clock decodes whose wall clock differs from the stores', and by how much, of a scenario whose lock is known.
func (d *decoder) clock(of *node, s *Scenario) {
	if d.skip(of) || of.get("clock") == nil {
		return
	}
	n := of.get("clock")
	f := d.mapping(n, clockKeys)
	way := d.oneOf(n, f, "ahead", "behind")
	off := d.above0(f[way], "be a clock that is right")
	if way == "behind" {
		off = -off
	}
	s.Lock.Clock = lock.Clock{Ahead: off, Workers: d.someWorkers(f["workers"], s.Workers)}
	if !s.Lock.EndsByClock() {
		d.fail(n, "is given, but no lease ends by a client's clock; leave it out, or set lock.acquire to %s", nameOf(acquireWords, lock.SetNXPXAT))
	}
}

// endsByClock refuses what a lease that ends by its client's clock has no command for.
func (d *decoder) endsByClock(f fields, p *lock.Policy) {
	if !p.EndsByClock() {
		return
	}
	if p.Quorum.OwnCounts {
		d.fail(f["own_key"], "is %s, but the script for that sets a TTL, not a deadline by the client's clock; want refuses, or lock.acquire: set-nx-px", f["own_key"].text)
	}
	if p.Renew.Every > 0 && p.Renew.Extend == lock.TouchOrSet {
		d.fail(f["renew"].get("extend"), "is touch-or-set, but the script for that sets a TTL, not a deadline by the client's clock; want touch or set-xx, or lock.acquire: set-nx-px")
	}
}

func clockNode(c *lock.Clock) *node {
	n := mapping().withDuration("ahead", max(c.Ahead, 0)).withDuration("behind", max(-c.Ahead, 0))
	if c.Workers != nil {
		n.with("workers", workersNode(c.Workers))
	}
	return n
}
