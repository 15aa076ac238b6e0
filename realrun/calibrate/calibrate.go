// Package calibrate measures this machine with what it will run: real worker processes in the lesson's cadence, as many
// side by side as the measurement that follows will have. A tight loop would show a machine that no sleeping worker meets.
package calibrate

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/realrun"
	"locklab/scenarios"
	"locklab/worker"
	"locklab/worker/lock"
)

const ms = 1_000_000

// Sleeps are the durations for which lateness is measured: the lesson's think, retry and work.
var Sleeps = []int64{10 * ms, 25 * ms, 300 * ms}

// maxSamples is how many samples a law of the profile keeps.
const maxSamples = 1000

// Machine measures the machine for about 3 seconds, with so many runs of two workers side by side (at least 2).
func Machine(ctx context.Context, s *realrun.Session, runs int) (*scenarios.Profile, error) {
	runs = max(runs, 2)
	jobs := make([]realrun.Job, runs)
	for i := range jobs {
		jobs[i] = realrun.Job{Scenario: cadence(i), Seed: uint64(i), Sample: true}
	}
	var (
		all   realrun.Samples
		first error
	)
	s.Measure(ctx, jobs, runs, func(i int, o *realrun.Outcome, err error) {
		switch {
		case err == nil:
			all.Add(&o.Samples)
		case first == nil:
			first = err
		}
	})
	if first != nil {
		return nil, fmt.Errorf("calibrate: %w", first)
	}
	return profile(&all, s.Store(), runs)
}

// cadence is the lesson's loop, cut short: two workers that contend for a lock, one stop of 1200 ms each. Every third
// run has its two short sleeps exchanged, so that there are many samples of both.
func cadence(i int) *scenarios.Scenario {
	think, retry := Sleeps[0], Sleeps[1]
	if i%3 == 2 {
		think, retry = retry, think
	}
	const rounds = 2
	return &scenarios.Scenario{
		Name: "calibrate", Workers: 2,
		Plan: worker.Plan{
			Rounds: rounds, Start: 2 * ms, Work: choice.Const(Sleeps[2]), Think: choice.Const(think),
			Lock:   lock.Policy{Kind: lock.Single, TTL: 1000 * ms, Retry: lock.Retry{Every: choice.Const(retry)}},
			Pauses: []worker.Pause{{Where: worker.Before, Step: history.Enter, For: choice.Const(1200 * ms), Every: rounds}},
		},
	}
}

// profile turns samples into laws.
func profile(s *realrun.Samples, store history.Store, runs int) (*scenarios.Profile, error) {
	p := &scenarios.Profile{
		Name: "machine",
		Network: scenarios.Network{
			RoundTrip: true, AfterSleep: law(s.AfterSleep), AfterReply: law(s.AfterReply),
		},
		Start: law(s.Start), Stop: law(s.Stop), Continue: law(s.Continue),
		About: map[string]string{
			"made":    time.Now().UTC().Format(time.RFC3339),
			"machine": fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
			"store":   store.Product + " " + store.Version,
			"load":    fmt.Sprintf("%d runs of 2 workers", runs),
		},
	}
	late := lateness(s.Timers)
	for i, sleep := range Sleeps {
		if len(late[i]) == 0 {
			return nil, fmt.Errorf("calibrate: no timer of %v was measured", time.Duration(sleep))
		}
		p.Timers = append(p.Timers, scenarios.TimerLateness{Sleep: sleep, Late: law(late[i])})
	}
	return p, nil
}

// lateness sorts timers by the sleep they were set for: the nearest of Sleeps.
func lateness(timers []realrun.TimerSample) [][]int64 {
	late := make([][]int64, len(Sleeps))
	for _, t := range timers {
		nearest := 0
		for i, sleep := range Sleeps {
			if distance(t.Sleep, sleep) < distance(t.Sleep, Sleeps[nearest]) {
				nearest = i
			}
		}
		late[nearest] = append(late[nearest], t.Late)
	}
	return late
}

func distance(a, b int64) int64 { return max(a-b, b-a) }

// law is the empirical law of samples. Of many, it keeps maxSamples at even ranks, so that quantiles stay.
func law(samples []int64) choice.Law {
	if len(samples) == 0 {
		return choice.Law{}
	}
	sorted := slices.SortedFunc(slices.Values(samples), cmp.Compare[int64])
	if n := len(sorted); n > maxSamples {
		for i := range maxSamples {
			sorted[i] = sorted[(2*i+1)*n/(2*maxSamples)]
		}
		sorted = sorted[:maxSamples]
	}
	return choice.Law{Kind: choice.Empirical, Samples: sorted}
}
