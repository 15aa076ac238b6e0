package calibrate

import (
	"slices"
	"time"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/realrun"
	"locklab/scenarios"
	"locklab/worker"
	"locklab/worker/lock"
)

// Sleeps are the durations for which lateness is measured. The lesson's think, retry and work are among them.
var Sleeps = []int64{1 * ms, 3 * ms, 10 * ms, 25 * ms, 100 * ms, 300 * ms}

// between are sleeps of no whole number of milliseconds, which show in what ticks timers wait.
var between = []int64{3*ms + ms/2, 25*ms + ms/2}

// How long a load lasts, in the rounds of its runs.
type length struct{ lesson, mixed int32 }

var (
	short = length{lesson: 2, mixed: 12} // 3 s
	long  = length{lesson: 4, mixed: 28} // longTime
)

// How long parts of a thorough calibration take, about.
const (
	longTime = 7 * time.Second
	loadTime = 2 * time.Second
)

// load is so many runs: every other in the lesson's cadence, and the rest with sleeps of all durations.
func load(runs int, l length) []realrun.Job {
	jobs := make([]realrun.Job, runs)
	for i := range jobs {
		s := lesson(l.lesson)
		if i%2 == 1 {
			s = mixed(i/2, l.mixed)
		}
		jobs[i] = realrun.Job{Scenario: s, Seed: uint64(i), Sample: true}
	}
	return jobs
}

// lesson is the lesson's loop: two workers that contend for a lock and poll for it, every second round with a stop of 1200 ms.
func lesson(rounds int32) *scenarios.Scenario {
	return &scenarios.Scenario{
		Name: "calibrate", Workers: 2,
		Plan: worker.Plan{
			Rounds: rounds, Start: 2 * ms, Work: choice.Const(300 * ms), Think: choice.Const(10 * ms),
			Lock:   lock.Policy{Kind: lock.Single, TTL: 1000 * ms, Retry: lock.Retry{Every: choice.Const(25 * ms)}},
			Pauses: []worker.Pause{{Where: worker.Before, Step: history.Enter, For: choice.Const(1200 * ms), Every: 2}},
		},
	}
}

// mixed is a loop in which every sleep is of another duration, with a short stop in every fourth round. Of three such runs
// two have fencing, so that all commands are sent.
func mixed(i int, rounds int32) *scenarios.Scenario {
	any := choice.Law{Kind: choice.Empirical, Samples: slices.Sorted(slices.Values(slices.Concat(Sleeps, between)))}
	s := &scenarios.Scenario{
		Name: "calibrate", Workers: 2,
		Plan: worker.Plan{
			Rounds: rounds, Start: 2 * ms, Work: any, Think: any,
			Lock:   lock.Policy{Kind: lock.Single, TTL: 1000 * ms, Retry: lock.Retry{Every: any}},
			Pauses: []worker.Pause{{Where: worker.Before, Step: history.Acquire, For: choice.Const(100 * ms), Every: 4}},
		},
	}
	switch i % 3 {
	case 1:
		s.Fencing = worker.Fencing{Token: worker.TokenAfter, Check: worker.CheckStart | worker.CheckCommit}
	case 2:
		s.Fencing = worker.Fencing{Token: worker.TokenInside, Check: worker.CheckStart}
		s.Lock.TokenInside = true
	}
	return s
}
