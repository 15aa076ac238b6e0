package scenarios

import (
	"locklab/internal/choice"
	"locklab/worker/lock"
)

// defaultPlace is how long after its wait a waiter keeps its place in the queue if a scenario does not say: Redisson's
// fairLockWaitTimeout, since its version 4.
const defaultPlace = 5 * 60 * 1000 * millisecond

var wakeWords = []word[lock.Wake]{{"none", lock.BySleep}, {"publish", lock.ByMessage}, {"fifo", lock.InTurn}}

// strangersTo are the keys of a retry that do not go with a wake.
func strangersTo(wake string) []string {
	switch wake {
	case "publish":
		return []string{"every", "backoff", "queue_timeout"}
	case "fifo":
		return []string{"every", "backoff"}
	}
	return []string{"lost", "queue_timeout"}
}

// wake decodes what ends a wait beside a sleep, of a lock whose kind, acquire, release and retry are known.
func (d *decoder) wake(n *node, p *lock.Policy) {
	if d.skip(n) {
		return
	}
	r, wake, lost, place := &p.Retry, n.get("wake"), n.get("lost"), n.get("queue_timeout")
	r.Wake, r.Lost = pick(d, wake, wakeWords), d.number(lost, 0, 1)
	if r.Wake == lock.InTurn {
		if r.Place = defaultPlace; place != nil {
			r.Place = d.queueTimeout(place)
		}
	} else if place != nil {
		d.fail(place, "is given, but nobody waits in a queue; leave it out, or set wake to fifo")
	}
	if r.Wake == lock.BySleep {
		if lost != nil {
			d.fail(lost, "is given, but there are no messages that could be lost; leave it out, or set wake to publish or fifo")
		}
		return
	}
	for _, key := range []string{"every", "backoff"} {
		if sleep := n.get(key); sleep != nil {
			d.fail(sleep, "is given, but with wake: %s nobody sleeps between tries: who is refused waits for a message or the end of the lease; leave it out", wake.text)
		}
	}
	r.Every = choice.Law{}
	d.wakes(wake, p)
}

// wakes notes why a lock's waiters cannot be told of releases.
func (d *decoder) wakes(wake *node, p *lock.Policy) {
	switch {
	case d.skip(wake):
	case p.Kind == lock.Quorum:
		d.fail(wake, "is %s, but a quorum's stores tell nobody of releases; want none", wake.text)
	case p.Acquire != lock.SetNXPX:
		d.fail(wake, "is %s, but the script that tells a refused client what is left of the lease takes it by SET NX PX; want none, or lock.acquire: set-nx-px", wake.text)
	case p.Release != lock.Compare:
		d.fail(wake, "is %s, but the script that tells the waiters of a release compares; want none, or lock.release: compare", wake.text)
	}
}

// queueTimeout decodes how long a place in the queue is kept.
func (d *decoder) queueTimeout(n *node) int64 {
	t := d.duration(n)
	if t%millisecond != 0 {
		d.fail(n, "is %s, but the store counts whole milliseconds; want e.g. 300ms", n.text)
	}
	return t
}

// withWake adds to a retry what ends a wait beside a sleep.
func (n *node) withWake(r *lock.Retry) *node {
	if r.Wake == lock.BySleep {
		return n
	}
	n.with("wake", text(nameOf(wakeWords, r.Wake)))
	if r.Lost > 0 {
		n.with("lost", plain(formatNumber(r.Lost)))
	}
	if r.Wake == lock.InTurn && r.Place != defaultPlace {
		n.with("queue_timeout", durationNode(r.Place))
	}
	return n
}
