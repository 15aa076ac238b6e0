package random

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/worker"
	"locklab/worker/lock"
)

// Every scenario is one that a file can hold, and small.
func TestScenarios(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Scenario(rapid.Uint64().Draw(t, "seed"), rapid.Uint64().Draw(t, "i"))
		again, err := scenarios.Parse("random.yaml", s.YAML())
		if err != nil {
			t.Fatalf("%v in\n%s", err, s.YAML())
		}
		if !reflect.DeepEqual(again, s) {
			t.Fatalf("read %+v\nwant %+v", again, s)
		}
		if s.Workers < 2 || s.Workers > 6 || s.Rounds < 5 || s.Rounds > 20 {
			t.Errorf("%d workers, %d rounds", s.Workers, s.Rounds)
		}
	})
}

// The scenarios of a seed are the same on every machine and in every version: reports about them can be compared.
func TestSameScenarios(t *testing.T) {
	hash := sha256.New()
	names := make(map[string]bool)
	for i := range uint64(100) {
		s := Scenario(1, i)
		names[s.Hash()] = true
		hash.Write(s.YAML())
	}
	const want = "5ae5aaf7b5db396d"
	if got := hex.EncodeToString(hash.Sum(nil)[:8]); got != want {
		t.Errorf("the hash of 100 scenarios is %s, want %s", got, want)
	}
	if other := Scenario(2, 0); len(names) < 100 || names[other.Hash()] {
		t.Errorf("%d different scenarios of 100", len(names))
	}
}

// features are what a scenario can have.
var features = map[string]func(*scenarios.Scenario) bool{
	"no lock":            func(s *scenarios.Scenario) bool { return s.Lock.Kind == lock.None },
	"TTL below the work": func(s *scenarios.Scenario) bool { return s.Lock.TTL > 0 && s.Lock.TTL < s.Work.Mean() },
	"TTL above the work": func(s *scenarios.Scenario) bool { return s.Lock.TTL > s.Work.Mean() },
	"retry varies":       func(s *scenarios.Scenario) bool { return s.Lock.Retry.Every.Kind != choice.Constant },
	"backoff":            func(s *scenarios.Scenario) bool { return s.Lock.Retry.Factor > 1 && s.Lock.Retry.Most == 0 },
	"bounded backoff":    func(s *scenarios.Scenario) bool { return s.Lock.Retry.Factor > 1 && s.Lock.Retry.Most > 0 },
	"tries":              func(s *scenarios.Scenario) bool { return s.Lock.Retry.Tries > 0 },
	"longest":            func(s *scenarios.Scenario) bool { return s.Lock.Retry.Longest > 0 },
	"below-or-equal":     func(s *scenarios.Scenario) bool { return s.Fencing.OrEqual },
	"resource":           func(s *scenarios.Scenario) bool { return s.Resource.Kind != worker.NoResource },
	"work on the CPU":    func(s *scenarios.Scenario) bool { return s.WorkCPU },
	"no think":           func(s *scenarios.Scenario) bool { return s.Think.IsZero() },
	"think varies":       func(s *scenarios.Scenario) bool { return s.Think.Kind != choice.Constant },
	"start at once":      func(s *scenarios.Scenario) bool { return s.Start == 0 && s.Apart == 0 },
	"start spread":       func(s *scenarios.Scenario) bool { return s.Start > 0 },
	"start apart":        func(s *scenarios.Scenario) bool { return s.Apart > 0 },
	"network delay":      func(s *scenarios.Scenario) bool { return !s.Delay.Network.IsZero() },
	"timer delay":        func(s *scenarios.Scenario) bool { return !s.Delay.Timer.IsZero() },
	"no pause":           func(s *scenarios.Scenario) bool { return len(s.Pauses) == 0 },
	"two pauses":         func(s *scenarios.Scenario) bool { return len(s.Pauses) >= 2 },
	"pause at a time":    hasPause(func(p *worker.Pause) bool { return p.Where == worker.At }),
	"pause before":       hasPause(func(p *worker.Pause) bool { return p.Where == worker.Before && !p.Crash }),
	"pause during":       hasPause(func(p *worker.Pause) bool { return p.Where == worker.During && !p.Crash }),
	"every n-th round":   hasPause(func(p *worker.Pause) bool { return p.Every > 1 }),
	"probability":        hasPause(func(p *worker.Pause) bool { return p.Probability > 0 }),
	"one round":          hasPause(func(p *worker.Pause) bool { return p.When == worker.InRound && !p.Crash }),
	"of some workers":    hasPause(func(p *worker.Pause) bool { return p.Workers != nil && !p.Crash }),
	"of varying length":  hasPause(func(p *worker.Pause) bool { return p.For.Kind != choice.Constant }),
	"anywhere in work":   hasPause(func(p *worker.Pause) bool { return p.Fraction < 0 }),
	"at a share of work": hasPause(func(p *worker.Pause) bool { return p.Fraction > 0 }),
	"crash":              hasPause(func(p *worker.Pause) bool { return p.Crash }),
	"work in sequence":   func(s *scenarios.Scenario) bool { return len(s.Work.Sequence) > 0 },
}

func hasPause(is func(*worker.Pause) bool) func(*scenarios.Scenario) bool {
	return func(s *scenarios.Scenario) bool {
		return slices.ContainsFunc(s.Pauses, func(p worker.Pause) bool { return is(&p) })
	}
}

func init() {
	for _, kind := range []choice.Kind{choice.Constant, choice.Uniform, choice.Exponential, choice.Lognormal, choice.Empirical} {
		features["work of kind "+string('0'+rune(kind))] = func(s *scenarios.Scenario) bool { return s.Work.Kind == kind }
	}
	for _, at := range []worker.TokenAt{worker.TokenNone, worker.TokenBefore, worker.TokenAfter, worker.TokenInside} {
		features["token "+string('0'+rune(at))] = func(s *scenarios.Scenario) bool { return s.Fencing.Token == at }
	}
	for _, check := range []worker.CheckAt{0, worker.CheckStart, worker.CheckCommit, worker.CheckStart | worker.CheckCommit} {
		features["check "+string('0'+rune(check))] = func(s *scenarios.Scenario) bool { return s.Fencing.Check == check }
	}
	for step := history.Acquire; history.StepByName(step.String()) != 0; step++ {
		features["pause at "+step.String()] = hasPause(func(p *worker.Pause) bool { return p.Where != worker.At && p.Step == step })
	}
}

// Everything that a scenario can have comes up, and not just once in a while.
func TestEveryPartComesUp(t *testing.T) {
	const n = 1000
	count := make(map[string]int)
	for i := range uint64(n) {
		s := Scenario(3, i)
		for name, has := range features {
			if has(s) {
				count[name]++
			}
		}
	}
	for name := range features {
		if count[name] < n/100 {
			t.Errorf("%s: in %d of %d scenarios", name, count[name], n)
		}
	}
}
