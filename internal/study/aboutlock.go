package study

import (
	"fmt"
	"strings"
	"time"

	"locklab/scenarios"
	"locklab/worker/lock"
)

// AboutPreset says of a scenario whose lock is that of a library: its TTL, the worst case of the job against it, and what the holder
// would notice of a loss. It is empty for all other scenarios.
func AboutPreset(s *scenarios.Scenario) []string {
	preset, err := scenarios.PresetNamed(s.Preset)
	if s.Preset == "" || err != nil {
		return nil
	}
	return []string{
		fmt.Sprintf("%s (%s): %s", preset.Name, preset.Library, lease(s)),
		"worst case: " + worstCase(s),
		"the holder would notice: " + preset.Notices,
	}
}

// lease says how long a lease lives.
func lease(s *scenarios.Scenario) string {
	if !s.Lock.HasTTL() {
		return "no TTL, so a holder that dies leaves it locked for ever"
	}
	text := "TTL " + short(s.Lock.TTL)
	if s.Lock.Renew.Every == 0 {
		return text + ", not renewed"
	}
	return text + ", renewed every " + short(s.Lock.Renew.Every)
}

// worstCase holds what the scenario says of a hold against the lease.
func worstCase(s *scenarios.Scenario) string {
	hold, bounded := s.WorstHold()
	p := &s.Lock
	if !p.HasTTL() {
		return "a hold cannot be lost"
	}
	if p.Renew.Every > 0 && p.Renew.Every < p.TTL {
		return renewedWorst(p)
	}
	switch {
	case !bounded:
		return "work or a pause has no bound, so no TTL is long enough"
	case hold >= p.TTL:
		return fmt.Sprintf("work and pauses take %s, %s beyond the TTL: the lock is lost", short(hold), short(hold-p.TTL))
	}
	return fmt.Sprintf("work and pauses take %s, %s within the TTL", short(hold), short(p.TTL-hold))
}

// renewedWorst is the worst case of a lease that is renewed before it ends: a stop that leaves no renewal the time, or work that goes on
// when the renewals have ended.
func renewedWorst(p *lock.Policy) string {
	text := fmt.Sprintf("a process that is stopped for more than %s may lose the lock, for more than %s it does; work by itself ",
		short(p.TTL-p.Renew.Every), short(p.TTL))
	if p.Renew.AtMost > 0 {
		return text + fmt.Sprintf("if it takes more than %s, since it is not renewed after %s", short(p.Renew.AtMost+p.TTL), short(p.Renew.AtMost))
	}
	return text + "never"
}

// short is a duration in words, rounded to milliseconds.
func short(ns int64) string {
	return strings.TrimSpace(time.Duration(ns).Round(time.Millisecond).String())
}
