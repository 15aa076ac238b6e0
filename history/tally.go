package history

// A Tally counts the events of one run. Every event says by itself what it adds, so the sums do not depend on
// the order in which the events of different workers are fed. The zero value is empty.
type Tally struct {
	Entries        int64 // entries into the critical section
	Conflicts      int64 // entries that found another worker inside
	Overlap        int64 // nanoseconds with two or more inside, by the referee's clock
	AcceptedWrites int64 // checked writes that the resource accepted
	RejectedWrites int64 // checked writes that the resource refused because of their fencing token
	LostHolds      int64 // holds whose release or renewal found the lock not its own
	GaveUp         int64 // rounds whose acquire ended without the lock
	Never          int64 // acquires that could never succeed
	Refused        int64 // tries to acquire that were refused
	Waits          int64 // acquires that succeeded
	Wait           int64 // nanoseconds from the first try to learning of success, summed over Waits
	WaitMax        int64 // the longest of them
	End            int64 // nanoseconds from the start of the run to the last event

	// What became of the resource.
	Updates     int64 // writes that it accepted at the commit
	LostUpdates int64 // of Updates, those computed from a value that another write had replaced since
	DoneTwice   int64 // of Updates, performances of a job that had been performed before
	Retries     int64 // updates that were refused because another write came first, and tried again
	Wasted      int64 // nanoseconds that workers spent on updates that were rejected, retried, not needed or done twice

	AtEnd

	// Each, if not nil, counts every wait by itself, too.
	Each *Waits

	// The truth, 0 in the real world, which cannot see it.
	LateWrites    int64
	StaleWrites   int64
	FalseBelief   int64 // nanoseconds of belief after the end of the hold, summed
	StaleAccepted int64 // of StaleWrites, those that were accepted
	TokenDisorder int64 // tokens that were issued against the order of grants
}

// AtEnd is what the world that carried out a run adds when it is over, since no event tells it.
type AtEnd struct {
	Commands int64 // sent to the store, but for the referee's; MULTI and EXEC count as one each
	Missing  int64 // by how much the balance is below what all Updates should have made of it
	NotDone  int64 // jobs that were handed out and never performed
}

// Damage is what went wrong at the resource: updates lost, jobs done twice, jobs not done.
func (t *Tally) Damage() int64 { return t.LostUpdates + t.DoneTwice + t.NotDone }

// AddWait counts an acquire that succeeded after a wait, in ns.
func (t *Tally) AddWait(wait int64) {
	t.Waits++
	t.Wait += wait
	t.WaitMax = max(t.WaitMax, wait)
	if t.Each != nil {
		t.Each.Add(wait)
	}
}

// AddEntry counts an entry, after which so many are inside; overlap is that of the time since the referee was last told
// something.
func (t *Tally) AddEntry(inside int32, overlap int64) {
	t.Entries++
	t.Overlap += overlap
	if inside > 1 {
		t.Conflicts++
	}
}

// Add counts one event.
func (t *Tally) Add(e *Event) {
	t.End = max(t.End, e.At)
	switch e.Kind {
	case Refused:
		t.Refused++
	case Acquired:
		t.AddWait(e.For)
	case GaveUp:
		t.GaveUp++
	case Never:
		t.Never++
	case Entered:
		t.AddEntry(e.Inside, e.Overlap)
	case Left, Removed:
		t.Overlap += e.Overlap
	case Accepted, Committed:
		t.addAccepted(e)
	case Rejected:
		t.RejectedWrites++
		t.Wasted += e.For
	case Skipped:
		t.Wasted += e.For
	case Retried:
		t.Retries++
		t.Wasted += e.For
	case LostUpdate:
		t.LostUpdates++
	case DoneTwice:
		t.DoneTwice++
		t.Wasted += e.For
	case Lost, RenewalLost:
		t.LostHolds++
	case LateWrite:
		t.LateWrites++
	case StaleWrite:
		t.StaleWrites++
	case StaleAccepted:
		t.StaleAccepted++
	case TokenDisorder:
		t.TokenDisorder++
	case FalseBelief:
		t.FalseBelief += e.For
	}
}

func (t *Tally) addAccepted(e *Event) {
	t.AcceptedWrites++
	if e.Step == Commit {
		t.Updates++
	}
	if e.Kind == Committed {
		t.AddWait(e.For)
	}
}

// A Hash sums up a history in 64 bits: every event but refused tries, in whatever order they are fed, and of those
// their number. The zero value is the hash of no events.
type Hash struct {
	sum     uint64
	refused uint64
}

// Add takes one event into the hash.
func (h *Hash) Add(e *Event) {
	if e.Kind == Refused {
		h.refused++
		return
	}
	x := mix(0, uint64(e.At))
	x = mix(x, uint64(e.Worker)<<32|uint64(uint32(e.Round)))
	x = mix(x, uint64(e.Kind)<<56|uint64(e.Step)<<48|uint64(e.Stores)<<40|uint64(uint32(e.Inside)))
	x = mix(x, uint64(e.Order))
	x = mix(x, uint64(e.ServerUS))
	x = mix(x, uint64(e.Overlap))
	x = mix(x, uint64(e.Token))
	x = mix(x, uint64(e.For))
	if e.Value != 0 {
		x = mix(x, uint64(e.Value))
	}
	h.sum += x
}

// AddRefused takes n refused tries into the hash.
func (h *Hash) AddRefused(n int64) { h.refused += uint64(n) }

// Sum is the hash of what was added so far.
func (h *Hash) Sum() uint64 { return mix(h.sum, h.refused) }

// mix is a step of a multiply-xorshift hash with the finalizer's constants of MurmurHash3.
func mix(state, x uint64) uint64 {
	state = (state ^ x) * 0xff51afd7ed558ccd
	state ^= state >> 33
	state *= 0xc4ceb9fe1a85ec53
	return state ^ state>>33
}
