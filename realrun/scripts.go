package realrun

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"locklab/worker/wire"
)

// Numbers that may exceed 14 digits are written with %.0f: Lua's own conversion would round them.
var (
	compareDelete = redis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then
	return redis.call('DEL', KEYS[1])
end
return 0`)

	compareExpire = redis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then
	return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0`)

	compareExpireAt = redis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then
	return redis.call('PEXPIREAT', KEYS[1], ARGV[2])
end
return 0`)

	compareExpireOrSet = redis.NewScript(`
local owner = redis.call('GET', KEYS[1])
if owner == false then
	redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
	return 2
end
if owner == ARGV[1] then
	return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0`)

	setNXToken = redis.NewScript(`
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
	return redis.call('INCR', KEYS[2])
end
return false`)

	setOwn = redis.NewScript(`
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`)

	checkedWrite = redis.NewScript(checkToken + `
	return {0, highest}
end
if ARGV[3] == '1' then return {1, highest} end
redis.call('SET', KEYS[1], ARGV[1], 'KEEPTTL')
return {1, token}`)

	// The referee's scripts begin alike: read the clock, and count the time since the last change as overlap if two
	// or more were inside. A critical section that is a worker's own has nothing to do with those inside the common one.
	enter = redis.NewScript(refereeBegin + `
if own then inside = 1
elseif redis.call('HSETNX', KEYS[1], me, 1) == 1 then inside = inside + 1 end
redis.call('HINCRBY', KEYS[1], 'entries', 1)
if inside > 1 then redis.call('HINCRBY', KEYS[1], 'conflicts', 1) end` + refereeEnd)

	leave = redis.NewScript(refereeBegin + `
if own then inside = 0
else inside = inside - redis.call('HDEL', KEYS[1], me) end` + refereeEnd)

	allScripts = append([]*redis.Script{
		compareDelete, compareExpire, compareExpireAt, compareExpireOrSet, setNXToken, setOwn, checkedWrite, enter, leave,
	}, append(updateScripts, wakeScripts...)...)
)

const refereeBegin = `
local me, own = 'in:' .. ARGV[1], ARGV[2] == '1'
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local state = redis.call('HMGET', KEYS[1], 'inside', 'changed')
local inside = tonumber(state[1])
local overlap = 0
if inside > 1 then overlap = now - tonumber(state[2]) end`

const refereeEnd = `
redis.call('HSET', KEYS[1], 'inside', inside, 'changed', string.format('%.0f', now))
redis.call('HINCRBY', KEYS[1], 'overlap_us', string.format('%.0f', overlap))
local order = redis.call('HINCRBY', KEYS[1], 'order', 1)
redis.call('HSET', KEYS[1], 'last:' .. ARGV[1], string.format('%.0f %.0f %d %.0f', order, now, inside, overlap))
return {order, now, inside, overlap}`

// LoadScripts makes the server know all scripts, so that EVALSHA never has to be repeated with the text.
func LoadScripts(ctx context.Context, c *redis.Client) error {
	for _, s := range allScripts {
		if err := s.Load(ctx, c).Err(); err != nil {
			return fmt.Errorf("load a script: %w", err)
		}
	}
	return nil
}

// execute sends a worker's command to its store, as a real client would, and waits for the reply.
func execute(ctx context.Context, c *redis.Client, keys *Keys, cmd *wire.Command) (wire.Reply, error) {
	if reply, done, err := pipelined(ctx, c, keys, cmd); done {
		return reply, err
	}
	request, err := Translate(cmd, keys)
	if err != nil {
		return wire.Reply{}, err
	}
	answer, err := c.Do(ctx, request...).Result()
	if err != nil && err != redis.Nil {
		return wire.Reply{}, err
	}
	return Understand(cmd, answer)
}
