// Package calibrate measures this machine with what it will run: real worker processes that sleep, send commands and are
// stopped, as many side by side as the measurement that follows will have. A tight loop would show a machine that no sleeping
// worker meets.
package calibrate

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"locklab/history"
	"locklab/realrun"
	"locklab/scenarios"
)

const ms = 1_000_000

// Machine is the profile of what Quick measures.
func Machine(ctx context.Context, s *realrun.Session, runs int) (*scenarios.Profile, error) {
	r, err := Quick(ctx, s, runs)
	if err != nil {
		return nil, err
	}
	return r.Profile, nil
}

// QuickTime is about how long Quick takes.
const QuickTime = 4 * time.Second

// Quick measures the machine for about 4 seconds, with so many runs of two workers side by side (at least 2). How many it carries
// stays unknown, and so does what it does when idle.
func Quick(ctx context.Context, s *realrun.Session, runs int) (*Report, error) {
	r := &Report{Others: othersUse(ctx), Runs: max(runs, 2)}
	all, err := r.measureLoad(ctx, s, short)
	if err != nil {
		return nil, err
	}
	r.Delays = delays(&realrun.Samples{}, all)
	return r, nil
}

// measureLoad measures the machine under the report's load, and makes the profile.
func (r *Report) measureLoad(ctx context.Context, s *realrun.Session, l length) (*realrun.Samples, error) {
	before := cpuTimes()
	all, seen, err := measure(ctx, s, load(r.Runs, l))
	if err != nil {
		return nil, err
	}
	r.Cost = before.cost(2 * r.Runs)
	if r.Profile, err = r.profile(all, s.Store(), s.IsLocal(ctx)); err != nil {
		return nil, err
	}
	r.Profile.Watch = watch(seen)
	return all, r.addFurther(ctx, s, all.Commands)
}

// Thorough says how to measure thoroughly.
type Thorough struct {
	Runs int                                    // side by side; 0 for as many as the machine carries
	Part func(what string, takes time.Duration) // told what is measured next and about how long it takes, if not nil
}

// Alone is how many runs show what an idle machine does: one of each kind.
const Alone = 2

// Measure measures the machine for about 20 seconds: a pair of runs that has it for itself, more and more runs side by side, to
// see how many the machine carries, and then what Machine measures, for longer.
func (t Thorough) Measure(ctx context.Context, s *realrun.Session) (*Report, error) {
	r := &Report{Others: othersUse(ctx), Runs: t.Runs}
	t.say("a pair of runs alone", longTime)
	alone, _, err := measure(ctx, s, load(Alone, long))
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
	all, err := r.measureLoad(ctx, s, long)
	if err != nil {
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

// measure carries out jobs, all at once, and returns the samples of all, and what the watch saw. The first failure is an error.
func measure(ctx context.Context, s *realrun.Session, jobs []realrun.Job) (*realrun.Samples, *realrun.WatchSamples, error) {
	var (
		all   realrun.Samples
		seen  realrun.WatchSamples
		first error
	)
	s.Measure(ctx, jobs, len(jobs), func(i int, o *realrun.Outcome, err error) {
		switch {
		case err == nil:
			all.Add(&o.Samples)
			seen.Add(&o.WatchSamples)
		case first == nil:
			first = err
		}
	})
	if first != nil {
		return nil, nil, fmt.Errorf("calibrate: %w", first)
	}
	return &all, &seen, nil
}

// profile turns samples into a profile. local says that the store's clock is this machine's.
func (r *Report) profile(all *realrun.Samples, store history.Store, local bool) (*scenarios.Profile, error) {
	p := &scenarios.Profile{
		Name:  "machine",
		Start: law(all.Start), Stop: law(all.Stop), Continue: law(all.Continue),
		About: map[string]string{
			"made":    time.Now().UTC().Format(time.RFC3339),
			"machine": fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
			"store":   store.Product + " " + store.Version,
			"load":    fmt.Sprintf("%d runs of 2 workers", r.Runs),
			"others":  fmt.Sprintf("other programs used %.0f %% of the processors", 100*r.Others),
		},
	}
	if err := addTimers(p, all.Timers); err != nil {
		return nil, err
	}
	c := commands{samples: all.Commands, split: local}
	p.About["ways"] = c.addTrips(p)
	return p, nil
}
