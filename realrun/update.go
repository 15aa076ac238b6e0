package realrun

import (
	"context"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"locklab/worker/wire"
)

// The scripts that write the resource. Each also tells the referee's hash what the worker's last write was, for one that dies
// before it has the reply; a refusal for another reason than a token is none.
var (
	setVersioned = redis.NewScript(fence + `
redis.call('SET', KEYS[3], ARGV[5], 'KEEPTTL')
local version = redis.call('INCR', KEYS[4])
redis.call('HSET', KEYS[2], 'result:' .. ARGV[4], version)
return {1, version}`)

	perform = redis.NewScript(fence + `
local times = redis.call('INCR', KEYS[3])
if times == 1 and ARGV[5] ~= '0' then redis.call('PEXPIRE', KEYS[3], ARGV[5]) end
redis.call('HSET', KEYS[2], 'result:' .. ARGV[4], times)
return {1, times}`)

	setIfVersion = redis.NewScript(`
if tonumber(redis.call('GET', KEYS[3]) or 0) ~= tonumber(ARGV[3]) then return {0, 0} end
redis.call('SET', KEYS[2], ARGV[2], 'KEEPTTL')
local result = redis.call('INCR', KEYS[3])` + noteWrite + `
return {1, result}`)

	addVersioned = redis.NewScript(`
local sum = tonumber(redis.call('GET', KEYS[2]) or 0) + tonumber(ARGV[2])
redis.call('SET', KEYS[2], string.format('%.0f', sum), 'KEEPTTL')
local result = redis.call('INCR', KEYS[3])` + noteWrite + `
return {sum, result}`)

	performOnce = redis.NewScript(`
local done = tonumber(redis.call('GET', KEYS[2]) or 0)
if done > 0 then return {0, done} end
local result = redis.call('INCR', KEYS[2])
if ARGV[2] ~= '0' then redis.call('PEXPIRE', KEYS[2], ARGV[2]) end` + noteWrite + `
return {1, result}`)

	updateScripts = []*redis.Script{setVersioned, perform, setIfVersion, addVersioned, performOnce}
)

// checkToken is how scripts begin that check a token, up to what a refusal replies: KEYS the highest token and the referee, ARGV the
// token, whether an equal one is refused, whether the token is not looked at, and the worker.
const checkToken = `
local highest = tonumber(redis.call('GET', KEYS[1]))
local token = tonumber(ARGV[1])
local refused = ARGV[3] ~= '1' and (token < highest or (ARGV[2] == '1' and token == highest))
redis.call('HINCRBY', KEYS[2], 'writes:' .. ARGV[4], 1)
redis.call('HSET', KEYS[2], 'refused:' .. ARGV[4], refused and 1 or 0)
if refused then
	redis.call('HINCRBY', KEYS[2], 'rejected', 1)`

// fence is the whole check, of scripts that write the resource after it.
const fence = checkToken + `
	return {0, 0}
end
if ARGV[3] ~= '1' then redis.call('SET', KEYS[1], ARGV[1], 'KEEPTTL') end`

// noteWrite tells the referee, KEYS[1], that worker ARGV[1] has written, with a result.
const noteWrite = `
redis.call('HINCRBY', KEYS[1], 'writes:' .. ARGV[1], 1)
redis.call('HSET', KEYS[1], 'refused:' .. ARGV[1], 0, 'result:' .. ARGV[1], result)`

// translateUpdate is Translate for the commands that are scripts here or read the resource; nil for all others.
func translateUpdate(c *wire.Command, keys *Keys) Request {
	key, beside, referee := keys.Name(c.Key), keys.Name(c.Key.Beside()), keys.Name(wire.KeyReferee)
	life := keys.life.Milliseconds()
	switch c.Op {
	case wire.GetVersioned:
		return Request{"MGET", key, beside}
	case wire.SetVersioned:
		return Request{"EVALSHA", setVersioned.Hash(), 4, keys.Name(wire.KeyHighest), referee, key, beside,
			c.Token, c.OrEqual, c.Blind, c.Worker, c.Value}
	case wire.Perform:
		return Request{"EVALSHA", perform.Hash(), 3, keys.Name(wire.KeyHighest), referee, key,
			c.Token, c.OrEqual, c.Blind, c.Worker, life}
	case wire.SetIfVersion:
		return Request{"EVALSHA", setIfVersion.Hash(), 3, referee, key, beside, c.Worker, c.Value, c.Version}
	case wire.AddVersioned:
		return Request{"EVALSHA", addVersioned.Hash(), 3, referee, key, beside, c.Worker, c.Value}
	case wire.PerformOnce:
		return Request{"EVALSHA", performOnce.Hash(), 2, referee, key, c.Worker, life}
	}
	return nil
}

// mortal gives a SET that has no deadline one far beyond the run, so that nothing stays behind whatever happens.
func (k *Keys) mortal(c *wire.Command, words []any) []any {
	if c.Options&wire.ForDeadline != 0 || k.life == 0 {
		return words
	}
	return append(words, "PX", k.life.Milliseconds())
}

// pipelined carries out the commands that are plain ones of Redis, but more than one: a transaction, and an increment, after
// which the referee is told of the write. It reports false for all others.
func pipelined(ctx context.Context, c *redis.Client, keys *Keys, cmd *wire.Command) (reply wire.Reply, done bool, err error) {
	switch {
	case cmd.Op == wire.ExecSet:
		reply, err = execSet(ctx, c, keys, cmd)
	case cmd.Op == wire.IncrBy && cmd.Key == wire.KeyBalance:
		reply, err = incrBy(ctx, c, keys, cmd)
	default:
		return wire.Reply{}, false, nil
	}
	return reply, true, err
}

func execSet(ctx context.Context, c *redis.Client, keys *Keys, cmd *wire.Command) (wire.Reply, error) {
	var version *redis.IntCmd
	_, err := c.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.Set(ctx, keys.Name(cmd.Key), cmd.Value, redis.KeepTTL)
		version = p.Incr(ctx, keys.Name(cmd.Key.Beside()))
		noteWriteBy(ctx, p, keys, cmd.Worker)
		return nil
	})
	if err == redis.TxFailedErr {
		return wire.Reply{Status: wire.Nil}, nil
	}
	if err != nil {
		return wire.Reply{}, err
	}
	return wire.Reply{Status: wire.OK, Version: version.Val()}, nil
}

func incrBy(ctx context.Context, c *redis.Client, keys *Keys, cmd *wire.Command) (wire.Reply, error) {
	var sum *redis.IntCmd
	_, err := c.Pipelined(ctx, func(p redis.Pipeliner) error {
		sum = p.IncrBy(ctx, keys.Name(cmd.Key), cmd.Value)
		noteWriteBy(ctx, p, keys, cmd.Worker)
		return nil
	})
	if err != nil {
		return wire.Reply{}, err
	}
	return wire.Reply{Status: wire.OK, Value: sum.Val()}, nil
}

// noteWriteBy is noteWrite without a script.
func noteWriteBy(ctx context.Context, p redis.Pipeliner, keys *Keys, worker int32) {
	referee, id := keys.Name(wire.KeyReferee), strconv.Itoa(int(worker))
	p.HIncrBy(ctx, referee, "writes:"+id, 1)
	p.HSet(ctx, referee, "refused:"+id, 0, "result:"+id, 0)
}

// readVersioned reads the answer to MGET: a number and its version, 0 for what is not there.
func readVersioned(list []any) (wire.Reply, error) {
	if len(list) != 2 {
		return wire.Reply{}, fmt.Errorf("MGET replied with %d values, want 2", len(list))
	}
	n, err := appendNumbers(nil, list)
	if err != nil {
		return wire.Reply{}, fmt.Errorf("read the resource: %w", err)
	}
	return wire.Reply{Status: wire.OK, Value: n[0], Version: n[1]}, nil
}

// appendNumbers appends the numbers that MGET replied with, 0 for what is not there.
func appendNumbers(numbers []int64, list []any) ([]int64, error) {
	for _, v := range list {
		var n int64
		if text, ok := v.(string); ok {
			var err error
			if n, err = strconv.ParseInt(text, 10, 64); err != nil {
				return nil, err
			}
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}
