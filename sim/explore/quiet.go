// Package explore enumerates the runs of a scenario that deviate little from its quiet run, with no deviation first,
// then one, then two: so the first violation that it finds is a smallest one.
package explore

import (
	"fmt"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/worker"
	"locklab/worker/lock"
)

// Bounds say how far an exploration goes.
type Bounds struct {
	Pause      int64 `json:"pause_ns"`   // how long a worker is stopped; 0 for PauseFor
	Rounds     int32 `json:"rounds"`     // of each worker
	Deviations int   `json:"deviations"` // at most, in one run
	MaxRuns    int64 `json:"max_runs"`   // runs after which the exploration gives up; 0 for no limit
}

// Limits of the bounds: beyond them an exploration would not end in a lifetime.
const (
	maxRounds     = 100
	maxDeviations = 4
	longestPause  = 24 * 3600 * 1_000_000_000
)

// Validate reports what is wrong with the bounds.
func (b *Bounds) Validate() error {
	switch {
	case b.Pause < 0 || b.Pause > longestPause:
		return fmt.Errorf("a pause of %s: must be from 0 to 24h", duration(b.Pause))
	case b.Rounds < 1 || b.Rounds > maxRounds:
		return fmt.Errorf("%d rounds: must be from 1 to %d", b.Rounds, maxRounds)
	case b.Deviations < 0 || b.Deviations > maxDeviations:
		return fmt.Errorf("%d deviations: must be from 0 to %d", b.Deviations, maxDeviations)
	case b.MaxRuns < 0:
		return fmt.Errorf("at most %d runs: must be 0 (no limit) or more", b.MaxRuns)
	}
	return nil
}

// PauseFor is the pause for a scenario for which none was chosen: one fifth longer than the TTL, or without
// one than the mean work.
func PauseFor(s *scenarios.Scenario) int64 {
	if s.Lock.TTL == 0 {
		return s.Work.Mean() * 6 / 5
	}
	return s.Lock.TTL * 6 / 5
}

// quiet is the scenario without its own pauses and crashes, in which a pause or a crash may come before and during
// every step, if the source of choices says so.
func quiet(s *scenarios.Scenario, b *Bounds) *scenarios.Scenario {
	q := *s
	q.Rounds = b.Rounds
	q.Pauses = nil
	for _, step := range s.Steps() {
		for _, crash := range []bool{false, true} {
			for _, where := range []worker.Where{worker.Before, worker.During} {
				q.Pauses = append(q.Pauses, worker.Pause{
					Where: where, Step: step, For: choice.Const(b.Pause), Fraction: 0.5, Crash: crash, When: worker.Asked,
				})
			}
		}
	}
	return &q
}

// Property is what must not happen.
type Property string

// The properties.
const (
	NoConflict   Property = "no conflict"
	NoStaleWrite Property = "no stale write accepted"
	NoLostUpdate Property = "no lost update"
	DoneOnce     Property = "every job is done at most once"
	Done         Property = "every job is done"
	TokenOrder   Property = "tokens follow the order of grants"
	NoEndlessAsk Property = "nobody waits for ever"
)

// Properties are those that can be violated in the scenario: without a lock there are no holds, and without a check or a
// resource no write reaches one.
func Properties(s *scenarios.Scenario) []Property {
	all := []Property{NoConflict}
	switch s.Resource.Kind {
	case worker.Balance:
		all = append(all, NoLostUpdate)
	case worker.Job:
		all = append(all, DoneOnce, Done)
	}
	if s.Lock.Kind == lock.None {
		return all
	}
	if s.Fencing.Check != 0 || s.Resource.Kind != worker.NoResource {
		all = append(all, NoStaleWrite)
	}
	if s.Fencing.Token != worker.TokenNone {
		all = append(all, TokenOrder)
	}
	return append(all, NoEndlessAsk)
}

// violated reports whether what was counted violates the property.
func (p Property) violated(t *history.Tally, endless bool) bool {
	switch p {
	case NoConflict:
		return t.Conflicts > 0
	case NoStaleWrite:
		return t.StaleAccepted > 0
	case TokenOrder:
		return t.TokenDisorder > 0
	case NoLostUpdate:
		return t.LostUpdates > 0
	case DoneOnce:
		return t.DoneTwice > 0
	case Done:
		return t.NotDone > 0
	default:
		return endless || t.Never > 0
	}
}
