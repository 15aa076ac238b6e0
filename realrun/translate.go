package realrun

import (
	"fmt"
	"strconv"
	"strings"

	"locklab/worker/wire"
)

// A Request is a command as a client sends it, word by word.
type Request []any

// Translate puts a worker's command into the words of Redis. keys are the names of the keys. LoadScripts must have
// made the server know the scripts.
func Translate(c *wire.Command, keys *Keys) (Request, error) {
	key := keys.Name(c.Key)
	if r := translateUpdate(c, keys); r != nil {
		return r, nil
	}
	if r := translateWake(c, keys); r != nil {
		return r, nil
	}
	switch c.Op {
	case wire.SetNX:
		return Request{"SET", key, c.Value, "NX", "PX", c.TTL}, nil
	case wire.SetNXToken:
		return Request{"EVALSHA", setNXToken.Hash(), 2, key, keys.Name(wire.KeyToken), c.Value, c.TTL}, nil
	case wire.SetOwn:
		return Request{"EVALSHA", setOwn.Hash(), 1, key, c.Value, c.TTL}, nil
	case wire.CompareDelete:
		return Request{"EVALSHA", compareDelete.Hash(), 1, key, c.Value}, nil
	case wire.CompareExpire:
		script := compareExpire
		if c.Options&wire.ForDeadline == wire.PXAT {
			script = compareExpireAt
		}
		return Request{"EVALSHA", script.Hash(), 1, key, c.Value, c.TTL}, nil
	case wire.CompareExpireOrSet:
		return Request{"EVALSHA", compareExpireOrSet.Hash(), 1, key, c.Value, c.TTL}, nil
	case wire.Write:
		return Request{"EVALSHA", checkedWrite.Hash(), 2, key, keys.Name(wire.KeyReferee), c.Token, c.OrEqual, c.Blind, c.Worker}, nil
	case wire.Enter:
		return Request{"EVALSHA", enter.Hash(), 1, key, c.Worker, c.Own}, nil
	case wire.Leave:
		return Request{"EVALSHA", leave.Hash(), 1, key, c.Worker, c.Own}, nil
	case wire.Set:
		return append(Request{"SET", key, c.Value}, keys.mortal(c, setWords(c))...), nil
	case wire.SetText:
		return append(Request{"SET", key, textBegin + strconv.FormatInt(c.Value, 10)}, setWords(c)...), nil
	case wire.IncrBy:
		return Request{"INCRBY", key, c.Value}, nil
	case wire.PExpire, wire.PExpireAt:
		return append(Request{plainNames[c.Op], key, c.TTL}, conditions(c.Options)...), nil
	case wire.Push:
		return Request{"RPUSH", key, "x"}, nil
	case wire.Size, wire.Unwatch:
		return Request{plainNames[c.Op]}, nil
	case wire.Sleep:
		return Request{"DEBUG", "SLEEP", fmt.Sprintf("%d.%06d5", c.Value/1e6, c.Value%1e6)}, nil // it is cut, not rounded
	}
	if name, ok := plainNames[c.Op]; ok {
		return Request{name, key}, nil
	}
	return nil, fmt.Errorf("unknown command %d", c.Op)
}

// plainNames are the commands that are no scripts.
var plainNames = map[wire.Op]string{
	wire.Get: "GET", wire.Del: "DEL", wire.Exists: "EXISTS", wire.Incr: "INCR", wire.Decr: "DECR", wire.PTTL: "PTTL",
	wire.Persist: "PERSIST", wire.PExpire: "PEXPIRE", wire.PExpireAt: "PEXPIREAT", wire.Watch: "WATCH",
	wire.Unwatch: "UNWATCH", wire.Size: "DBSIZE",
}

// textBegin begins the values that are no numbers.
const textBegin = "text-"

func setWords(c *wire.Command) []any {
	words := conditions(c.Options)
	switch c.Options & wire.ForDeadline {
	case wire.EX:
		return append(words, "EX", c.TTL)
	case wire.PX:
		return append(words, "PX", c.TTL)
	case wire.EXAT:
		return append(words, "EXAT", c.TTL)
	case wire.PXAT:
		return append(words, "PXAT", c.TTL)
	case wire.KeepTTL:
		return append(words, "KEEPTTL")
	}
	return words
}

func conditions(o wire.Options) []any {
	var words []any
	for i, name := range []string{"NX", "XX", "GT", "LT", "GET"} {
		if o&(wire.NX<<i) != 0 {
			words = append(words, name)
		}
	}
	return words
}

// Understand reads a server's answer to a command: a string, an int64, nil, or a list of them.
func Understand(c *wire.Command, answer any) (wire.Reply, error) {
	if r, ok := understandLeft(c.Op, answer); ok {
		return r, nil
	}
	switch v := answer.(type) {
	case nil:
		return wire.Reply{Status: wire.Nil}, nil
	case string:
		if c.Op == wire.Get || c.Options&wire.GetOld != 0 {
			return readValue(v)
		}
		return wire.Reply{Status: wire.OK}, nil
	case int64:
		if c.Op == wire.SetOwn || c.Op == wire.CompareDelete || c.Op == wire.CompareExpire || c.Op == wire.CompareDeletePublish || c.Op == wire.DeleteInTurn {
			return wire.Reply{Status: status(v)}, nil
		}
		if c.Op == wire.CompareExpireOrSet {
			return wire.Reply{Status: status(min(v, 1)), Value: max(v-1, 0)}, nil
		}
		return wire.Reply{Status: wire.OK, Value: v}, nil
	case []any:
		return readNumbers(c, v)
	}
	return wire.Reply{}, fmt.Errorf("the server answers command %d with %T", c.Op, answer)
}

// status is the status of a script that replies with 1 for done and 0 for not done.
func status(done int64) wire.Status {
	if done == 1 {
		return wire.OK
	}
	return wire.Nil
}

func readValue(v string) (wire.Reply, error) {
	digits, isText := strings.CutPrefix(v, textBegin)
	n, err := strconv.ParseInt(digits, 10, 64)
	return wire.Reply{Status: wire.OK, Value: n, Text: isText}, err
}

// readNumbers reads the answer of the resource (2 numbers) or the referee (4).
func readNumbers(c *wire.Command, list []any) (wire.Reply, error) {
	if c.Op == wire.GetVersioned {
		return readVersioned(list)
	}
	want := 4
	if c.Op < wire.Enter {
		want = 2
	}
	var n [4]int64
	for i, v := range list {
		number, ok := v.(int64)
		if !ok || i == want {
			return wire.Reply{}, fmt.Errorf("the script replied with %v, want %d numbers", list, want)
		}
		n[i] = number
	}
	if len(list) != want {
		return wire.Reply{}, fmt.Errorf("the script replied with %d numbers, want %d", len(list), want)
	}
	switch c.Op {
	case wire.Write, wire.Perform, wire.PerformOnce:
		return wire.Reply{Status: status(n[0]), Value: n[1]}, nil
	case wire.SetVersioned, wire.SetIfVersion:
		return wire.Reply{Status: status(n[0]), Version: n[1]}, nil
	case wire.AddVersioned:
		return wire.Reply{Status: wire.OK, Value: n[0], Version: n[1]}, nil
	}
	return wire.Reply{Status: wire.OK, Order: n[0], At: n[1], Inside: int32(n[2]), Overlap: n[3] * 1000}, nil
}
