package study

import (
	"strings"
	"testing"

	"locklab/compare"
	"locklab/internal/choice"
	"locklab/scenarios"
)

const msec = 1_000_000

func uniformLaw(a, b int64) choice.Law { return choice.Law{Kind: choice.Uniform, A: a, B: b} }

// The part of the world that decides is found, whatever else varies too.
func TestSensitivity(t *testing.T) {
	t.Parallel()
	world := scenarios.Profile{
		Name:     "made-up",
		Network:  scenarios.Network{AfterSleep: uniformLaw(90_000, 110_000), AfterReply: uniformLaw(90_000, 110_000)},
		Timers:   []scenarios.TimerLateness{{Sleep: msec, Late: uniformLaw(0, msec/50)}},
		Start:    uniformLaw(0, msec/50),
		Stop:     uniformLaw(0, msec/50),
		Continue: choice.Const(msec / 50),
	}
	late, slow, halting := world, world, world
	late.Timers = []scenarios.TimerLateness{{Sleep: msec, Late: choice.Law{Kind: choice.Exponential, A: msec / 2}}}
	slow.Network.AfterReply = uniformLaw(msec/10, 2*msec)
	halting.Stop = uniformLaw(msec, 9*msec)
	slowWays := world
	trip := scenarios.Trip{There: uniformLaw(msec/10, 2*msec), Back: uniformLaw(msec/10, 2*msec)}
	slowWays.Network = scenarios.Network{Ways: &scenarios.Ways{AfterReply: trip}}
	for _, c := range []struct {
		what, scenario string
		set            []string
		profile        scenarios.Profile
		want           string
	}{
		{"the race of lesson/d", "lesson/d", nil, late, "timer lateness"},
		{"a lease that hardly lasts", "lesson/b", []string{"lock.ttl=303ms", "lock.retry.every=1ms", "rounds=4"}, slow, "latency"},
		{"the same with each way apart", "lesson/b", []string{"lock.ttl=303ms", "lock.retry.every=1ms", "rounds=4"}, slowWays, "latency"},
		{"a stop that may last too long", "lesson/d", []string{"lock.ttl=315ms", "lock.retry.every=1ms", "pauses[0].for=10ms", "rounds=4"}, halting, "stop delay"},
	} {
		e := experiment(t, c.scenario, 1, c.set...)
		p := Prediction{Profile: &c.profile, Seed: 1, Runs: 500}
		s, err := p.Sensitivity(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if most := s.Conflicts.Swings[0]; most.Part != c.want || !most.isReal() {
			t.Errorf("%s: conflicts are most sensitive to %+v, want %s, of\n%+v", c.what, most, c.want, s.Conflicts)
		}
		if words := s.Words(&compare.Scored{}); !strings.Contains(words, "conflicts is most sensitive to "+c.want+" (") {
			t.Errorf("%s: %s", c.what, words)
		}
	}
}

// Where nothing moves the outcome, no part is named, however the swings are ordered.
func TestInsensitive(t *testing.T) {
	t.Parallel()
	lab := scenarios.Lab()
	p := Prediction{Profile: &lab, Seed: 1, Runs: 100}
	s, err := p.Sensitivity(t.Context(), experiment(t, "lesson/b", 1, "rounds=3"))
	if err != nil {
		t.Fatal(err)
	}
	if words := s.Words(&compare.Scored{}); words != "nothing that was calibrated moves the mean of 0 conflicts noticeably" {
		t.Errorf("got %s", words)
	}
	if before := scenarios.Lab(); lab.Hash() != before.Hash() {
		t.Error("the profile was changed")
	}
}

// A moved law keeps its shape, and its median is where the quantile was.
func TestMovedLaw(t *testing.T) {
	for _, c := range []struct{ law, low, high choice.Law }{
		{uniformLaw(100, 300), uniformLaw(55, 165), uniformLaw(145, 435)},
		{choice.Const(7), choice.Const(7), choice.Const(7)},
		{
			choice.Law{Kind: choice.Empirical, Samples: []int64{0, 0, 0, 5}},
			choice.Const(0), choice.Const(5),
		},
	} {
		low, high := movedTo(&c.law, 5), movedTo(&c.law, 95)
		for _, got := range []struct{ law, want choice.Law }{{low, c.low}, {high, c.high}} {
			if got.law.Kind != got.want.Kind || got.law.A != got.want.A || got.law.B != got.want.B {
				t.Errorf("%+v was moved to %+v, want %+v", c.law, got.law, got.want)
			}
		}
	}
}
