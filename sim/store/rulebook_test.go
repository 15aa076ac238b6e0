package store_test

import (
	"math"

	"locklab/worker/wire"
)

const (
	lock    = wire.KeyLock
	token   = wire.KeyToken
	highest = wire.KeyHighest
)

// The commands of the examples, in the order of Redis' words.
func set(v, ttl int64, o wire.Options) wire.Command {
	return wire.Command{Op: wire.Set, Key: lock, Value: v, TTL: ttl, Options: o}
}
func setText(v int64) wire.Command { return wire.Command{Op: wire.SetText, Key: lock, Value: v} }
func setNX(v, ttl int64) wire.Command {
	return wire.Command{Op: wire.SetNX, Key: lock, Value: v, TTL: ttl}
}
func on(k wire.Key, op wire.Op) wire.Command { return wire.Command{Op: op, Key: k} }
func setKey(k wire.Key, v int64) wire.Command {
	return wire.Command{Op: wire.Set, Key: k, Value: v}
}
func pexpire(ttl int64, o wire.Options) wire.Command {
	return wire.Command{Op: wire.PExpire, Key: lock, TTL: ttl, Options: o}
}
func pexpireAt(delta int64) wire.Command {
	return wire.Command{Op: wire.PExpireAt, Key: lock, TTL: delta}
}
func incrBy(v int64) wire.Command  { return wire.Command{Op: wire.IncrBy, Key: lock, Value: v} }
func release(v int64) wire.Command { return wire.Command{Op: wire.CompareDelete, Key: lock, Value: v} }
func renew(v, ttl int64) wire.Command {
	return wire.Command{Op: wire.CompareExpire, Key: lock, Value: v, TTL: ttl}
}
func write(token int64, orEqual bool) wire.Command {
	return wire.Command{Op: wire.Write, Key: highest, Token: token, OrEqual: orEqual}
}
func acquire(v, ttl int64) wire.Command {
	return wire.Command{Op: wire.SetNXToken, Key: lock, Value: v, TTL: ttl}
}
func busy(us int64) wire.Command { return wire.Command{Op: wire.Sleep, Value: us} }

var (
	get     = on(lock, wire.Get)
	exists  = on(lock, wire.Exists)
	pttl    = on(lock, wire.PTTL)
	del     = on(lock, wire.Del)
	incr    = on(lock, wire.Incr)
	persist = on(lock, wire.Persist)
	push    = on(lock, wire.Push)
	watch   = on(lock, wire.Watch)
	size    = wire.Command{Op: wire.Size} // begins at 2: the token's counter, and the highest token
)

// at is a line of plain commands, move microseconds after the one before.
func at(move int64, want string, c ...wire.Command) line {
	return line{step: step{move: move, commands: c}, want: want}
}

// multi is a transaction, lua a script, by the first connection.
func multi(move int64, want string, c ...wire.Command) line {
	return line{step: step{move: move, form: transaction, commands: c}, want: want}
}
func lua(move int64, want string, c ...wire.Command) line {
	return line{step: step{move: move, form: script, commands: c}, want: want}
}

// other lets the second connection take the step.
func other(l line) line {
	l.connection = 1
	return l
}

// since gives the replies of versions that differ.
func (l line) since(frozen string) line { l.frozen = frozen; return l }
func (l line) on8(valkey string) line   { l.valkey = valkey; return l }

const (
	ms  = 1000
	sec = 1000 * ms
)

var rules = []rule{
	{"1.1", "A key has expired if now > deadline: it lives through the whole millisecond of its deadline, with PTTL 0.", []example{
		{"the last microsecond", []line{
			at(0, "0", set(1, 100, wire.PX)), at(100*ms, "0 1", pttl, exists), at(999, "0 1", pttl, exists), at(1, "-2 0", pttl, exists),
		}},
	}},
	{"1.2", "The deadline is now + n: the key lives n + 1 ms, less the part of a millisecond that had passed.", []example{
		{"set at +500 us", []line{at(500, "0", set(1, 100, wire.PX)), at(100*ms+499, "1", exists), at(1, "0", exists)}},
		{"set at +999 us", []line{at(999, "0", set(1, 100, wire.PX)), at(100*ms, "1", exists), at(1, "0", exists)}},
	}},
	{"1.3", "So a second SET NX succeeds at the earliest n ms and 1 us, at the latest n + 1 ms after the first.", []example{
		{"earliest", []line{at(999, "0", setNX(1, 5)), at(5*ms, "nil", setNX(2, 5)), at(1, "0", setNX(2, 5))}},
		{"latest", []line{at(0, "0", setNX(1, 5)), at(6*ms-1, "nil", setNX(2, 5)), at(1, "0", setNX(2, 5))}},
	}},
	{"1.4", "PEXPIRE and PEXPIREAT have the other boundary: a deadline <= now deletes at once, and replies 1.", []example{
		{"now", []line{at(0, "0 1 0", setKey(lock, 1), pexpireAt(0), exists)}},
		{"the next millisecond", []line{at(0, "0 1 1 1", setKey(lock, 1), pexpireAt(1), exists, pttl)}},
		{"0 and below", []line{at(0, "0 1 0 0 1 0", setKey(lock, 1), pexpire(0, 0), exists, setKey(lock, 1), pexpire(-5, 0), exists)}},
	}},
	{"1.5", "SET with a deadline in the past replies OK. Redis stores a key that is gone (at now: alive for the rest of the millisecond). Valkey 8 stores nothing, at now neither, and deletes what was there.", []example{
		{"now", []line{at(0, "0 1 0", set(1, 0, wire.PXAT), exists, pttl).on8("0 0 -2")}},
		{"before", []line{at(0, "0 3 0 2", set(1, -1, wire.PXAT), size, exists, size).on8("0 2 0 2")}},
		{"over a key", []line{at(0, "0 0 3", setKey(lock, 1), set(1, -1, wire.PXAT), size).on8("0 0 2")}},
	}},
	{"1.7", "PTTL = deadline - now in whole milliseconds, so up to 1 ms less than what is left.", []example{
		{"late in the millisecond", []line{at(999, "0 5", set(1, 5, wire.PX), pttl), at(1, "4", pttl), at(5*ms-1, "0 1", pttl, exists), at(1, "-2", pttl)}},
	}},
	{"1.8", "A key whose time has come stays until it is touched; DBSIZE counts it, every command on it finds it absent.", []example{
		{"touched by GET", []line{at(0, "0", set(1, 1, wire.PX)), at(2*ms, "3 nil 2", size, get, size)}},
	}},
	{"1.9", "Over such a key: SET NX is OK, SET NX GET is nil and sets, SET XX is nil, KEEPTTL keeps nothing, DEL and PEXPIRE are 0, INCR begins anew without a deadline.", []example{
		{"NX", []line{at(0, "0", set(1, 1, wire.PX)), at(2*ms, "0 2", set(2, 0, wire.NX), get)}},
		{"NX GET", []line{at(0, "0", set(1, 1, wire.PX)), at(2*ms, "nil 2", set(2, 0, wire.NX|wire.GetOld), get)}},
		{"XX", []line{at(0, "0", set(1, 1, wire.PX)), at(2*ms, "nil nil", set(2, 0, wire.XX), get)}},
		{"KEEPTTL", []line{at(0, "0", set(1, 1, wire.PX)), at(2*ms, "0 -1", set(2, 0, wire.KeepTTL), pttl)}},
		{"DEL", []line{at(0, "0", set(1, 1, wire.PX)), at(2*ms, "0", del)}},
		{"PEXPIRE", []line{at(0, "0", set(1, 1, wire.PX)), at(2*ms, "0", pexpire(9, 0))}},
		{"INCR", []line{at(0, "0", set(7, 1, wire.PX)), at(2*ms, "1 -1", incr, pttl)}},
	}},
	{"2.1", "Expiry goes by the wall clock: a step forward ends leases, a step back prolongs them and revives keys whose time had come, if nobody has touched them.", []example{
		{"forward", []line{at(0, "0", set(1, 60_000, wire.PX)), at(59*sec, "1000", pttl), at(1001*ms, "nil", get)}},
		{"back", []line{at(0, "0", set(1, 1000, wire.PX)), at(-3600*sec, "3601000", pttl)}},
		{"revived", []line{at(0, "0", set(1, 50, wire.PX)), at(100*ms, "3", size), at(-100*ms, "1 50", get, pttl)}},
		{"not revived", []line{at(0, "0", set(1, 50, wire.PX)), at(100*ms, "nil", get), at(-100*ms, "nil", get)}},
	}},
	{"2.4", "The clock is read when each command begins, also for commands that were sent together.", []example{
		{"a slow command between", []line{at(0, "0 0 nil", set(1, 10, wire.PX), busy(50*ms), get)}},
	}},
	{"2.5", "In a script expiry goes by the clock at its start: what lives at the start lives to the end.", []example{
		{"a slow script", []line{at(0, "0", set(1, 10, wire.PX)), lua(0, "1 0 1 nil", get, busy(60*ms), get, setNX(2, 5)), at(0, "nil", get)}},
		{"set in it", []line{lua(0, "0 0 1", set(1, 10, wire.PX), busy(60*ms), get), at(0, "nil", get)}},
	}},
	{"2.6", "So it is in MULTI … EXEC. WATCH: an expiry since, touched or not, and a deletion of the expired key, abort EXEC; a key that had expired before WATCH does not.", []example{
		{"a slow transaction", []line{at(0, "0", set(1, 10, wire.PX)), multi(0, "1 0 1", get, busy(50*ms), get), at(0, "nil", get)}},
		{"expired since", []line{at(0, "0 0", set(1, 10, wire.PX), watch), multi(11*ms, "aborted", get)}},
		{"and touched", []line{at(0, "0 0", set(1, 10, wire.PX), watch), other(at(11*ms, "nil", get)), multi(0, "aborted", get)}},
		{"expired before", []line{at(0, "0", set(1, 10, wire.PX)), at(11*ms, "0", watch), other(at(0, "nil", get)), multi(0, "nil", get)}},
		{"changed", []line{at(0, "0 0", setKey(lock, 1), watch), other(at(0, "0", setKey(lock, 1))), multi(0, "aborted", get)}},
		{"not changed", []line{at(0, "0 0", setKey(lock, 1), watch), other(at(0, "nil nil 1", setNX(2, 5), release(2), get)), multi(0, "1", get)}},
		{"expired before, revived by the clock, changed: not noticed, nor by those who watch later", []line{
			at(0, "0", set(1, 10, wire.PX)), at(11*ms, "0", watch), other(at(-11*ms, "0", watch)), other(at(0, "0", setKey(lock, 2))),
			multi(0, "2", get), other(multi(0, "2", get)),
		}},
	}},
	{"2.7", "Up to 7.0 only the comparison is frozen in scripts and transactions; new deadlines and PTTL go by the clock that runs on. From 7.2 on, and in Valkey 8, all goes by the clock at the start.", []example{
		{"PTTL in a transaction", []line{at(0, "0", set(1, 10, wire.PX)), multi(0, "10 0 0 1", pttl, busy(75*ms), pttl, get).since("10 0 10 1")}},
		{"PTTL in a script", []line{at(0, "0", set(1, 10, wire.PX)), lua(0, "10 0 0 1", pttl, busy(75*ms), pttl, get).since("10 0 10 1")}},
		{"PEXPIRE in a script", []line{at(0, "0", set(1, 10, wire.PX)), lua(0, "0 1", busy(60*ms), pexpire(20, 0)), at(0, "1 20", get, pttl).since("nil -2")}},
		{"SET PX in a transaction", []line{multi(0, "0 0", busy(60*ms), set(1, 20, wire.PX)), at(0, "1 20", get, pttl).since("nil -2")}},
		{"a script in a transaction has a start of its own up to 7.0", []line{
			at(0, "0", set(1, 10, wire.PX)), multi(0, "0 nil nil", busy(60*ms), release(1), get).since("0 0 nil"),
		}},
	}},
	{"2.8", "A TTL counts from the execution of the command, not from when it was sent.", []example{
		{"behind a slow command", []line{at(0, "0 0 100", busy(300*ms), set(1, 100, wire.PX), pttl)}},
	}},
	{"3.1", "NX beside XX is an error, and nothing changes.", []example{{"both", []line{at(0, "bad-options nil", set(1, 0, wire.NX|wire.XX), get)}}}},
	{"3.2", "EX, PX, EXAT, PXAT must be above 0, and must not overflow. Nothing changes on an error.", []example{
		{"0 and below", []line{at(0, "bad-expiry bad-expiry bad-expiry nil", set(1, 0, wire.PX), set(1, -1, wire.EX), setNX(1, 0), get)}},
		{"the end of time", []line{at(0, "0 bad-expiry bad-expiry", set(1, lastTTL, wire.PX), set(1, firstBad, wire.PX), set(1, math.MaxInt64, wire.EX))}},
	}},
	{"3.3", "SET NX on a key that lives is nil, whatever its type and value; nothing changes.", []example{
		{"the same value", []line{at(0, "0 nil 5", setNX(1, 5), setNX(1, 9), pttl)}},
		{"a list", []line{at(0, "1 nil", push, setNX(1, 9))}},
	}},
	{"3.4", "SET drops the deadline, KEEPTTL and INCR keep it.", []example{
		{"SET", []line{at(0, "0 0 -1", set(1, 9, wire.PX), setKey(lock, 2), pttl)}},
		{"KEEPTTL", []line{at(0, "0 0 9", set(1, 9, wire.PX), set(2, 0, wire.KeepTTL), pttl)}},
		{"INCR", []line{at(0, "0 2 9", set(1, 9, wire.PX), incr, pttl)}},
		{"PERSIST", []line{at(0, "0 1 0 -1", set(1, 9, wire.PX), persist, persist, pttl)}},
	}},
	{"3.5", "SET NX GET replies with the old value: nil means that it was set. On a list it is an error.", []example{
		{"absent", []line{at(0, "nil 1", set(1, 0, wire.NX|wire.GetOld), get)}},
		{"present", []line{at(0, "0 1 1", setKey(lock, 1), set(2, 0, wire.NX|wire.GetOld), get)}},
		{"always set without NX", []line{at(0, "0 1 2", setKey(lock, 1), set(2, 0, wire.GetOld), get)}},
		{"a list", []line{at(0, "1 wrong-type", push, set(2, 0, wire.NX|wire.GetOld))}},
	}},
	{"3.8", "PEXPIRE: no deadline counts as one that never comes. GT and LT are strict. GT with LT, and NX with another, are errors.", []example{
		{"without a deadline", []line{at(0, "0 0 0 1 10", setKey(lock, 1), pexpire(10, wire.GT), pexpire(10, wire.XX|wire.LT), pexpire(10, wire.LT), pttl)}},
		{"with one", []line{at(0, "0 0 0 0 1 1 5", set(1, 10, wire.PX), pexpire(10, wire.GT), pexpire(10, wire.LT), pexpire(9, wire.NX), pexpire(15, wire.GT), pexpire(5, wire.LT), pttl)}},
		{"contradictions", []line{at(0, "bad-options bad-options 0", pexpire(1, wire.GT|wire.LT), pexpire(1, wire.NX|wire.GT), pexpire(1, 0))}},
	}},
	{"3.9", "PEXPIRE asks nobody's leave, and can shorten a lease; renewal compares the owner's value first.", []example{
		{"shorter", []line{at(0, "0 1 2", setNX(1, 100), pexpire(2, 0), pttl)}},
		{"by its owner only", []line{at(0, "0 nil 0 200", setNX(1, 100), renew(2, 200), renew(1, 200), pttl)}},
	}},
	{"3.10", "INCR counts in 64 bits: a missing key is 0; overflow, text and lists are errors that change nothing.", []example{
		{"missing", []line{at(0, "1", incr)}},
		{"overflow", []line{at(0, "0 overflow 9223372036854775807", setKey(lock, math.MaxInt64), incr, get), at(0, "0 overflow", setKey(lock, math.MinInt64), on(lock, wire.Decr)), at(0, "overflow", incrBy(-5))}},
		{"text", []line{at(0, "0 not-an-integer text-1", setText(1), incr, get)}},
		{"a list", []line{at(0, "1 wrong-type", push, incr)}},
	}},
	{"3.11", "A command that fails in a transaction neither stops the others nor is anything undone.", []example{
		{"in the middle", []line{multi(0, "0 not-an-integer bad-expiry 0 2", setText(1), incr, set(1, 0, wire.PX), setKey(lock, 2), get)}},
	}},
	{"4.1", "A script is atomic but not undone: an error keeps what was written before.", []example{
		{"INCR of text", []line{lua(0, "not-an-integer", setText(1), incr, del), at(0, "text-1", get)}},
		{"the acquire with a token", []line{at(0, "1 0", on(token, wire.Del), wire.Command{Op: wire.SetText, Key: token, Value: 1}), at(0, "not-an-integer 7", acquire(7, 9), get)}},
	}},
	{"4.2", "A missing value is false in Lua, and no number: a comparison with it is an error.", []example{
		{"the checked write without a highest token", []line{at(0, "1 raised nil", on(highest, wire.Del), write(5, false), on(highest, wire.Get))}},
	}},
	{"4.3", "Lua's numbers are doubles: above 2^53 tokens that differ compare as equal.", []example{
		{"a smaller token is accepted", []line{at(0, "0 9007199254740992 9007199254740992", setKey(highest, 1<<53+1), write(1<<53, false), on(highest, wire.Get))}},
		{"a greater one is refused", []line{at(0, "0 nil", setKey(highest, 1<<53), write(1<<53+1, true))}},
	}},
	{"4.4", "A number that a script returns passes through a double: from 2^53 on, tokens are duplicated and skipped, while the counter is exact. 2^63 - 1 is returned as -2^63 (on x86).", []example{
		{"2^53", []line{
			at(0, "0 9007199254740992 9007199254740993", setKey(token, 1<<53), acquire(1, 9), on(token, wire.Get)),
			at(0, "0 9007199254740994 9007199254740994", release(1), wire.Command{Op: wire.Incr, Key: token}, on(token, wire.Get)),
			at(0, "9007199254740996 9007199254740995", acquire(1, 9), on(token, wire.Get)),
		}},
		{"2^63 - 1", []line{at(0, "0 -9223372036854775808", setKey(token, math.MaxInt64-1), acquire(1, 9))}},
	}},
	{"4.7", "The release compares bytes; on a list it is an error.", []example{
		{"numbers", []line{at(0, "0 nil 0 0", setKey(lock, 10), release(1), release(10), exists)}},
		{"text is no number", []line{at(0, "0 nil", setText(10), release(10))}},
		{"a list", []line{at(0, "1 wrong-type", push, release(1))}},
	}},
}

// referenceOnly are the rules that no test here pins.
var referenceOnly = []rule{
	{number: "1.6", statement: "TTL is PTTL rounded half up to seconds; it may say 0 with 499 ms left."},
	{number: "2.2", statement: "Timers of the event loop, and so active expiry, go by a monotonic clock, but compare the wall clock."},
	{number: "2.3", statement: "BLPOP, WAIT and CLIENT PAUSE end by the wall clock."},
	{number: "2.9", statement: "Nothing expires while data are loaded, nor in the stream from a primary."},
	{number: "3.2", statement: "TTLs that are no integers (text, 1.5, +10) are errors: the model has no texts of commands."},
	{number: "3.6", statement: "SET IFEQ and the like: Valkey from 8.1, Redis from 8.4."},
	{number: "3.7", statement: "DELEX (Redis from 8.4), DELIFEQ (Valkey from 9.0): delete if equal, without a script."},
	{number: "3.11", statement: "An error when a command is queued (unknown, wrong arity) lets EXEC fail with EXECABORT."},
	{number: "4.5", statement: "A script's fractions are cut toward 0, true is 1, a table ends at its first nil."},
	{number: "4.6", statement: "How Lua writes a number as an argument: 7.0 with %.17g, later shortest; `..` with %.14g everywhere."},
	{number: "4.8", statement: "EVALSHA of a script that is not known: NOSCRIPT, nothing was executed."},
	{number: "4.9", statement: "A script over the limit (5 s) makes the server answer BUSY to others."},
}
