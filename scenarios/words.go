package scenarios

import (
	"fmt"
	"strings"

	"locklab/worker"
	"locklab/worker/lock"
)

// A word is the name of a value in a file.
type word[T comparable] struct {
	name  string
	value T
}

var (
	lockWords  = []word[lock.Kind]{{"none", lock.None}}
	kindWords  = []word[lock.Kind]{{"none", lock.None}, {"single", lock.Single}, {quorumWord, lock.Quorum}}
	tokenWords = []word[worker.TokenAt]{
		{"none", worker.TokenNone}, {"before", worker.TokenBefore},
		{"after", worker.TokenAfter}, {"inside", worker.TokenInside},
	}
	checkWords = []word[worker.CheckAt]{
		{"none", 0}, {"start", worker.CheckStart}, {"commit", worker.CheckCommit},
		{"both", worker.CheckStart | worker.CheckCommit},
	}
	rejectWords  = []word[bool]{{"below", false}, {"below-or-equal", true}}
	acquireWords = []word[lock.AcquireForm]{
		{"set-nx-px", lock.SetNXPX}, {"set-px", lock.SetPX}, {"set-nx", lock.SetNX}, {"setnx-expire", lock.SetNXExpire},
		{"set-nx-pxat", lock.SetNXPXAT},
	}
	releaseWords = []word[lock.ReleaseForm]{{"compare", lock.Compare}, {"plain", lock.PlainDelete}, {"get-del", lock.GetDelete}}
	onErrorWords = []word[lock.OnError]{{"next", lock.NextPeriod}, {"retry", lock.RetryAtOnce}, {"stop", lock.StopRenewing}}
	extendWords  = []word[lock.Extend]{{"touch", lock.Touch}, {"touch-or-set", lock.TouchOrSet}, {"set-xx", lock.SetXX}}
	learnWords   = []word[lock.Learn]{
		{"never", lock.LearnNever}, {"poll", lock.LearnByPolling}, {"deadline", lock.LearnByDeadline}, {"cancel", lock.LearnByCancel},
	}
	thenWords     = []word[bool]{{"go-on", false}, {"stop", true}}
	resourceWords = []word[worker.ResourceKind]{{"none", worker.NoResource}, {"balance", worker.Balance}, {"job", worker.Job}}
	updateWords   = map[worker.ResourceKind][]word[worker.Update]{
		worker.Balance: {
			{"plain", worker.Plain}, {"atomic", worker.Atomic}, {"optimistic", worker.Optimistic}, {"versioned", worker.Versioned},
			{"transaction", worker.Transaction}, {"partition", worker.Partition},
		},
		worker.Job: {
			{"plain", worker.Plain}, {"idempotent", worker.Idempotent}, {"transaction", worker.Transaction}, {"partition", worker.Partition},
		},
	}
)

// pick is the value that a node names.
func pick[T comparable](d *decoder, n *node, words []word[T]) T {
	var value T
	if d.skip(n) {
		return value
	}
	var allowed []string
	for _, w := range words {
		if w.name == n.text {
			return w.value
		}
		allowed = append(allowed, w.name)
	}
	if !n.isScalar() {
		d.fail(n, "is %s; want one of: %s", n.show(), strings.Join(allowed, ", "))
		return value
	}
	d.refuse(n, fmt.Sprintf("%s %s", n.name(), n.show()), n.text, allowed)
	return value
}

// nameOf is the name of a value that has one.
func nameOf[T comparable](words []word[T], value T) string {
	for _, w := range words {
		if w.value == value {
			return w.name
		}
	}
	panic(fmt.Sprintf("scenarios: no word for %v", value))
}
