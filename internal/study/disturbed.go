package study

import (
	"context"
	"fmt"
	"time"

	"locklab/internal/choice"
	"locklab/realrun"
	"locklab/scenarios"
)

// A run is disturbed if its supervisor noticed more than so many times the most that it noticed while the machine was
// measured, which took seconds: what is rarer than that comes up in a measurement of minutes too.
const beyondProfile = 3

// leastDisturbance is what disturbs no run, however quiet the machine was while it was measured: at most it decides one race for
// the lock among many.
const leastDisturbance = 20 * time.Millisecond

// Limits are what a supervisor may notice during a run that counts as undisturbed; 0 for what is not looked at.
type Limits struct {
	Late   time.Duration // how much later than it wanted it woke
	Answer time.Duration // how long the store took to answer
}

// NewLimits are those of a profile. One that was not measured has none.
func NewLimits(p *scenarios.Profile) Limits {
	return Limits{Late: limit(&p.Watch.Late), Answer: limit(&p.Watch.Answer)}
}

func limit(l *choice.Law) time.Duration {
	if l.IsZero() {
		return 0
	}
	return max(beyondProfile*time.Duration(l.Max()), leastDisturbance)
}

// disturbance says what disturbed a run; "" for nothing. A suspension, and a jump of the clock that a lease may go by, do so
// under any profile.
func (l *Limits) disturbance(w *realrun.Watch) string {
	switch {
	case w.Suspended.NS > 0:
		return "the machine was suspended for " + when(w.Suspended)
	case w.Stepped.NS > 0:
		return "the machine's wall clock jumped by " + when(w.Stepped)
	case l.Late > 0 && w.Late.NS > int64(l.Late):
		return fmt.Sprintf("the supervisor woke too late, by %s; with this profile at most %v", when(w.Late), shortly(l.Late))
	case l.Answer > 0 && w.Answer.NS > int64(l.Answer):
		return fmt.Sprintf("the store took long to answer, %s; with this profile at most %v", when(w.Answer), shortly(l.Answer))
	}
	return ""
}

// when is e.g. "12.3ms at 1.2s".
func when(w realrun.Worst) string {
	return fmt.Sprintf("%v at %v", shortly(time.Duration(w.NS)), time.Duration(w.At).Round(100*time.Millisecond))
}

// shortly rounds a length of time to a few digits.
func shortly(d time.Duration) time.Duration {
	switch {
	case d < time.Millisecond:
		return d.Round(10 * time.Microsecond)
	case d < time.Second:
		return d.Round(100 * time.Microsecond)
	}
	return d.Round(100 * time.Millisecond)
}

// CheckStore makes sure, in about half a second, that the session's store is as far away and as fast as the one that a
// profile was measured with. A profile that does not say so is right for any.
func CheckStore(ctx context.Context, s *realrun.Session, p *scenarios.Profile) error {
	law := &p.Watch.Answer
	if law.IsZero() {
		return nil
	}
	const asked = 25
	answers, err := s.Answers(ctx, asked)
	if err != nil {
		return err
	}
	return compareAnswers(time.Duration(answers[len(answers)/2]), law)
}

// compareAnswers is an error if a store's median answer can hardly be one of a law's. The law is of a store under load, the
// median of one at rest, but perhaps on a machine that has something else to do for the moment.
func compareAnswers(median time.Duration, law *choice.Law) error {
	const twentieth = 1 << 64 / 20
	const moment = 500 * time.Microsecond
	low, usual, high := time.Duration(law.Quantile(twentieth)), time.Duration(law.Quantile(1<<63)), time.Duration(law.Quantile(19*twentieth))
	if median <= max(high, 2*usual)+moment && median >= min(low, usual/4) {
		return nil
	}
	return fmt.Errorf("it answers in %v (median), the one that the profile was measured with in %v (median; 90 %% in %v to %v)",
		shortly(median), shortly(usual), shortly(low), shortly(high))
}
