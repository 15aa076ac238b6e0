// Package random draws small scenarios, to try predictions on: 2 to 6 workers, 5 to 20 rounds, work of 20 to 300 ms, and every kind of
// retry after a sleep, fencing, resource, pause, crash, delay and law. Locks are at one store, and not renewed.
//
// In two of five all laws are constants, so that what varies is the machine alone and when workers start.
//
// The package knows nothing of what becomes of them: many hold, and some take too long to be measured. Who wants them with or without
// conflicts, or short, draws more and chooses.
package random

import (
	"fmt"

	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/worker"
	"locklab/worker/lock"
)

// Scenario draws scenario i of a seed. The same seed and i give the same scenario, on every machine.
func Scenario(seed, i uint64) *scenarios.Scenario {
	name := choice.NameOf("scenario", 0, "parts")
	d := drawing{dice: dice{stream: choice.Seeded(choice.RunSeed(seed, i)).Stream(name, choice.Fixed)}}
	d.constant = d.chance(40)
	d.s = &scenarios.Scenario{
		Name:    fmt.Sprintf("random-%d-%d", seed, i),
		Title:   fmt.Sprintf("Random scenario %d of seed %d", i, seed),
		Workers: int(d.between(2, 6)),
	}
	d.round()
	d.lock()
	d.fencing()
	if d.chance(20) {
		name := choice.NameOf("scenario", 0, "resource") // apart, so that it shifts no other draw
		of := dice{stream: choice.Seeded(choice.RunSeed(seed, i)).Stream(name, choice.Fixed)}
		d.s.Resource = of.resource(d.s.Fencing.Check)
	}
	d.pauses()
	d.crash()
	d.delay()
	return d.s
}

// A drawing is a scenario that is being drawn.
type drawing struct {
	dice
	s    *scenarios.Scenario
	work int64 // about how long it takes
}

// round draws all of a round but the lock.
func (d *drawing) round() {
	d.work = d.length(20*ms, 300*ms)
	d.s.Rounds = int32(d.between(5, 20))
	d.s.Work, d.s.WorkCPU = d.law(d.work), d.chance(20)
	if d.chance(75) {
		d.s.Think = d.law(d.length(1*ms, 100*ms))
	}
	if d.chance(75) {
		d.s.Start = d.length(1*ms, 50*ms)
	}
	if d.chance(25) {
		d.s.Apart = d.length(1*ms, 30*ms)
	}
}

// lock draws a lock; of ten scenarios, one has none. A TTL is shorter than the work, longer, or much longer.
func (d *drawing) lock() {
	if d.chance(10) {
		return
	}
	ttl := oneOf(&d.dice, d.share(d.work, 30, 100), d.share(d.work, 100, 300), d.share(d.work, 300, 800))
	d.s.Lock = lock.Policy{Kind: lock.Single, TTL: max(ttl/ms, 5) * ms, Retry: d.retry()}
}

func (d *drawing) retry() lock.Retry {
	every := d.length(2*ms, 60*ms)
	r := lock.Retry{Every: d.law(every)}
	if d.chance(30) {
		r.Factor = oneOf(&d.dice, 1.2, 1.5, 2, 3)
		if d.chance(70) {
			r.Most = every * d.between(2, 8)
		}
	}
	if d.chance(15) {
		r.Tries = d.between(1, 15)
	}
	if d.chance(15) {
		r.Longest = d.share(d.work, 50, 400)
	}
	return r
}

func (d *drawing) fencing() {
	if d.chance(50) {
		return
	}
	tokens := []worker.TokenAt{worker.TokenBefore, worker.TokenAfter, worker.TokenInside}
	if d.s.Lock.Kind == lock.None {
		tokens = tokens[:2]
	}
	const both = worker.CheckStart | worker.CheckCommit
	f := worker.Fencing{
		Token: oneOf(&d.dice, tokens...),
		Check: oneOf(&d.dice, 0, worker.CheckStart, worker.CheckCommit, both),
	}
	f.OrEqual = f.Check != 0 && f.Check != both && d.chance(40)
	d.s.Fencing, d.s.Lock.TokenInside = f, f.Token == worker.TokenInside
}

// resource draws what the lock protects, of those whose commit can be checked if it is.
func (d *dice) resource(check worker.CheckAt) worker.Resource {
	r := worker.Resource{Kind: worker.Job, Update: oneOf(d, worker.Plain, worker.Idempotent, worker.Transaction, worker.Partition)}
	if d.chance(60) {
		r = worker.Resource{
			Kind: worker.Balance, Amount: d.between(1, 100), Opening: d.between(0, 1000),
			Update: oneOf(d, worker.Plain, worker.Plain, worker.Atomic, worker.Optimistic, worker.Versioned, worker.Transaction, worker.Partition),
		}
	}
	if check&worker.CheckCommit != 0 && !r.Fenced() {
		r.Update = worker.Plain
	}
	return r
}

// delay draws delays beside the machine's own.
func (d *drawing) delay() {
	if d.chance(20) {
		d.s.Delay.Network = d.law(d.length(ms/2, 5*ms))
	}
	if d.chance(20) {
		d.s.Delay.Timer = d.law(d.length(ms/2, 5*ms))
	}
}
