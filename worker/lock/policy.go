// Package lock is the one lock machine: acquire, wait, renew, learn of a loss, release; at one store or at several. What differs
// between locks is data, the fields of a Policy.
package lock

import (
	"locklab/internal/choice"
	"locklab/worker/wire"
)

// Kind says where the lease is kept.
type Kind uint8

// The kinds of locks. None is the zero value.
const (
	None   Kind = iota // no lock: everybody enters
	Single             // one lease at one store
	Quorum             // one at each of several stores, and more than half of them count
)

// A Policy is how a client uses a lock. The zero value is no lock.
type Policy struct {
	Kind    Kind
	Acquire AcquireForm
	TTL     int64 // nanoseconds, a whole number of milliseconds above 0; 0 if the lease has no deadline (SetNX)
	Retry   Retry
	Release ReleaseForm
	// ReleaseTries is the most tries of a release: one that finds the lock not its own is followed by another, after a sleep as
	// between tries to acquire. 0 is 1.
	ReleaseTries int64
	// MinHold is nanoseconds from the grant before which the lease is not deleted by its release, but given so much of a TTL that it
	// lasts till then: by a script that compares the owner value or, with PlainDelete, by SET XX PX. Not with GetDelete.
	MinHold int64

	Clock       Clock // with SetNXPXAT
	Renew       Renew
	Loss        Loss
	TokenInside bool // the acquire's script issues the fencing token; only with SetNXPX
	Quorum      QuorumPolicy
}

// Retry is what follows a refused try.
type Retry struct {
	Every   choice.Law // the sleep before the next try
	Factor  float64    // each further sleep of an acquire is this much longer; 0 or 1 for none
	Most    int64      // nanoseconds, the longest sleep; 0 for no limit
	Tries   int64      // the most tries of an acquire; 0 for no limit
	Longest int64      // nanoseconds from the first try after which no other is begun; 0 for no limit
	Wake    Wake       // if not BySleep, Every, Factor and Most do not count; only with SetNXPX, Compare and one store
	Lost    float64    // the share of the messages that are lost, for one client and another by itself
	Place   int64      // InTurn: nanoseconds after the end of its wait after which a waiter that has not tried again loses its place, whole ms
}

// Meddles reports whether a client may end the hold of another.
func (p *Policy) Meddles() bool {
	return p.Acquire == SetPX || p.Release != Compare || p.Renew.Every > 0 && p.Renew.Extend == SetXX
}

// busyHolder reports whether a client that holds the lock has to keep more than its owner value.
func (p *Policy) busyHolder() bool {
	return p.Renew.Every > 0 || p.Loss.Learn != LearnNever || p.MinHold > 0
}

// acquire is the command of a try.
func (p *Policy) acquire() wire.Op {
	switch {
	case p.Retry.Wake == InTurn:
		return wire.SetInTurn
	case p.Retry.Wake == ByMessage && p.TokenInside:
		return wire.SetNXTokenOrLeft
	case p.Retry.Wake == ByMessage:
		return wire.SetNXOrLeft
	case p.Acquire != SetNXPX:
		return wire.Set
	case p.TokenInside:
		return wire.SetNXToken
	}
	return wire.SetNX
}

// releases are the first commands of a release.
var releases = [...]wire.Op{Compare: wire.CompareDelete, PlainDelete: wire.Del, GetDelete: wire.Get}

// release is the first command of a release.
func (p *Policy) release() wire.Op {
	switch p.Retry.Wake {
	case ByMessage:
		return wire.CompareDeletePublish
	case InTurn:
		return wire.DeleteInTurn
	}
	return releases[p.Release]
}

// Endless reports whether nothing ends the tries of an acquire but success.
func (r *Retry) Endless() bool { return r.Tries == 0 && r.Longest == 0 }

// Stores is how many stores the lock needs; 1 also without a lock.
func (p *Policy) Stores() int { return max(1, p.Quorum.Stores) }

// Steady reports whether nothing ends the tries of an acquire but success, and every sleep is a draw of a flat law.
func (r *Retry) Steady() bool {
	return r.Every.IsFlat() && r.Factor <= 1 && r.Most == 0 && r.Endless()
}
