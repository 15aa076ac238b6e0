package history

import (
	"fmt"
	"slices"
	"strings"
)

// A Narrator tells the events of one run one after the other, each in a sentence that stands by itself, with what its worker
// cannot know at that moment: that its lease has ended. The events must come sorted.
type Narrator struct {
	// Lease is how long a lease lives, in ns, for runs of the real world: nobody sees when one begins there, but it ends no later
	// than that after its worker has learned of it. 0 if that is not known. Where the truth is told, it counts instead.
	Lease int64

	believers map[int32]*believer
	holds     map[int64]*believer // by number of the grant
	refused   map[int32]int
}

// A believer is a worker's last hold, as far as it was told.
type believer struct {
	believes bool  // the worker believes that it holds the lock
	order    int64 // the number of the grant; 0 if that was not told
	ends     int64 // when the hold does, or, if that is only a bound, at the latest; 0 if that is not known
	bound    bool
	how      string // it ends
}

const leaseEnds = "its lease ended"

// Tell is the sentence for the next event. It is "" for a refused try, of which the event tells that ends the acquire.
func (n *Narrator) Tell(e *Event) string {
	if n.believers == nil {
		n.believers, n.holds, n.refused = make(map[int32]*believer), make(map[int64]*believer), make(map[int32]int)
	}
	b := n.believers[e.Worker]
	if b == nil {
		b = new(believer)
		n.believers[e.Worker] = b
	}
	if e.Kind.IsTruth() {
		return plainly(truth(e) + n.truth(e, b))
	}
	if e.Kind == Refused {
		n.refused[e.Worker]++
		return ""
	}
	b.learn(e, n.Lease)
	text := n.waited(e) + view(e)
	return fmt.Sprintf("worker %d%s%s", e.Worker, joint(text), plainly(text+b.ignorance(e)))
}

// joint stands between a worker and what it does, or what happens to what is its.
func joint(text string) string {
	switch {
	case strings.HasPrefix(text, "round "):
		return ", "
	case strings.HasPrefix(text, "its "):
		return ": "
	}
	return " "
}

// plainly leaves out the decimals of whole milliseconds.
func plainly(text string) string { return strings.ReplaceAll(text, ".000 ms", " ms") }

// waited says how often an acquire that ends was refused.
func (n *Narrator) waited(e *Event) string {
	times := n.refused[e.Worker]
	if times == 0 || !slices.Contains(endings[e.Kind], Waiting) {
		return ""
	}
	n.refused[e.Worker] = 0
	return "was refused " + timesInWords(times) + ", and now "
}

// truth takes note of what no worker knows, and says so of the end of a hold in which its worker goes on believing.
func (n *Narrator) truth(e *Event, b *believer) string {
	if e.Kind == Granted {
		*b = believer{order: e.Order, ends: leaseEnd(e.At, e.For), how: leaseEnds}
		n.holds[e.Order] = b
		return ""
	}
	b = n.holds[e.Order]
	if b == nil || b.order != e.Order {
		return ""
	}
	if e.Kind == Prolonged {
		b.ends = leaseEnd(e.At, e.For)
	}
	if !holdEnds[e.Kind] {
		return ""
	}
	b.ends = e.At
	if e.Kind != Expired {
		b.how = "its hold ended"
	}
	if !b.believes {
		return ""
	}
	return "; the worker does not know"
}

// learn takes note of what the worker learns by its own event.
func (b *believer) learn(e *Event, lease int64) {
	if slices.Contains(endings[e.Kind], Believing) {
		b.believes = false
	}
	begins := slices.Contains(beginnings[e.Kind], Believing)
	b.believes = b.believes || begins
	if !begins && e.Kind != Renewed {
		return
	}
	if b.order == 0 && lease > 0 {
		b.ends, b.bound, b.how = e.At+lease, true, leaseEnds
	}
}

// ignorance is what the worker does not know at the time of an event of its own.
func (b *believer) ignorance(e *Event) string {
	since := e.At - b.ends
	if !b.believes || b.ends == 0 || since <= 0 {
		return ""
	}
	atLeast := ""
	if b.bound {
		atLeast = "at least "
	}
	return fmt.Sprintf("; %s %s%s ago; it does not know", b.how, atLeast, roughly(since))
}

// roughly is a length of time with the digits that a listener can take in.
func roughly(ns int64) string {
	switch ms := milliseconds(ns); {
	case ms < 1:
		return fmt.Sprintf("%.3f ms", ms)
	case ms < 10_000:
		return fmt.Sprintf("%.0f ms", ms)
	default:
		return fmt.Sprintf("%.1f s", ms/1000)
	}
}
