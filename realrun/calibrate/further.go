package calibrate

import (
	"context"
	"math"
	"slices"

	"locklab/internal/choice"
	"locklab/realrun"
	"locklab/scenarios"
	"locklab/worker"
	"locklab/worker/lock"
	"locklab/worker/wire"
)

// Several commands that a worker sends at once do not leave at once: its process writes one after the other, and a machine of few
// processors wakes one store after the other. The profile says by how much each further one is later.

// addFurther measures that, under the report's load, if the session has several stores. single are commands that were sent
// alone.
func (r *Report) addFurther(ctx context.Context, s *realrun.Session, single []realrun.CommandSample) error {
	stores := s.Stores()
	if stores < 2 {
		return nil
	}
	jobs := make([]realrun.Job, r.Runs)
	for i := range jobs {
		jobs[i] = realrun.Job{Scenario: together(min(stores, wire.MaxStores)), Seed: uint64(i), Sample: true}
	}
	all, _, err := measure(ctx, s, jobs)
	if err != nil {
		return err
	}
	r.Profile.Network.Ways.Further = further(single, all.Commands, min(stores, wire.MaxStores))
	return nil
}

// together is a loop of two workers that contend for a lock at several stores, with more tries than anything else.
func together(stores int) *scenarios.Scenario {
	return &scenarios.Scenario{
		Name: "calibrate", Workers: 2,
		Plan: worker.Plan{
			Rounds: 10, Start: 2 * ms, Work: choice.Const(100 * ms), Think: choice.Const(10 * ms),
			Lock: lock.Policy{
				Kind: lock.Quorum, TTL: 1000 * ms, Retry: lock.Retry{Every: choice.Const(25 * ms)},
				Quorum: lock.QuorumPolicy{Stores: stores},
			},
		},
	}
}

// further compares deletions that were sent alone, right after a reply, with those that were sent at once to so many stores: by how
// much the last of them is later than the slowest of as many that know nothing of each other would be, shared among all but
// the first. Medians are compared. It is 0 if there are too few samples.
func further(single, at []realrun.CommandSample, stores int) int64 {
	const few = 20
	alone, last := tripsOf(single), lastOf(tripsOf(at), stores)
	if len(alone) < few || len(last) < few {
		return 0
	}
	slices.Sort(alone)
	// The slowest of n is below x if all are: the median of the slowest is the quantile of 2^(-1/n).
	slowest := alone[int(float64(len(alone))*math.Pow(2, -1/float64(stores)))]
	return max(0, (median(last)-slowest)/int64(stores-1))
}

// tripsOf are the trips of the deletions that were sent right after a reply.
func tripsOf(samples []realrun.CommandSample) (trips []int64) {
	for i := range samples {
		if s := &samples[i]; s.Op == wire.CompareDelete && s.After == realrun.AfterReply {
			trips = append(trips, s.Trip)
		}
	}
	return trips
}

// lastOf are the longest trips of groups of n that follow each other: a worker that waits for all answers before it goes on
// has them so.
func lastOf(trips []int64, n int) (last []int64) {
	for group := range slices.Chunk(trips, n) {
		last = append(last, slices.Max(group))
	}
	return last
}
