package sim_test

import (
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim"
	"locklab/worker"
	"locklab/worker/lock"
	"locklab/worker/wire"

	"pgregory.net/rapid"
)

// bounded draws a law of which no draw exceeds most.
func bounded(t *rapid.T, what string, most int64) choice.Law {
	a := rapid.Int64Range(0, most).Draw(t, what+" from")
	b := rapid.Int64Range(a, most).Draw(t, what+" to")
	return rapid.SampledFrom([]choice.Law{
		choice.Const(a), {Kind: choice.Uniform, A: a, B: b}, {Kind: choice.Empirical, Samples: []int64{a, b}},
		choice.InSequence([]int64{b, a, b}),
	}).Draw(t, what)
}

const (
	latencyMost  = 3 * ms
	latenessMost = 5 * ms
)

func anyProfile(t *rapid.T) scenarios.Profile {
	p := scenarios.Profile{
		Network: scenarios.Network{
			AfterSleep: bounded(t, "latency after a sleep", latencyMost), AfterReply: bounded(t, "latency after a reply", latencyMost),
			RoundTrip: rapid.Bool().Draw(t, "round trip"),
		},
		Timers: []scenarios.TimerLateness{{Sleep: ms, Late: bounded(t, "lateness", latenessMost)}},
		Start:  bounded(t, "start", latenessMost), Stop: bounded(t, "stop", latenessMost), Continue: bounded(t, "continue", latenessMost),
	}
	if rapid.Bool().Draw(t, "ways") {
		anyWays(t, &p)
	}
	return p
}

// anyWays gives a profile ways of a command, by what went before and by command, and timers that wait in ticks; with the
// bounds of others.
func anyWays(t *rapid.T, p *scenarios.Profile) {
	const longer = ms
	trip := func(what string) scenarios.Trip {
		return scenarios.Trip{There: bounded(t, what+" there", latencyMost-longer), Back: bounded(t, what+" back", latencyMost-longer)}
	}
	p.Network = scenarios.Network{Ways: &scenarios.Ways{
		AfterReply: trip("after a reply"), AfterStop: trip("after a stop"),
		ByCommand: []scenarios.Extra{{Op: wire.SetNX, More: longer / 2}, {Op: wire.Enter, More: longer}},
	}}
	p.Tick = rapid.Int64Range(0, ms).Draw(t, "tick")
	p.Timers = nil
	for _, sleep := range []int64{ms, 10 * ms, 50 * ms}[:rapid.IntRange(0, 3).Draw(t, "timers")] {
		p.Timers = append(p.Timers, scenarios.TimerLateness{
			Sleep: sleep, Late: bounded(t, "lateness", latenessMost-p.Tick), Trip: trip("after a sleep"),
		})
	}
}

func anyScenario(t *rapid.T) *scenarios.Scenario {
	s := &scenarios.Scenario{Workers: rapid.IntRange(2, 5).Draw(t, "workers")}
	s.Rounds = rapid.Int32Range(1, 10).Draw(t, "rounds")
	s.Start = rapid.Int64Range(0, 50*ms).Draw(t, "spread")
	s.Work, s.Think = bounded(t, "work", 100*ms), bounded(t, "think", 100*ms)
	s.WorkCPU = rapid.Bool().Draw(t, "cpu")
	s.Lock = lock.Policy{Kind: lock.Single, TTL: rapid.Int64Range(1, 150).Draw(t, "ttl") * ms}
	every := bounded(t, "retry", 30*ms)
	s.Lock.Retry = lock.Retry{Every: choice.Law{Kind: choice.Uniform, A: ms, B: ms + every.Max()}, Tries: rapid.Int64Range(0, 20).Draw(t, "tries")}
	return s
}

func anyPauses(t *rapid.T, s *scenarios.Scenario) {
	for range rapid.IntRange(0, 4).Draw(t, "pauses") {
		p := worker.Pause{
			Where: rapid.SampledFrom([]worker.Where{worker.Before, worker.During, worker.At}).Draw(t, "where"),
			Step:  rapid.SampledFrom(s.Steps()).Draw(t, "step"),
			Time:  rapid.Int64Range(0, 500*ms).Draw(t, "time"), For: bounded(t, "for", 300*ms),
			Fraction: rapid.Float64Range(-1, 1).Draw(t, "fraction"), Probability: 0.4,
		}
		s.Pauses = append(s.Pauses, p)
	}
}

func anyFencing(t *rapid.T, s *scenarios.Scenario, tokens ...worker.TokenAt) {
	s.Fencing.Token = rapid.SampledFrom(tokens).Draw(t, "token")
	s.Lock.TokenInside = s.Fencing.Token == worker.TokenInside
	if s.Fencing.Token != worker.TokenNone {
		s.Fencing.Check = worker.CheckAt(rapid.IntRange(0, 3).Draw(t, "check"))
	}
}

// With bounded laws, no pauses, and leases that outlive the work, the lateness of a timer and ten messages, no two workers
// are ever inside, no lock is lost and no write is late.
func TestNoConflictIfLeasesOutliveTheRound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, profile := anyScenario(t), anyProfile(t)
		anyFencing(t, s, worker.TokenNone, worker.TokenBefore, worker.TokenAfter, worker.TokenInside)
		s.Lock.TTL = (s.Work.Max()+latenessMost+10*latencyMost)/ms*ms + ms
		_, r := run(s, &profile, rapid.Uint64().Draw(t, "seed"))
		y := r.Tally
		if y.Conflicts != 0 || y.Overlap != 0 || y.LostHolds != 0 || y.LateWrites != 0 || y.StaleWrites != 0 || y.FalseBelief != 0 {
			t.Fatalf("%+v", y)
		}
	})
}

// With the token inside the acquire's script and a check at the commit, stale writes are rejected, and no others, whatever the
// pauses and however short the leases.
func TestStaleWritesAreRejected(t *testing.T) {
	stale := 0
	rapid.Check(t, func(t *rapid.T) {
		s, profile := anyScenario(t), anyProfile(t)
		s.Fencing = worker.Fencing{Token: worker.TokenInside, Check: worker.CheckCommit, OrEqual: rapid.Bool().Draw(t, "or equal")}
		s.Lock.TokenInside = true
		anyPauses(t, s)
		seed := rapid.Uint64().Draw(t, "seed")
		for i := range uint64(20) {
			events, _ := run(s, &profile, choice.RunSeed(seed, i))
			stale += checkStaleWrites(t, events)
		}
	})
	if stale < 100 {
		t.Errorf("only %d stale writes came up", stale)
	}
}

// checkStaleWrites makes sure that stale writes are rejected, and no others, and counts them.
func checkStaleWrites(t *rapid.T, events []history.Event) (stale int) {
	arrived := make(map[int32]bool) // by worker: its write is stale, and its answer on the way
	for _, e := range events {
		switch e.Kind {
		case history.StaleWrite:
			stale++
			arrived[e.Worker] = true
		case history.Accepted, history.Rejected:
			if arrived[e.Worker] != (e.Kind == history.Rejected) {
				t.Fatalf("the write of worker %d in round %d is %s; stale: %v", e.Worker, e.Round, e.Kind, arrived[e.Worker])
			}
			arrived[e.Worker] = false
		}
	}
	return stale
}

// Every run ends, with every worker through all its rounds; its counts fit together, and do not depend on an observer.
func TestRunsEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, profile := anyScenario(t), anyProfile(t)
		anyFencing(t, s, worker.TokenNone, worker.TokenBefore, worker.TokenAfter, worker.TokenInside)
		anyPauses(t, s)
		seed := rapid.Uint64().Draw(t, "seed")
		events, r := run(s, &profile, seed)
		for id := range int32(s.Workers) {
			if n := len(of(events, id, history.Finished)); n != 1 {
				t.Fatalf("worker %d finished %d times", id, n)
			}
			if started, resumed := len(of(events, id, history.Stopping)), len(of(events, id, history.Resumed)); started != resumed {
				t.Fatalf("worker %d was stopped %d times and resumed %d times", id, started, resumed)
			}
		}
		y := r.Tally
		if rounds := int64(s.Rounds) * int64(s.Workers); r.Bounded || y.Entries+y.GaveUp != rounds || y.Waits != y.Entries || y.Conflicts > max(0, y.Entries-1) {
			t.Fatalf("bounded %v, %d rounds: %+v", r.Bounded, rounds, y)
		}
		if over := overlap(events) * 1000; y.Overlap != over {
			t.Fatalf("overlap %d, by plain count %d", y.Overlap, over)
		}
		unseen := sim.NewWorld(s, &profile).NewRun()
		if unseen.Do(seed); unseen.Tally != y || unseen.Events != r.Events {
			t.Fatalf("unobserved: %d events, %+v\nobserved: %d events, %+v", unseen.Events, unseen.Tally, r.Events, y)
		}
	})
}
