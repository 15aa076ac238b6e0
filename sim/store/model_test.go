package store_test

import (
	"math/rand/v2"
	"testing"

	"locklab/sim/store"
	"locklab/worker/wire"
)

// versions are what the model can be.
var versions = map[string]store.Rules{
	"redis 7.0":  store.RulesOf("redis", 7, 0),
	"redis 7.4":  store.RulesOf("redis", 7, 4),
	"valkey 8.0": store.RulesOf("valkey", 8, 0),
}

// alone is a model without a server.
func alone(rules store.Rules) *pair {
	p := &pair{rules: rules, us: epoch, model: store.New(connections, 0)}
	p.model.Rules = rules
	p.model.Reset(0, store.Begin{})
	return p
}

// takeAlone takes a step in the model only.
func (p *pair) takeAlone(s *step) outcome {
	p.us += s.move
	commands := make([]wire.Command, len(s.commands))
	for i, c := range s.commands {
		c.Worker = s.connection
		commands[i] = p.resolved(c)
	}
	o := p.takeModel(s, commands)
	if s.form == script {
		p.us += sleeps(s)
	}
	return o
}

// The rules hold in the model of every version, also where there is no server.
func TestRulesInModel(t *testing.T) {
	for name, version := range versions {
		for _, r := range rules {
			for _, e := range r.cases {
				p := alone(version)
				for i := range e.do {
					l := &e.do[i]
					o := p.takeAlone(&l.step)
					if got := outcomeText(&o); got != p.wanted(l) {
						t.Errorf("%s, rule %s, %s: %s\n%s, want %s", name, r.number, e.what, &l.step, got, p.wanted(l))
					}
				}
			}
		}
	}
}

// A copy goes on like the original, and neither disturbs the other.
func TestCopyGoesOnAlike(t *testing.T) {
	for i := range uint64(2000) {
		p, q := alone(versions["redis 7.0"]), alone(versions["valkey 8.0"])
		steps := randomSteps(rand.New(rand.NewPCG(1, i)))
		half := len(steps) / 2
		for s := range half {
			p.takeAlone(&steps[s])
			q.takeAlone(&steps[len(steps)-1-s]) // what is in the way of the copy
		}
		q.model.CopyFrom(&p.model)
		q.us = p.us
		var want []outcome
		for s := half; s < len(steps); s++ {
			want = append(want, p.takeAlone(&steps[s]))
		}
		for s := half; s < len(steps); s++ {
			if got := q.takeAlone(&steps[s]); !got.equal(&want[s-half]) {
				t.Fatalf("case %d, %s: the copy says %s, the original %s", i, &steps[s], &got, &want[s-half])
			}
		}
	}
}

func TestCommandsDoNotAllocate(t *testing.T) {
	p := alone(store.Rules{})
	commands := []wire.Command{setNX(1, 5), release(1), acquire(1, 5), renew(1, 9), on(lock, wire.Watch), write(5, true), incr, push, size}
	var r wire.Reply
	replies := make([]wire.Reply, len(commands))
	if n := testing.AllocsPerRun(100, func() {
		for i := range commands {
			p.model.Execute(p.now(), &commands[i], &r)
		}
		p.model.Exec(p.now(), 0, commands[:3], replies)
		p.model.Reset(0, store.Begin{})
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
