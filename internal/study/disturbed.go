package study

import (
	"context"
	"fmt"
	"time"

	"locklab/internal/choice"
	"locklab/realrun"
	"locklab/scenarios"
)

// A run is disturbed once by what is above so many times the most that was noticed while the machine was measured, which took
// seconds: what is rarer than that comes up in a measurement of minutes too. It is disturbed all along if its median is above so
// many times the one of then.
const (
	beyondMost   = 3
	beyondMedian = 2
)

// What disturbs no run, however quiet the machine was while it was measured. Once, it decides one race for the lock among many
// at most, and the longer the work, the less; all along, it is what a profile has of other delays in any case.
const (
	harmlessOnce  = 20 * time.Millisecond // or this part of the work, if that is more
	harmlessPart  = 5
	harmlessAlong = 100 * time.Microsecond
)

// Limits are what a supervisor may notice during a run that counts as undisturbed.
type Limits struct {
	Late   Limit // how much later than it wanted it wakes
	Answer Limit // how long the store takes to answer
}

// A Limit is on the longest and on the median of the delays during a run. The zero value is none.
type Limit struct{ Most, Median time.Duration }

// NewLimits are those of a scenario's runs under a profile. One that was not measured has none.
func NewLimits(p *scenarios.Profile, s *scenarios.Scenario) Limits {
	harmless := max(harmlessOnce, time.Duration(s.Work.Mean())/harmlessPart)
	return Limits{Late: newLimit(&p.Watch.Late, harmless), Answer: newLimit(&p.Watch.Answer, harmless)}
}

func newLimit(l *choice.Law, harmless time.Duration) Limit {
	if l.IsZero() {
		return Limit{}
	}
	return Limit{
		Most:   max(beyondMost*time.Duration(l.Max()), harmless),
		Median: beyondMedian*time.Duration(l.Quantile(1<<63)) + harmlessAlong,
	}
}

// exceeded says by what a limit is exceeded; "" if it is not.
func (l *Limit) exceeded(seen *realrun.Seen) string {
	switch {
	case *l == Limit{}:
		return ""
	case seen.NS > int64(l.Most):
		return fmt.Sprintf("by %s; with this profile at most by %v", when(seen.Worst), shortly(l.Most))
	case seen.Median > int64(l.Median):
		return fmt.Sprintf("by %v at the median; with this profile at most by %v", shortly(time.Duration(seen.Median)), shortly(l.Median))
	}
	return ""
}

// disturbance says what disturbed a run; "" for nothing. A suspension, and a jump of the clock that a lease may go by, do so
// under any profile.
func (l *Limits) disturbance(w *realrun.Watch) string {
	switch {
	case w.Suspended.NS > 0:
		return "the machine was suspended for " + when(w.Suspended)
	case w.Stepped.NS > 0:
		return "the machine's wall clock jumped by " + when(w.Stepped)
	}
	if by := l.Late.exceeded(&w.Late); by != "" {
		return "the supervisor woke late, " + by
	}
	if by := l.Answer.exceeded(&w.Answer); by != "" {
		return "the store answered late, " + by
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

// CheckStore makes sure, in about half a second, that the session's store is as far away as the one that a profile was measured
// with. A profile that does not say so is right for any.
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
	return compareAnswers(time.Duration(answers[asked/8]), law)
}

// compareAnswers is an error if a quick answer can hardly be a quick one of a law. Quick ones, since also on a machine that has
// something else to do for the moment some answers come as fast as the way allows.
func compareAnswers(quick time.Duration, law *choice.Law) error {
	const twentieth = 1 << 64 / 20
	const moment = 500 * time.Microsecond
	low, usual, high := time.Duration(law.Quantile(twentieth)), time.Duration(law.Quantile(1<<63)), time.Duration(law.Quantile(19*twentieth))
	if quick <= 2*usual+moment && quick >= low/2-moment {
		return nil
	}
	return fmt.Errorf("this Redis is another one, or is slow: it answers in %v when it is quick, the one that the profile was measured with in %v at the median (90 %% in %v to %v)",
		shortly(quick), shortly(usual), shortly(low), shortly(high))
}
