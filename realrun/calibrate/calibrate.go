// Package calibrate measures this machine with what it will run: real worker processes that sleep, send commands and are
// stopped, as many side by side as the measurement that follows will have. A tight loop would show a machine that no sleeping
// worker meets.
package calibrate

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"locklab/realrun"
	"locklab/scenarios"
)

const ms = 1_000_000

// Machine measures the machine for about 4 seconds, with so many runs of two workers side by side (at least 2).
func Machine(ctx context.Context, s *realrun.Session, runs int) (*scenarios.Profile, error) {
	runs = max(runs, 2)
	others := othersUse(ctx)
	all, err := measure(ctx, s, load(runs, short))
	if err != nil {
		return nil, err
	}
	return profile(ctx, s, all, runs, others)
}

// Thorough says how to measure thoroughly.
type Thorough struct {
	Runs int                                    // side by side; 0 for as many as the machine carries
	Part func(what string, takes time.Duration) // told what is measured next and about how long it takes, if not nil
}

// Measure measures the machine for about 20 seconds: a pair of runs that has it for itself, more and more runs side by side, to
// see how many the machine carries, and then what Machine measures, for longer.
func (t Thorough) Measure(ctx context.Context, s *realrun.Session) (*Report, error) {
	r := &Report{Others: othersUse(ctx), Runs: t.Runs}
	t.say("a pair of runs alone", longTime)
	alone, err := measure(ctx, s, load(2, long))
	if err != nil {
		return nil, err
	}
	if err := t.tryLoads(ctx, s, r); err != nil {
		return nil, err
	}
	if r.Runs == 0 {
		r.Runs = r.carries()
	}
	t.say(fmt.Sprintf("%d runs, thoroughly", r.Runs), longTime)
	before := cpuTimes()
	all, err := measure(ctx, s, load(r.Runs, long))
	if err != nil {
		return nil, err
	}
	r.Cost = before.cost(2 * r.Runs)
	if r.Profile, err = profile(ctx, s, all, r.Runs, r.Others); err != nil {
		return nil, err
	}
	r.Profile.Carries = r.carries()
	r.Delays = delays(alone, all)
	return r, nil
}

// tryLoads puts more and more runs side by side, until they are more than the machine carries.
func (t Thorough) tryLoads(ctx context.Context, s *realrun.Session, r *Report) error {
	for _, runs := range loads {
		t.say(fmt.Sprintf("%d runs", runs), loadTime)
		l, err := tryLoad(ctx, s, runs)
		if err != nil {
			return err
		}
		if !r.addLoad(l) {
			break
		}
	}
	return nil
}

func (t Thorough) say(what string, takes time.Duration) {
	if t.Part != nil {
		t.Part(what, takes)
	}
}

// measure carries out jobs, all at once, and returns the samples of all. The first failure is an error.
func measure(ctx context.Context, s *realrun.Session, jobs []realrun.Job) (*realrun.Samples, error) {
	var (
		all   realrun.Samples
		first error
	)
	s.Measure(ctx, jobs, len(jobs), func(i int, o *realrun.Outcome, err error) {
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
	return &all, nil
}

// profile turns samples into a profile.
func profile(ctx context.Context, s *realrun.Session, all *realrun.Samples, runs int, others float64) (*scenarios.Profile, error) {
	p := &scenarios.Profile{
		Name:  "machine",
		Start: law(all.Start), Stop: law(all.Stop), Continue: law(all.Continue),
		About: map[string]string{
			"made":    time.Now().UTC().Format(time.RFC3339),
			"machine": fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
			"store":   s.Store().Product + " " + s.Store().Version,
			"load":    fmt.Sprintf("%d runs of 2 workers", runs),
			"others":  fmt.Sprintf("other programs used %.0f %% of the processors", 100*others),
		},
	}
	if err := addTimers(p, all.Timers); err != nil {
		return nil, err
	}
	c := commands{samples: all.Commands, split: s.IsLocal(ctx)}
	p.About["ways"] = c.addTrips(p)
	return p, nil
}
