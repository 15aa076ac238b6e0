// Package history is what a run can observe, in the same words for the simulated and the real world: events,
// the tally that counts them, the record of one run, the cell that sums up many, and their JSON lines.
//
// The tally is fed one event at a time and forgets it. compare and plots read records and cells; nothing
// else passes between the steps.
package history

import "fmt"

// Kind says what happened.
type Kind uint8

// What happens to a worker, as it learns of it. Both worlds have these.
const (
	Asked          Kind = iota + 1 // the first try of an acquire was sent
	Refused                        // a try was refused
	Acquired                       // it learned that it holds the lock; For is the wait since Asked
	GaveUp                         // the acquire ended by its most tries or longest wait; For is the wait
	TokenDrawn                     // it received its fencing Token
	Entered                        // the referee counted it in: Order, ServerUS, Inside, Overlap
	WorkBegan                      //
	WorkEnded                      //
	Accepted                       // the resource accepted a checked write: Token, Step
	Rejected                       // the resource refused a checked write because of its Token: Step; at the commit, For is the time spent since the read or the work began
	Left                           // the referee counted it out: Order, ServerUS, Inside, Overlap
	Releasing                      // the release was sent: the end of its belief
	Released                       // the release found the lock its own
	Lost                           // the release found the lock not its own
	Stopping                       // the process is about to be stopped for For
	Resumed                        // it runs again
	Finished                       // its last round is over
	Crashed                        // its process dies at Step
	Removed                        // it had died, and the referee was told: Order, ServerUS, Inside, Overlap
	HasRead                        // it has read the resource: Value, and in Order how often that was written
	Claimed                        // it has claimed its job
	Skipped                        // its job was done or claimed already, Value times performed; For is the time spent on it for nothing
	Committed                      // an update that is tried until nobody else wrote meanwhile was accepted: Step; For is the time from the first try's read to this one's
	Retried                        // the resource refused the update since somebody else wrote meanwhile; For is the time spent on it since its read
	LostUpdate                     // the accepted write was computed from a value that others had replaced meanwhile, Value times
	DoneTwice                      // the job that was just done had been done before, Value times; For is the time spent on it since its read
	Never                          // it has given up its acquire, and its rounds, since the lock will never be free; For is the wait
	Renewed                        // a renewal prolonged the lease
	RenewalFailed                  // a renewal had no reply in time
	RenewalLost                    // a renewal found the lock not its own
	LostAgain                      // the release found the lock not its own, as a renewal had before
	Learned                        // it learned that the lock is no longer its own: the end of its belief
	ThreadStopping                 // its thread is about to sleep for For, and the rest of the process goes on
	ThreadResumed                  // the thread runs again
)

// The truth beyond that. Only the simulator can see it.
const (
	Granted       Kind = iota + 64 // the store executed the acquire: Order counts grants, For is the life of the lease, 0 without a deadline, below 0 if that had passed
	Freed                          // the store executed the release of the hold numbered Order
	Expired                        // the hold numbered Order ended because its lease did
	LateWrite                      // a write reached the resource after its worker's hold had ended
	StaleWrite                     // a write reached the resource after one of a later hold was accepted
	FalseBelief                    // a belief outlived its hold by For
	StaleAccepted                  // the stale write that was just told of was accepted
	TokenDisorder                  // a Token was issued against the order of grants
	Overwritten                    // the hold numbered Order ended because another acquire took its lease
	FreedByOther                   // the hold numbered Order ended because a release of Worker, whose it was not, deleted its lease
	Prolonged                      // the lease of the hold numbered Order was given a new deadline; For is the rest of its life
)

var kindNames = map[Kind]string{
	Asked: "asked", Refused: "refused", Acquired: "acquired", GaveUp: "gave-up", TokenDrawn: "token",
	Entered: "entered", WorkBegan: "work-began", WorkEnded: "work-ended", Accepted: "accepted", Rejected: "rejected",
	Left: "left", Releasing: "releasing", Released: "released", Lost: "lost", Stopping: "stopping", Resumed: "resumed",
	Finished: "finished", Crashed: "crashed", Removed: "removed",
	HasRead: "read", Claimed: "claimed", Skipped: "skipped", Committed: "committed", Retried: "retried", LostUpdate: "lost-update", DoneTwice: "done-twice",
	Never:   "never",
	Renewed: "renewed", RenewalFailed: "renewal-failed", RenewalLost: "renewal-lost", LostAgain: "lost-again", Learned: "learned",
	ThreadStopping: "thread-stopping", ThreadResumed: "thread-resumed",
	Granted: "granted", Freed: "freed", Expired: "expired", LateWrite: "late-write", StaleWrite: "stale-write", FalseBelief: "false-belief", StaleAccepted: "stale-accepted", TokenDisorder: "token-disorder",
	Overwritten: "overwritten", FreedByOther: "freed-by-other", Prolonged: "prolonged",
}

var kindsByName = func() map[string]Kind {
	m := make(map[string]Kind, len(kindNames))
	for k, name := range kindNames {
		m[name] = k
	}
	return m
}()

// IsTruth reports whether only the simulator can see events of this kind.
func (k Kind) IsTruth() bool { return k >= Granted }

// String is the kind's name in a history file.
func (k Kind) String() string {
	if name, ok := kindNames[k]; ok {
		return name
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// MarshalText gives the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a kind's name.
func (k *Kind) UnmarshalText(text []byte) error {
	kind, ok := kindsByName[string(text)]
	if !ok {
		return fmt.Errorf("unknown event %q", text)
	}
	*k = kind
	return nil
}

// An Event is one line of a history. At is the time of the run when its worker learned of it (for truth: when
// it happened); the other fields count only where the Kind names them.
type Event struct {
	At       int64 `json:"at_ns"`
	Worker   int32 `json:"worker"`
	Round    int32 `json:"round"`
	Kind     Kind  `json:"event"`
	Step     Step  `json:"step,omitzero"`
	Stores   uint8 `json:"stores,omitempty"` // of a quorum: how many did it (Refused, Acquired, Renewed, RenewalFailed, Released, Lost), or have to (Granted, Freed)
	Inside   int32 `json:"inside,omitempty"`
	Order    int64 `json:"order,omitempty"`
	ServerUS int64 `json:"server_us,omitempty"`
	Overlap  int64 `json:"overlap_ns,omitempty"`
	Token    int64 `json:"token,omitempty"`
	For      int64 `json:"for_ns,omitempty"`
	Value    int64 `json:"value,omitempty"`
}
