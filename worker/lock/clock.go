package lock

import (
	"slices"

	"locklab/worker/wire"
)

// A Clock is how a client's wall clock differs from those of the stores, which agree. It matters to leases whose end the client
// says (SetNXPXAT), and to nothing else.
type Clock struct {
	Ahead   int64   // nanoseconds by which it shows a later time; below 0 an earlier one
	Workers []int32 // whose clock it is; nil for all. Those of the others agree with the stores'
}

// of is by how much a worker's clock is ahead, in ns.
func (c *Clock) of(worker int32) int64 {
	if c.Workers != nil && !slices.Contains(c.Workers, worker) {
		return 0
	}
	return c.Ahead
}

// EndsByClock reports whether a lease ends when its client's wall clock said, as it asked for the lease or renewed it.
func (p *Policy) EndsByClock() bool { return p.Acquire == SetNXPXAT }

// byClock lets a command that is sent at time now end the lease a TTL later by the client's clock.
func (m *Machine) byClock(now int64, c *wire.Command) {
	c.Options |= wire.AtRun
	c.TTL = now + m.policy.Clock.of(m.me) + m.policy.TTL
}
