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
	// SetOwn is a script: SET key value PX ttl, unless the key holds another value. Replies OK or Nil.
	SetOwn
	// CompareDelete is a script: delete the key if it holds the value. Replies OK if it did, else Nil.
	CompareDelete
	// Incr is INCR key. Replies OK with the new counter in Value.
	Incr
	// Write is a script, the checked write at the resource: refused (Nil) if Token is below the highest token
	// accepted so far (or, with OrEqual, not above it), else accepted (OK) and remembered. Value is the
	// highest token afterwards. If Blind, the write is accepted whatever its token, and nothing is remembered.
	Write
	// GetVersioned is MGET of the key and the version beside it. Replies OK with the number in Value and the version in
	// Version.
	GetVersioned
	// SetVersioned is a script, the commit of a value that a worker computed: the check of Write, and if the token is accepted or
	// Blind, SET key value and INCR of the version beside it. Replies OK with the new version in Version, or Nil.
	SetVersioned
	// SetIfVersion is a script: SetVersioned without a token, but only if the version is still Version; else Nil.
	SetIfVersion
	// ExecSet is MULTI, SET key value, INCR of the version beside it, EXEC: carried out if nothing that the sender's connection watches
	// has changed. Replies OK with the new version in Version, or Nil.
	ExecSet
	// AddVersioned is a script, a whole update in one: GET key, add Value, SET it, INCR of the version beside it. Replies OK with the
	// new number in Value and the new version in Version.
	AddVersioned
	// Perform is a script, the effect of a job: the check of Write, and if the token is accepted or Blind, INCR key, which counts how
	// often the job was performed. Replies OK with that number in Value, or Nil.
	Perform
	// PerformOnce is a script: Perform without a token, but only if the job was never performed; else Nil.
	PerformOnce
	// Enter tells the referee that the worker is inside the critical section. Replies OK with Order, At,
	// Inside (its own entry included) and Overlap.
	Enter
	// Leave tells the referee that the worker is outside again. Replies like Enter; Inside no longer has it.
	Leave

	// CompareExpire is a script, the renewal of a lease: if the key holds the value, PEXPIRE key ttl or, with Options PXAT (AtRun),
	// PEXPIREAT key ttl. Replies OK if it did (even if that deleted the key, the deadline having come), else Nil.
	CompareExpire
	// CompareExpireOrSet is a script: CompareExpire, and if there is no key SET key value PX ttl. Replies OK, with Value 1 if it
	// was set, else Nil.
	CompareExpireOrSet
	// Set is SET key value, with Options NX, XX, GET (GetOld) and one of EX, PX, EXAT, PXAT, KEEPTTL. Replies OK or Nil; with
	// GET, OK with the value that was there, or Nil if there was none. A sender of AtRun has it in place of PXAT.
	Set
	// SetText is Set, but the value is no number: it is the text of number Value.
	SetText
	// Get is GET key. Replies OK with the value, or Nil.
	Get
	// Del is DEL key. Replies with Value 1 if there was something, else 0.
	Del
	// Exists is EXISTS key. Replies with Value 1 or 0.
	Exists
	// IncrBy is INCRBY key value. Replies with the new number in Value.
	IncrBy
	// Decr is DECR key. Replies with the new number in Value.
	Decr
	// PExpire is PEXPIRE key ttl, with Options NX, XX, GT, LT. Replies with Value 1 if it was done, else 0.
	PExpire
	// PExpireAt is PEXPIREAT key ttl: the TTL is an instant of the store's wall clock, in ms. Else like PExpire.
	PExpireAt
	// PTTL is PTTL key. Replies with the milliseconds left in Value; -1 without a deadline, -2 without the key.
	PTTL
	// Persist is PERSIST key. Replies with Value 1 if it took a deadline away, else 0.
	Persist
	// Push is RPUSH key x: it makes a list, which is of the wrong type for nearly everything here. Replies with the
	// list's length in Value.
	Push
	// Size is DBSIZE without the referee: how many keys there are. Those whose time has come count until they are
	// touched.
	Size
	// Watch is WATCH key on the sender's connection.
	Watch
	// Unwatch is UNWATCH on the sender's connection.
	Unwatch
	// Sleep is DEBUG SLEEP: the store is busy for Value microseconds.
	Sleep

	// SetNXOrLeft is a script: SetNX, and if that is refused PTTL key. Replies OK, or Nil with the milliseconds left in Value.
	SetNXOrLeft
	// SetNXTokenOrLeft is a script: SetNXOrLeft, but if the lease was taken INCR of KeyToken. Replies OK with the new counter in
	// Value, or like SetNXOrLeft.
	SetNXTokenOrLeft
	// CompareDeletePublish is a script: CompareDelete, and if that deleted the key a message to all who have subscribed.
	CompareDeletePublish
	// SetInTurn is a script: SET key value PX ttl, if nobody has the lease and Value is the first in the queue of those who wait,
	// or nobody waits; then it leaves the queue. Else it gets, or keeps, its place there. Whoever is first in the queue, has not tried
	// again Place ms after the end of its wait, and is not the asker, is dropped before. Replies OK, or Nil with the milliseconds to
	// wait in Value: what is left of the lease; if nobody has it a TTL, or less, until the first in the queue would be dropped.
	SetInTurn
	// DeleteInTurn is a script: CompareDelete, and if that deleted the key a message to the first in the queue, if there is one, after
	// those were dropped that SetInTurn drops.
	DeleteInTurn
	// LeaveQueue is a script: Value leaves the queue, and if nobody has the lease there is a message as of DeleteInTurn. Replies OK.
	LeaveQueue
	// Subscribe is SUBSCRIBE to the lock's channel, or if Value is not 0 to that of the one in the queue with this value. Replies OK
	// when the subscription is in force. It ends with the wish Unsubscribe, or the connection.
	Subscribe
)

// sent is how many commands a client sends for one of an Op: the transaction has MULTI, SET, INCR and EXEC, a SUBSCRIBE is
// followed by an UNSUBSCRIBE, and the referee's, which are no part of what is tried, do not count.
var sent = func() (n [256]int64) {
	for op := range n {
		n[op] = 1
	}
	n[Enter], n[Leave], n[ExecSet], n[Subscribe] = 0, 0, 4, 2
	return n
}()

// Sent is how many commands a client sends for this one, the referee's not counted.
func (op Op) Sent() int64 { return sent[op] }

// Options are the words that Set, PExpire and PExpireAt have after the key and value. They may be combined by |; at
// most one of EX, PX, EXAT, PXAT, KeepTTL and AtRun, which say what becomes of the deadline.
type Options uint8

// The options.
const (
	NX     Options = 1 << iota // only if there is no key; PExpire: only if it has no deadline
	XX                         // only if there is one
	GT                         // PExpire: only if that prolongs the key's life
	LT                         // PExpire: only if that shortens it
	GetOld                     // Set: GET, reply with the value before
)

// The options for the deadline of Set; without one the key gets none.
const (
	EX      Options = (iota + 1) << 5 // TTL is in seconds
	PX                                // TTL is in milliseconds
	EXAT                              // TTL is an instant of the store's wall clock, in seconds
	PXAT                              // TTL is an instant of the store's wall clock, in milliseconds
	KeepTTL                           // the deadline stays
	AtRun                             // TTL is an instant of the run, in ns: each world makes PXAT of it by its wall clock, cutting ms

	// ForDeadline masks the option for the deadline.
	ForDeadline Options = 7 << 5
)

// Key names what a command works on. A world gives each a place of its own; in the real one, a name under
// the run's prefix. After the named ones come those of Numbered.
type Key int32

// The keys.
const (
	KeyLock    Key = iota // the lease: the owner value of its holder, with a deadline
	KeyToken              // the counter that fencing tokens are drawn from
	KeyHighest            // at the resource: the highest fencing token accepted so far
	KeyReferee            // who is inside, and what was counted
	KeyBalance            // at the resource: the balance of an account
	KeyVersion            // and how often it was written
	NumKeys
)

// Numbered is one of the further keys that a resource may have: of a job, how often it was performed (2n) and who has claimed
// it (2n+1); of an account of one worker alone, its balance (2n) and its version (2n+1).
func Numbered(n int32) Key { return NumKeys + Key(n) }

// Beside is the key of the version that belongs to the balance under a key.
func (k Key) Beside() Key { return k + 1 }

// A Command is one request to a store. Only the fields that its Op names are used.
type Command struct {
	Op      Op
	Key     Key
	OrEqual bool // Write and what has its check: a token equal to the highest is refused too
	Blind   bool // the same: the token is not looked at
	Own     bool // Enter, Leave: of a critical section that is the sender's own, where nobody else ever is
	Options Options
	Worker  int32 // the sender, and so its connection
	Value   int64 // of what takes, renews or deletes a lease: the random owner value of this acquisition
	TTL     int64 // milliseconds, if Op or Options do not say otherwise
	Token   int64 // Write and what has its check: the fencing token
	Version int64 // SetIfVersion: the version that must still be there
	Place   int64 // SetInTurn: milliseconds
}

// Status is the kind of a reply.
type Status uint8

// The kinds of replies.
const (
	OK  Status = iota + 1 // done
	Nil                   // not done, because a condition was not met; or there is no value

	// The others are errors.

	WrongType  // WRONGTYPE: the key holds a list
	NotInteger // ERR value is not an integer or out of range
	Overflow   // ERR increment or decrement would overflow
	BadExpiry  // ERR invalid expire time
	BadOptions // ERR syntax error, or: … options at the same time are not compatible
	Raised     // an error of a script's own, such as the comparison of a number with nil
)

// Failed tells whether the status is an error.
func (s Status) Failed() bool { return s > Nil }

// A Reply is a store's answer to a command. Only the fields that the command's Op names are set.
type Reply struct {
	Status  Status
	Text    bool  // Get, Set with GetOld: the value is no number, but the text of number Value
	Inside  int32 // workers inside after this command
	Value   int64
	Order   int64 // the referee's running number of this entry or exit, from 1
	At      int64 // the referee's wall clock, microseconds
	Overlap int64 // nanoseconds with two or more inside since the referee was last told something
	Version int64 // of the value under the key: how often it was written
}
