package scenarios

import (
	"math"

	"locklab/worker"
	"locklab/worker/lock"
)

const (
	maxFactor = 1000
	maxTries  = 1_000_000_000
)

// defaultRetry is how often a refused acquire is tried again if a scenario does not say.
const defaultRetry = 25 * millisecond

var (
	lockKeys    = []string{"kind", "ttl", "retry", "acquire", "release", "release_tries", "min_hold", "renew", "loss", "clock"}
	retryKeys   = []string{"every", "backoff", "tries", "longest", "wake", "lost", "queue_timeout"}
	backoffKeys = []string{"factor", "most"}
	fencingKeys = []string{"token", "check", "reject", "first"}
)

// lock decodes a lock: the name of one, or a mapping. Without any, there is none.
func (d *decoder) lock(n *node) lock.Policy {
	if d.skip(n) {
		return lock.Policy{}
	}
	if n.isScalar() {
		return d.namedLock(n)
	}
	f := d.mapping(n, d.keysOfLock(n))
	d.require(n, f, "kind")
	kind := pick(d, f["kind"], kindWords)
	if kind == lock.None {
		d.nothingBut(n, "kind")
		return lock.Policy{}
	}
	p := lock.Policy{Kind: kind, Acquire: pick(d, f["acquire"], acquireWords), Release: pick(d, f["release"], releaseWords)}
	if p.HasTTL() {
		if f["ttl"] == nil && d.takesTTL() {
			d.fail(n, "is %s, which takes its TTL as an argument; write {preset: %s, ttl: DURATION}", d.preset, d.preset)
		}
		d.require(n, f, "kind", "ttl")
		p.TTL = d.ttl(f["ttl"])
	} else if !d.skip(f["ttl"]) {
		d.fail(f["ttl"], "is given, but %s sets no deadline: the lease lasts until it is deleted; leave it out", f["acquire"].name())
	}
	p.Retry = d.retry(f["retry"])
	d.wake(f["retry"], &p)
	if kind == lock.Quorum {
		if p.Acquire != lock.SetNXPX && p.Acquire != lock.SetNXPXAT {
			d.fail(f["acquire"], "is %s, but a quorum asks its stores by set-nx-px or set-nx-pxat", f["acquire"].text)
		}
		if p.Release != lock.Compare {
			d.fail(f["release"], "is %s, but a quorum is released by compare", f["release"].text)
		}
		p.Quorum = d.quorum(f, p.TTL)
	}
	d.releaseMore(f, &p)
	p.Renew = d.renew(f["renew"], &p)
	p.Loss = d.loss(f["loss"], &p)
	d.endsByClock(f, &p)
	return p
}

// nothingBut notes the first other key of a mapping that says that there is no lock.
func (d *decoder) nothingBut(n *node, key string) {
	for i, k := range n.keys {
		if k != key {
			d.fail(n.items[i], "is given, but %s.%s says that there is none; leave it out", n.name(), key)
		}
	}
}

// namedLock decodes a lock that is given by its name alone.
func (d *decoder) namedLock(n *node) lock.Policy {
	for _, w := range kindWords {
		if w.name == n.text && w.value != lock.None {
			d.fail(n, "is %s without its parameters; write {kind: %s, ttl: DURATION}", n.show(), n.text)
		}
	}
	return lock.Policy{Kind: pick(d, n, append(lockWords, presetWords()...))}
}

// presetWords are the names of presets, for who misspells one: those that are right have been expanded.
func presetWords() []word[lock.Kind] {
	var words []word[lock.Kind]
	for _, name := range PresetNames() {
		words = append(words, word[lock.Kind]{name, lock.None})
	}
	return words
}

// ttl decodes the duration of a lease.
func (d *decoder) ttl(n *node) int64 {
	const want = "want a whole number of milliseconds above 0, e.g. 1000ms"
	ttl := d.duration(n)
	if d.skip(n) {
		return 0
	}
	if ttl == 0 {
		d.fail(n, "is %s; %s", n.text, want)
	}
	if ttl%millisecond != 0 {
		d.fail(n, "is %s, no whole number of milliseconds, which a lease in Redis is; %s", n.text, want)
	}
	return ttl
}

func (d *decoder) retry(n *node) lock.Retry {
	f := d.mapping(n, retryKeys)
	backoff := d.mapping(f["backoff"], backoffKeys)
	d.require(f["backoff"], backoff, "factor")
	r := lock.Retry{
		Every:   d.law(f["every"]),
		Factor:  d.number(backoff["factor"], 1, maxFactor),
		Most:    d.duration(backoff["most"]),
		Tries:   d.whole(f["tries"], 0, maxTries),
		Longest: d.duration(f["longest"]),
	}
	if f["every"] == nil {
		r.Every.A = defaultRetry
	}
	if !d.skip(f["every"]) && r.Every.Max() == 0 {
		d.fail(f["every"], "is always 0, which would try without end at one instant; want a duration above 0, e.g. 25ms")
	}
	return r
}

// fencing decodes where the token comes from and where it is checked, of a scenario whose lock is known.
func (d *decoder) fencing(n *node, s *Scenario) {
	f := d.mapping(n, fencingKeys)
	s.Fencing = worker.Fencing{
		Token:   pick(d, f["token"], tokenWords),
		Check:   pick(d, f["check"], checkWords),
		OrEqual: pick(d, f["reject"], rejectWords),
	}
	if f["first"] != nil {
		s.Fencing.First = d.whole(f["first"], 1, math.MaxInt64>>1)
	}
	if s.Fencing.First == 1 {
		s.Fencing.First = 0
	}
	s.Lock.TokenInside = s.Fencing.Token == worker.TokenInside
	if d.skip(n) {
		return
	}
	switch {
	case s.Fencing.Check != 0 && s.Fencing.Token == worker.TokenNone:
		d.fail(f["check"], "is %q, but there is no token to check; set fencing.token to before, after or inside", f["check"].text)
	case s.Lock.TokenInside && s.Lock.Kind == lock.None:
		d.fail(f["token"], `is "inside", the acquire's script, but there is no lock to acquire; want before or after, or a lock`)
	case s.Lock.TokenInside && s.Lock.Acquire != lock.SetNXPX:
		d.fail(f["token"], `is "inside", but the script that issues the token takes the lease by SET NX PX; want before or after, or lock.acquire: set-nx-px`)
	case s.Lock.TokenInside && s.Lock.Retry.Wake == lock.InTurn:
		d.fail(f["token"], `is "inside", but the script of a lock that is acquired in turn issues no token; want before or after, or lock.retry.wake: publish`)
	case s.Lock.TokenInside && s.Lock.Kind == lock.Quorum:
		d.fail(f["token"], `is "inside", the acquire's script, but a quorum has one at each of its stores, and their counters know nothing of each other; want before or after`)
	case s.Fencing.OrEqual && s.Fencing.Check == worker.CheckStart|worker.CheckCommit:
		d.fail(f["reject"], `is "below-or-equal" with both checks: a worker's commit would be rejected because of its own first check; want "below", or one check`)
	}
}
