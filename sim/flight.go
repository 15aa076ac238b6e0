package sim

import (
	"locklab/history"
	"locklab/worker/wire"
)

// purposes say what commands are for.
var purposes = map[wire.Op]string{
	wire.SetNX: "acquire", wire.SetNXToken: "acquire", wire.CompareDelete: "release", wire.CompareExpire: "renew",
	wire.Incr: "token", wire.Write: "write", wire.Enter: "enter", wire.Leave: "leave",
	wire.SetOwn: "acquire", wire.Set: "set", wire.PExpire: "expire", wire.Get: "get", wire.Del: "delete", wire.CompareExpireOrSet: "renew",
	wire.Watch: "watch", wire.GetVersioned: "read", wire.SetVersioned: "write", wire.SetIfVersion: "write", wire.ExecSet: "write",
	wire.SetNXOrLeft: "acquire", wire.SetNXTokenOrLeft: "acquire", wire.CompareDeletePublish: "release",
	wire.SetInTurn: "acquire", wire.DeleteInTurn: "release", wire.LeaveQueue: "leave the queue", wire.Subscribe: "subscribe",
	wire.AddVersioned: "update", wire.IncrBy: "update", wire.Perform: "do the job", wire.PerformOnce: "do the job",
}

// purpose is what a command is for.
func purpose(op wire.Op) string {
	if p, ok := purposes[op]; ok {
		return p
	}
	return "command"
}

// mostStores is more than there are stores.
const mostStores = wire.MaxStores + 1

// sent takes note of a command that a worker sends to a store, if somebody looks.
func (r *Run) sent(c *wire.Command, store int32, now int64) {
	if r.Flights == nil {
		return
	}
	place := int(c.Worker*mostStores + store)
	for place >= len(r.flying) {
		r.flying = append(r.flying, 0)
	}
	r.flying[place] = now
}

// executed shows a command that a store has executed, if somebody looks. replied is when the reply will be at its worker; -1 if
// there is none.
func (r *Run) executed(c *wire.Command, store int32, now, replied int64) {
	if r.Flights == nil {
		return
	}
	r.Flights(&history.Flight{
		Worker: c.Worker, Store: store, Command: purpose(c.Op),
		Sent: r.flying[c.Worker*mostStores+store], Executed: now, Replied: replied,
	})
}
