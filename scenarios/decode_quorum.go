package scenarios

import (
	"slices"

	"locklab/worker/lock"
	"locklab/worker/wire"
)

// What a lock at several stores is if a scenario does not say.
const (
	defaultStores = 5
	defaultDrift  = 0.01            // of "Distributed Locks with Redis", and most libraries
	defaultPlus   = 2 * millisecond // likewise
)

// quorumWord is the kind of a lock at several stores.
const quorumWord = "quorum"

var (
	quorumKeys   = []string{"stores", "ask", "timeout", "timeout_share", "early", "validity", "partial", "own_key"}
	validityKeys = []string{"drift", "plus", "check"}
	askWords     = []word[bool]{{"parallel", false}, {"sequential", true}}
	truthWords   = []word[bool]{{"false", false}, {"true", true}}
	checkedWords = []word[bool]{{"true", false}, {"false", true}}
	partialWords = []word[bool]{{"release", false}, {"keep", true}}
	ownKeyWords  = []word[bool]{{"refuses", false}, {"counts", true}}
)

// quorum decodes what a lock at several stores has beyond the others.
func (d *decoder) quorum(f fields, ttl int64) lock.QuorumPolicy {
	q := lock.QuorumPolicy{
		Stores:     defaultStores,
		Sequential: pick(d, f["ask"], askWords),
		Timeout:    d.patience(f, ttl),
		Early:      pick(d, f["early"], truthWords),
		Keep:       pick(d, f["partial"], partialWords),
		OwnCounts:  pick(d, f["own_key"], ownKeyWords),
		Drift:      defaultDrift, Plus: defaultPlus,
	}
	if f["stores"] != nil {
		q.Stores = int(d.whole(f["stores"], 1, wire.MaxStores))
	}
	d.validity(f["validity"], f["ttl"], &q, ttl)
	return q
}

// validity decodes how long a try may take.
func (d *decoder) validity(n, ttlNode *node, q *lock.QuorumPolicy, ttl int64) {
	f := d.mapping(n, validityKeys)
	if f["drift"] != nil {
		q.Drift = d.number(f["drift"], 0, 1)
	}
	if f["plus"] != nil {
		q.Plus = d.duration(f["plus"])
	}
	q.Unchecked = pick(d, f["check"], checkedWords)
	p := lock.Policy{TTL: ttl, Quorum: *q}
	if n == nil {
		n = ttlNode
	}
	if !d.skip(n) && !q.Unchecked && p.Validity() <= 0 {
		d.failAt(n, "a try has no time: lock.validity takes drift %s of lock.ttl %s and plus %s off it; want less, a longer TTL, or check: false",
			formatNumber(q.Drift), formatDuration(ttl), formatDuration(q.Plus))
	}
}

// keysOfLock are the keys that a lock may have. What only one at several stores has is refused of others.
func (d *decoder) keysOfLock(n *node) []string {
	if kind := n.get("kind"); kind != nil && kind.text == quorumWord {
		return append(slices.Clone(lockKeys), quorumKeys...)
	}
	for i, key := range n.keys {
		if slices.Contains(quorumKeys, key) {
			d.failAt(n.keyNodes[i], "lock.%s is given, but the lock is at one store; leave it out, or set lock.kind to quorum", key)
		}
	}
	return lockKeys
}

// withQuorum adds to a lock what it has as one at several stores.
func (n *node) withQuorum(q *lock.QuorumPolicy) *node {
	word := func(key string, words []word[bool], value bool) {
		if value {
			n.with(key, text(nameOf(words, value)))
		}
	}
	word("ask", askWords, q.Sequential)
	n.withDuration("timeout", q.Timeout)
	if q.Early {
		n.with("early", plain("true"))
	}
	validity := mapping()
	if q.Drift != defaultDrift {
		validity.with("drift", plain(formatNumber(q.Drift)))
	}
	if q.Plus != defaultPlus {
		validity.with("plus", durationNode(q.Plus))
	}
	if q.Unchecked {
		validity.with("check", plain("false"))
	}
	if len(validity.keys) > 0 {
		n.with("validity", validity)
	}
	word("partial", partialWords, q.Keep)
	word("own_key", ownKeyWords, q.OwnCounts)
	return n
}
