package scenarios

import "locklab/worker/lock"

var (
	renewKeys = []string{"every", "share", "timeout", "timeout_share", "on_error", "extend", "at_most"}
	lossKeys  = []string{"learn", "every", "latency", "then"}
)

// renew decodes how a lease is prolonged.
func (d *decoder) renew(n *node, p *lock.Policy) lock.Renew {
	if d.skip(n) {
		return lock.Renew{}
	}
	if !p.HasTTL() {
		d.fail(n, "is given, but the lease has no deadline that could be prolonged; leave it out, or choose an acquire with one")
	}
	f := d.mapping(n, renewKeys)
	r := lock.Renew{
		Every:   d.period(n, f, p.TTL),
		Timeout: d.patience(f, p.TTL),
		OnError: pick(d, f["on_error"], onErrorWords),
		Extend:  pick(d, f["extend"], extendWords),
		AtMost:  d.duration(f["at_most"]),
	}
	if p.Kind == lock.Quorum && r.Extend == lock.SetXX {
		d.fail(f["extend"], "is set-xx, but a quorum is renewed by scripts that compare; want touch or touch-or-set")
	}
	return r
}

// period decodes the time from one renewal to the next: a duration, or a share of the TTL.
func (d *decoder) period(n *node, f fields, ttl int64) int64 {
	if d.oneOf(n, f, "every", "share") != "share" {
		return d.above0(f["every"], "try without end at one instant")
	}
	every := int64(d.number(f["share"], 0, 1) * float64(ttl))
	if !d.skip(n) && every == 0 {
		d.fail(f["share"], "is 0, which would try without end at one instant; want a share of the TTL, e.g. 0.5")
	}
	return every
}

// patience decodes a time-out: a duration, or a share of the TTL; 0 if there is none.
func (d *decoder) patience(f fields, ttl int64) int64 {
	share := f["timeout_share"]
	if share != nil && f["timeout"] != nil {
		d.fail(share, "is given beside %s; give only one of the two", f["timeout"].name())
	}
	if share != nil {
		return int64(d.number(share, 0, 1) * float64(ttl))
	}
	return d.duration(f["timeout"])
}

// hasShares reports whether parts of a lock are shares of its TTL.
func hasShares(lock *node) bool {
	if lock == nil || lock.kind != mappingNode {
		return false
	}
	renew := lock.get("renew")
	return lock.get("timeout_share") != nil || renew != nil && (renew.get("share") != nil || renew.get("timeout_share") != nil)
}

// settable is the scenario as nodes in which parts can be set: what was given as a share of the TTL is one still.
func (s *Scenario) settable() *node {
	root := s.tree()
	if s.shared != nil {
		root.replace("lock", s.shared.copyAt(0, 0))
	}
	return root
}

// above0 decodes a duration that must not be 0, for it would do what is said.
func (d *decoder) above0(n *node, would string) int64 {
	t := d.duration(n)
	if !d.skip(n) && t == 0 {
		d.fail(n, "is 0, which would %s; want a duration above 0, e.g. 300ms", would)
	}
	return t
}

// loss decodes how a holder learns that it is none any more, of a lock whose renewal is known.
func (d *decoder) loss(n *node, p *lock.Policy) lock.Loss {
	f := d.mapping(n, lossKeys)
	d.require(n, f, "learn")
	l := lock.Loss{
		Learn:   pick(d, f["learn"], learnWords),
		Every:   d.above0(f["every"], "look without end at one instant"),
		Latency: d.duration(f["latency"]),
		Stops:   pick(d, f["then"], thenWords),
	}
	if d.skip(n) {
		return l
	}
	learn := f["learn"]
	switch {
	case l.Learn == lock.LearnByCancel && p.Renew.Every == 0:
		d.fail(learn, `is "cancel", by a renewal that fails, but there is none; want poll or deadline, or lock.renew`)
	case l.Learn != lock.LearnNever && !p.HasTTL():
		d.fail(learn, "is %q, but the lease has no deadline and is never lost; want never", learn.text)
	case l.Learn == lock.LearnByPolling && l.Every == 0:
		d.fail(n, `lacks "every", the time between two looks; with learn: poll it must have it`)
	case l.Learn != lock.LearnByPolling && f["every"] != nil:
		d.fail(f["every"], "is given, but nobody polls; leave it out, or set learn to poll")
	case l.Learn != lock.LearnByCancel && f["latency"] != nil:
		d.fail(f["latency"], "is given, but nobody is told; leave it out, or set learn to cancel")
	case l.Learn == lock.LearnNever && l.Stops:
		d.fail(f["then"], `is "stop", but nobody learns of a loss; want go-on, or another learn`)
	}
	return l
}

// releaseMore decodes how often a release is tried, and before when it does not end the lease.
func (d *decoder) releaseMore(f fields, p *lock.Policy) {
	if tries := f["release_tries"]; tries != nil {
		if p.ReleaseTries = d.whole(tries, 1, maxTries); p.ReleaseTries == 1 {
			p.ReleaseTries = 0
		}
	}
	p.MinHold = d.duration(f["min_hold"])
	for _, key := range []string{"release_tries", "min_hold"} {
		if n := f[key]; !d.skip(n) && p.Kind == lock.Quorum {
			d.fail(n, "is given, but a lock at several stores has none; leave it out, or choose a lock of the kind single")
		}
		if n := f[key]; !d.skip(n) && p.Retry.Wakes() {
			d.fail(n, "is given, but the scripts that tell the waiters of releases have none; leave it out, or set lock.retry.wake to none")
		}
	}
	if n := f["min_hold"]; !d.skip(n) {
		switch {
		case p.Release == lock.GetDelete:
			d.fail(n, "is given, but a release by get-del does not know it; want release: compare or plain")
		case !p.HasTTL():
			d.fail(n, "is given, but the lease has no deadline that could be shortened; leave it out, or choose an acquire with one")
		case p.MinHold > p.TTL:
			d.fail(n, "is %s, longer than the lease of %s; want at most that", n.text, formatDuration(p.TTL))
		}
	}
}

func renewNode(r *lock.Renew) *node {
	n := mapping().with("every", durationNode(r.Every)).withDuration("timeout", r.Timeout)
	if r.OnError != lock.NextPeriod {
		n.with("on_error", text(nameOf(onErrorWords, r.OnError)))
	}
	if r.Extend != lock.Touch {
		n.with("extend", text(nameOf(extendWords, r.Extend)))
	}
	return n.withDuration("at_most", r.AtMost)
}

func lossNode(l *lock.Loss) *node {
	n := mapping().with("learn", text(nameOf(learnWords, l.Learn))).withDuration("every", l.Every).withDuration("latency", l.Latency)
	if l.Stops {
		n.with("then", text(nameOf(thenWords, l.Stops)))
	}
	return n
}
