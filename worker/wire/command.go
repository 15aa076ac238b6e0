// Package wire holds what a worker and a world say to each other: commands to a store and their replies,
// wishes of a worker, and what happens to it. Plain data; both worlds, the simulator's and the real one,
// speak exactly this.
package wire

// Op is what a command does at its store. Each is atomic there.
type Op uint8

// The commands.
const (
	// SetNX is SET key value NX PX ttl: take the lease if nobody has it. Replies OK or Nil.
	SetNX Op = iota + 1
	// SetNXToken is a script: SetNX, and if that succeeded INCR of KeyToken. Replies OK with the new counter
	// in Value, or Nil.
	SetNXToken
	// CompareDelete is a script: delete the key if it holds the value. Replies OK if it did, else Nil.
	CompareDelete
	// Incr is INCR key. Replies OK with the new counter in Value.
	Incr
	// Write is a script, the checked write at the resource: refused (Nil) if Token is below the highest token
	// accepted so far (or, with OrEqual, not above it), else accepted (OK) and remembered. Value is the
	// highest token afterwards. If Blind, the write is accepted whatever its token, and nothing is remembered.
	Write
	// Enter tells the referee that the worker is inside the critical section. Replies OK with Order, At,
	// Inside (its own entry included) and Overlap.
	Enter
	// Leave tells the referee that the worker is outside again. Replies like Enter; Inside no longer has it.
	Leave
)

// Key names what a command works on. A world gives each a place of its own; in the real one, a name under
// the run's prefix.
type Key uint8

// The keys.
const (
	KeyLock    Key = iota // the lease: the owner value of its holder, with a deadline
	KeyToken              // the counter that fencing tokens are drawn from
	KeyHighest            // at the resource: the highest fencing token accepted so far
	KeyReferee            // who is inside, and what was counted
	NumKeys
)

// A Command is one request to a store. Only the fields that its Op names are used.
type Command struct {
	Op      Op
	Key     Key
	OrEqual bool  // Write: a token equal to the highest is refused too
	Blind   bool  // Write: the token is not looked at
	Worker  int32 // the sender
	Value   int64 // SetNX, SetNXToken, CompareDelete: the random owner value of this acquisition
	TTL     int64 // SetNX, SetNXToken: milliseconds, above 0
	Token   int64 // Write: the fencing token
}

// Status is the kind of a reply.
type Status uint8

// The kinds of replies.
const (
	OK  Status = iota + 1 // done
	Nil                   // not done, because a condition was not met
)

// A Reply is a store's answer to a command. Only the fields that the command's Op names are set.
type Reply struct {
	Status  Status
	Inside  int32 // workers inside after this command
	Value   int64
	Order   int64 // the referee's running number of this entry or exit, from 1
	At      int64 // the referee's wall clock, microseconds
	Overlap int64 // nanoseconds with two or more inside since the referee was last told something
}
