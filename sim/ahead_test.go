package sim_test

import (
	"encoding/json"
	"slices"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/scenarios/random"
	"locklab/sim"
	"locklab/worker/lock"
	"locklab/worker/wire"
)

// Runs that go ahead, refused tries in a row, give the very records of runs that take place one event at a time: in
// every built-in scenario and in random ones, under both built-in profiles, one whose round trips are drawn whole, and a
// measured one.
func TestAheadIsTheSame(t *testing.T) {
	ideal, lab := scenarios.Ideal(), scenarios.Lab()
	whole := lab
	whole.Network.RoundTrip = true
	measured := measuredProfile()
	profiles := []*scenarios.Profile{&ideal, &lab, &whole, &measured}
	for _, name := range scenarios.Names() {
		s, err := scenarios.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, profile := range profiles {
			checkAhead(t, s, profile, 20)
		}
	}
	for i := range 400 {
		checkAhead(t, random.Scenario(1, uint64(i)), profiles[i%len(profiles)], 4)
	}
}

// The same with the other forms of an acquire and a release.
func TestAheadIsTheSameInEveryForm(t *testing.T) {
	ideal, lab := scenarios.Ideal(), scenarios.Lab()
	for i := range 400 {
		s := *random.Scenario(2, uint64(i))
		if s.Lock.Kind == lock.None || s.Lock.TokenInside {
			continue
		}
		s.Lock.Acquire, s.Lock.Release = lock.AcquireForm(i%5), lock.ReleaseForm(i/5%3)
		s.Lock.Clock = lock.Clock{Ahead: s.Lock.TTL / 4 * int64(i/15%12-8), Workers: [][]int32{nil, {0}}[i%2]}
		if !s.Lock.HasTTL() {
			s.Lock.TTL = 0
		}
		checkAhead(t, &s, []*scenarios.Profile{&ideal, &lab}[i%2], 4)
	}
}

// The same with renewals of every kind, all ways of learning of a loss, and threads that sleep.
func TestAheadIsTheSameWithRenewal(t *testing.T) {
	ideal, lab := scenarios.Ideal(), scenarios.Lab()
	measured := measuredProfile()
	profiles := []*scenarios.Profile{&ideal, &lab, &measured}
	lost, learned := 0, 0
	for i := range 240 {
		s := *random.Scenario(3, uint64(i))
		if s.Lock.Kind == lock.None {
			continue
		}
		period := s.Lock.TTL / []int64{2, 3, 5}[i%3]
		s.Lock.Renew = lock.Renew{Every: period, OnError: lock.OnError(i / 2 % 3), Extend: lock.Extend(i / 3 % 3)}
		if i%4 == 0 {
			s.Lock.Renew.Timeout = max(period/20, 1)
		}
		if i%7 == 0 {
			s.Lock.Renew.AtMost = 3 * period
		}
		s.Lock.Loss = lock.Loss{Learn: lock.Learn(i % 4), Every: period, Latency: period / 10, Stops: i%5 > 1}
		s.Lock.ReleaseTries = int64(i % 3)
		if i%13 == 0 && s.Lock.Renew.Extend != lock.TouchOrSet && !s.Lock.TokenInside {
			s.Lock.Acquire, s.Lock.Clock.Ahead = lock.SetNXPXAT, -period/2
		}
		if i%11 == 0 {
			s.Lock.MinHold = s.Lock.TTL / 2
		}
		s.Pauses = slices.Clone(s.Pauses)
		for p := range s.Pauses {
			s.Pauses[p].Thread = !s.Pauses[p].Crash && (i+p)%3 == 0
		}
		checkAhead(t, &s, profiles[i%3], 3)
		events, _ := run(&s, profiles[i%3], uint64(i))
		for _, e := range events {
			switch e.Kind {
			case history.RenewalLost:
				lost++
			case history.Learned:
				learned++
			}
		}
	}
	if lost < 50 || learned < 50 {
		t.Errorf("only %d renewals that found the lock lost, and %d workers that learned of it: not much of a test", lost, learned)
	}
}

func checkAhead(t *testing.T, s *scenarios.Scenario, profile *scenarios.Profile, runs int) {
	t.Helper()
	w := sim.NewWorld(s, profile)
	stepwise, hashing, silent := w.NewRun(), w.NewRun(), w.NewRun()
	stepwise.Observe = func(*history.Event) {}
	stepwise.Hashing, hashing.Hashing = true, true
	for i := range uint64(runs) {
		seed := choice.RunSeed(1, i)
		stepwise.Do(seed)
		hashing.Do(seed)
		silent.Do(seed)
		want := recordOf(t, stepwise, stepwise.Hash.Sum())
		if got := recordOf(t, hashing, hashing.Hash.Sum()); got != want {
			t.Fatalf("%s, %s, run %d: ahead\n%s\none event at a time\n%s", s.Name, profile.Name, i, got, want)
		}
		if got := recordOf(t, silent, stepwise.Hash.Sum()); got != want {
			t.Fatalf("%s, %s, run %d: ahead and not hashed\n%s\none event at a time\n%s", s.Name, profile.Name, i, got, want)
		}
	}
}

// measuredProfile is like one that was measured, with everything that a profile can tell, and delays long enough to matter.
func measuredProfile() scenarios.Profile {
	const us = 1000
	sequence := func(times ...int64) choice.Law {
		for i := range times {
			times[i] *= us
		}
		return choice.InSequence(times)
	}
	trip := func(d int64) scenarios.Trip {
		return scenarios.Trip{There: sequence(d, 2*d, 5*d), Back: sequence(2*d, d, 4*d)}
	}
	p := scenarios.Profile{
		Network: scenarios.Network{Ways: &scenarios.Ways{
			AfterReply: trip(50), AfterStop: trip(110),
			ByCommand: []scenarios.Extra{{Op: wire.Write, More: 15 * us}, {Op: wire.Enter, More: 90 * us}, {Op: wire.Leave, More: 70 * us}},
		}},
		Tick:  ms,
		Start: sequence(100, 900), Stop: sequence(200, 150), Continue: sequence(800, 1200, 500),
	}
	for i, sleep := range []int64{1, 10, 25, 300} {
		p.Timers = append(p.Timers, scenarios.TimerLateness{
			Sleep: sleep * ms, Late: sequence(100, 160, 150, 900), Trip: trip(60 + 20*int64(i)),
		})
	}
	return p
}

func recordOf(t *testing.T, r *sim.Run, hash uint64) string {
	t.Helper()
	record, err := json.Marshal(history.NewRecord(history.Source{World: history.Sim}, 0, &r.Tally, hash, r.Events))
	if err != nil {
		t.Fatal(err)
	}
	return string(record)
}
