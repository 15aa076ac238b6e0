package realrun

import (
	"github.com/redis/go-redis/v9"

	"locklab/worker/wire"
)

// The scripts of a lock whose waiters are told of a release. Who tells whom is said beside the commands, in worker/wire.
var (
	setNXOrLeft = redis.NewScript(`
return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) or redis.call('PTTL', KEYS[1])`)

	setNXTokenOrLeft = redis.NewScript(`
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
	return {redis.call('INCR', KEYS[2])}
end
return redis.call('PTTL', KEYS[1])`)

	compareDeletePublish = redis.NewScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[2], '')
return 1`)

	setInTurn = redis.NewScript(queueBegin + `
local first = first_in_queue(ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left == -2 and (not first or first == ARGV[1]) then
	local ok = redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
	leave_queue(ARGV[1])
	return ok
end
if left == -2 then
	left = math.min(ARGV[2], redis.call('HGET', KEYS[3], first) - now)
elseif left == -1 then
	left = tonumber(ARGV[2])
end
if redis.call('HSET', KEYS[3], ARGV[1], string.format('%.0f', now + left + ARGV[3])) == 1 then
	redis.call('RPUSH', KEYS[2], ARGV[1])
end
if ARGV[4] ~= '0' then
	redis.call('PEXPIRE', KEYS[2], ARGV[4])
	redis.call('PEXPIRE', KEYS[3], ARGV[4])
end
return left`)

	deleteInTurn = redis.NewScript(queueBegin + `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
tell_first(ARGV[2])
return 1`)

	leaveQueue = redis.NewScript(queueBegin + `
leave_queue(ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 0 then tell_first(ARGV[2]) end
return redis.status_reply('OK')`)

	wakeScripts = []*redis.Script{setNXOrLeft, setNXTokenOrLeft, compareDeletePublish, setInTurn, deleteInTurn, leaveQueue}
)

// queueBegin begins the scripts that know of the queue: a list of owner values, and a hash of the milliseconds of the server's
// clock from which on each may be dropped. Both have the same members.
const queueBegin = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function leave_queue(owner)
	redis.call('LREM', KEYS[2], 1, owner)
	redis.call('HDEL', KEYS[3], owner)
end
local function first_in_queue(but)
	local first = redis.call('LINDEX', KEYS[2], 0)
	while first and first ~= but and tonumber(redis.call('HGET', KEYS[3], first)) <= now do
		leave_queue(first)
		first = redis.call('LINDEX', KEYS[2], 0)
	end
	return first
end
local function tell_first(channel)
	local first = first_in_queue(false)
	if first then redis.call('PUBLISH', channel .. ':' .. first, '') end
end
`

// translateWake is Translate for what only those who wait have a use for; nil for anything else.
func translateWake(c *wire.Command, keys *Keys) Request {
	key := keys.Name(c.Key)
	switch c.Op {
	case wire.SetNXOrLeft:
		return Request{"EVALSHA", setNXOrLeft.Hash(), 1, key, c.Value, c.TTL}
	case wire.SetNXTokenOrLeft:
		return Request{"EVALSHA", setNXTokenOrLeft.Hash(), 2, key, keys.Name(wire.KeyToken), c.Value, c.TTL}
	case wire.CompareDeletePublish:
		return Request{"EVALSHA", compareDeletePublish.Hash(), 1, key, c.Value, keys.channel}
	case wire.SetInTurn:
		return Request{"EVALSHA", setInTurn.Hash(), 3, key, keys.queue, keys.places, c.Value, c.TTL, c.Place, keys.life.Milliseconds()}
	case wire.DeleteInTurn:
		return Request{"EVALSHA", deleteInTurn.Hash(), 3, key, keys.queue, keys.places, c.Value, keys.channel}
	case wire.LeaveQueue:
		return Request{"EVALSHA", leaveQueue.Hash(), 3, key, keys.queue, keys.places, c.Value, keys.channel}
	}
	return nil
}

// understandLeft reads what a script answers that refuses a lease by how much is left of it. It reports false if the script is
// none of those.
func understandLeft(op wire.Op, answer any) (wire.Reply, bool) {
	if op != wire.SetNXOrLeft && op != wire.SetNXTokenOrLeft && op != wire.SetInTurn {
		return wire.Reply{}, false
	}
	switch v := answer.(type) {
	case int64:
		return wire.Reply{Status: wire.Nil, Value: v}, true
	case []any:
		if token, ok := v[0].(int64); ok && len(v) == 1 {
			return wire.Reply{Status: wire.OK, Value: token}, true
		}
	}
	return wire.Reply{}, false
}
