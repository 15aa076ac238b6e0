package store_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"locklab/worker/wire"
)

var (
	howMany = flag.Int("n", 50_000, "commands that each server is compared with the model on")
	seed    = flag.Uint64("seed", uint64(time.Now().UnixNano()), "where the commands come from")
)

// stepsPerCase is after how many steps both worlds begin anew.
const stepsPerCase = 50

// TestConformance holds model and server against each other on random commands, clock movements, transactions and
// scripts. A mismatch is reported by the fewest steps that lead to it.
func TestConformance(t *testing.T) {
	forEachServer(t, func(t *testing.T, p *pair) {
		began, done := time.Now(), 0
		for i := uint64(0); done < *howMany; i++ {
			steps := randomSteps(rand.New(rand.NewPCG(*seed, i)))
			if bad := p.mismatch(steps); bad >= 0 {
				steps = p.shrink(steps[:bad+1])
				t.Fatalf("%s and the model differ (-seed %d, case %d):\n%s", p.name, *seed, i, p.story(steps))
			}
			for s := range steps {
				done += len(steps[s].commands)
			}
		}
		t.Logf("%s: %d commands in %.1f s without a mismatch (-seed %d)", p.name, done, time.Since(began).Seconds(), *seed)
	})
}

// mismatch takes the steps from an empty store on, and returns the first one at which the worlds differ; -1 if none.
func (p *pair) mismatch(steps []step) int {
	p.reset()
	for i := range steps {
		if model, real := p.take(&steps[i]); !model.equal(&real) {
			return i
		}
	}
	if p.clock.Now().UnixMicro() != p.us {
		panic("the server's clock is not where the model's is")
	}
	return -1
}

// shrink makes steps that end in a mismatch fewer and simpler, as long as they do.
func (p *pair) shrink(steps []step) []step {
	fails := func(tried []step) bool { return len(tried) > 0 && p.mismatch(tried) >= 0 }
	for size := len(steps) / 2; size > 0; {
		smaller := false
		for at := 0; at+size <= len(steps); {
			without := append(append([]step{}, steps[:at]...), steps[at+size:]...)
			if fails(without) {
				steps, smaller = without, true
			} else {
				at += size
			}
		}
		if !smaller {
			size /= 2
		}
	}
	for i := range steps {
		for _, simpler := range simplerSteps(steps[i]) {
			tried := append([]step{}, steps...)
			tried[i] = simpler
			if fails(tried) {
				steps = tried
			}
		}
	}
	return steps
}

// simplerSteps are the ways to make a step simpler: without its look, its move, or one of its commands.
func simplerSteps(s step) []step {
	still, blind := s, s
	still.move = 0
	blind.look = false
	all := []step{still, blind}
	for i := range s.commands {
		if len(s.commands) > 1 {
			fewer := s
			fewer.commands = append(append([]wire.Command{}, s.commands[:i]...), s.commands[i+1:]...)
			all = append(all, fewer)
		}
	}
	return all
}

// story tells the steps, and what each world made of them.
func (p *pair) story(steps []step) string {
	var b strings.Builder
	p.reset()
	for i := range steps {
		model, real := p.take(&steps[i])
		fmt.Fprintln(&b, steps[i].String())
		if model.equal(&real) {
			fmt.Fprintf(&b, "            both: %s\n", model.String())
			continue
		}
		fmt.Fprintf(&b, "           model: %s\n          server: %s\n", model.String(), real.String())
	}
	return b.String()
}

// moves are what the clock does between steps, in microseconds: often nothing, often to the edges of milliseconds.
var moves = []int64{
	0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 10, 499, 500, 501, 998, 999, 1000, 1000, 1001, 1999, 2000, 3000, 5000, 9999, 100_000,
	1_000_000, 1_001_000, -1, -500, -999, -1000, -1001, -2000, -5000, -1_000_000,
}

var (
	ttls   = []int64{1, 1, 1, 2, 2, 3, 5, 10, 10, 100, 0, -1, 1000, math.MaxInt64, lastTTL, firstBad}
	values = []int64{
		0, 1, 1, 1, 2, 2, 3, -1, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1,
		1 << 53, 1<<53 - 1, 1<<53 + 1, 1<<53 + 2, -1<<53 - 1,
	}
	conditions = []wire.Options{0, 0, 0, wire.NX, wire.XX, wire.NX | wire.XX}
	deadlines  = []wire.Options{0, wire.PX, wire.PX, wire.PX, wire.EX, wire.EXAT, wire.PXAT, wire.PXAT, wire.KeepTTL}
	prolonging = []wire.Options{0, 0, 0, 0, wire.NX, wire.XX, wire.GT, wire.LT, wire.XX | wire.GT, wire.NX | wire.GT, wire.GT | wire.LT, wire.XX | wire.LT}

	// simple are the commands that a script may call, common ones more often; calls can also stand in a transaction,
	// and the rest only by themselves.
	simple = []wire.Op{
		wire.Set, wire.Set, wire.Set, wire.Set, wire.SetText, wire.Get, wire.Get, wire.Del, wire.Exists, wire.Incr, wire.IncrBy,
		wire.Decr, wire.PExpire, wire.PExpire, wire.PExpire, wire.PExpireAt, wire.PExpireAt, wire.PTTL, wire.Persist,
		wire.Push, wire.Size, wire.SetNX, wire.SetNX,
	}
	calls = append([]wire.Op{
		wire.SetNXToken, wire.SetOwn, wire.CompareDelete, wire.CompareDelete, wire.CompareExpire, wire.CompareExpire, wire.CompareExpireOrSet, wire.Write,
		wire.Write, wire.Enter, wire.Leave, wire.Sleep, wire.Sleep, wire.SetNXOrLeft, wire.SetNXTokenOrLeft, wire.CompareDeletePublish,
	}, simple...)
	all = append([]wire.Op{wire.Watch, wire.Watch, wire.Watch, wire.Unwatch}, calls...)
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// A swarm is what the steps of one case are made of: a few commands, keys, TTLs and moves rather than all, so that
// what needs several of the same to meet is not drowned by the others.
type swarm struct {
	*rand.Rand
	all, calls, simple []wire.Op
	keys               []wire.Key
	ttls, moves        []int64
	connections        int32
	watchful           bool // look at keys after every step; else rarely, so that some are left alone after their time
}

func newSwarm(r *rand.Rand) *swarm {
	return &swarm{
		Rand: r, all: some(r, all), calls: some(r, calls), simple: some(r, simple), keys: some(r, keys),
		ttls: some(r, ttls), moves: someMoves(r), connections: 1 + r.Int32N(connections), watchful: r.IntN(2) == 0,
	}
}

// someMoves are all or a few moves, or one forth and back.
func someMoves(r *rand.Rand) []int64 {
	if r.IntN(3) > 0 {
		return some(r, moves)
	}
	m := pick(r, []int64{1000, 2000, 5000, 100_000})
	return []int64{0, m, -m}
}

// some is all, or a few of a list.
func some[T any](r *rand.Rand, from []T) []T {
	if r.IntN(2) == 0 {
		return from
	}
	few := make([]T, 1+r.IntN(min(8, len(from))))
	for i := range few {
		few[i] = pick(r, from)
	}
	return few
}

func randomSteps(r *rand.Rand) []step {
	s := newSwarm(r)
	steps := make([]step, stepsPerCase)
	for i := range steps {
		steps[i] = s.step()
	}
	steps[0].move = r.Int64N(1000) // the phase within a millisecond
	return steps
}

func (s *swarm) step() step {
	it := step{move: pick(s.Rand, s.moves), connection: s.Int32N(s.connections), look: s.watchful || s.IntN(10) == 0}
	ops, n := s.all, 1
	switch s.IntN(8) {
	case 0:
		it.form, ops, n = script, s.simple, 1+s.IntN(4)
	case 1:
		it.form, ops, n = transaction, s.calls, 1+s.IntN(4)
	}
	for range n {
		it.commands = append(it.commands, s.command(pick(s.Rand, ops)))
	}
	return it
}

func (s *swarm) command(op wire.Op) wire.Command {
	r := s.Rand
	c := wire.Command{
		Op: op, Key: pick(r, s.keys), Value: pick(r, values), TTL: pick(r, s.ttls), Token: pick(r, values), OrEqual: r.IntN(2) == 0,
	}
	switch op {
	case wire.Set, wire.SetText:
		c.Options = pick(r, conditions) | pick(r, deadlines) | pick(r, []wire.Options{0, 0, wire.GetOld})
	case wire.PExpire, wire.PExpireAt:
		c.Options = pick(r, prolonging)
	case wire.CompareExpire:
		c.Options = pick(r, []wire.Options{0, 0, wire.PXAT})
	case wire.Enter, wire.Leave:
		c.Key = wire.KeyReferee
	case wire.Write:
		c.Key = pick(r, []wire.Key{wire.KeyHighest, wire.KeyHighest, wire.KeyHighest, c.Key})
	case wire.Sleep:
		c.Value = max(pick(r, moves), 0)
	}
	return c
}
