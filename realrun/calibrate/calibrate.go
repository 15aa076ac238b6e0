// Package calibrate measures this machine with what it will run: real worker processes in the lesson's cadence, as many
// side by side as the measurement that follows will have. A tight loop would show a machine that no sleeping worker meets.
package calibrate

import (
	"context"
	"fmt"
	"runtime"
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
const maxSamples = 4000

// Machine measures the machine for about 3 seconds, with so many runs of two workers side by side (at least 2).
func Machine(ctx context.Context, s *realrun.Session, runs int) (*scenarios.Profile, error) {
	runs = max(runs, 2)
	jobs := make([]realrun.Job, runs)
	for i := range jobs {
		jobs[i] = realrun.Job{Scenario: cadence(i), Seed: uint64(i), Sample: true}
	}
	var (
		all   realrun.Samples
		seen  realrun.WatchSamples
		first error
	)
	s.Measure(ctx, jobs, runs, func(i int, o *realrun.Outcome, err error) {
		switch {
		case err == nil:
			all.Add(&o.Samples)
			seen.Add(&o.WatchSamples)
		case first == nil:
			first = err
		}
	})
	if first != nil {
		return nil, fmt.Errorf("calibrate: %w", first)
	}
	p, err := profile(&all, s.Store(), runs)
	if err == nil {
		p.Watch = watch(&seen)
	}
	return p, err
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

// law is the empirical law of samples in the order in which the workers met them, one worker after the other. Delays are not
// independent: sums of twelve in a row were seen to vary two to three times as much as sums of twelve drawn apart. Of many
// samples it keeps whole rows, evenly spread.
func law(samples []int64) choice.Law {
	if len(samples) == 0 {
		return choice.Law{}
	}
	if len(samples) > maxSamples {
		samples = someRows(samples)
	}
	return choice.InSequence(samples)
}

// someRows keeps as many rows of samples as make maxSamples.
func someRows(samples []int64) (kept []int64) {
	const keep = maxSamples / choice.Row
	rows := len(samples) / choice.Row
	for i := range keep {
		first := i * rows / keep * choice.Row
		kept = append(kept, samples[first:first+choice.Row]...)
	}
	return kept
}
