package study

import (
	"fmt"
	"strings"
	"time"

	"locklab/scenarios"
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

// worstCase holds what the scenario says of a hold against the lease. A lease that is renewed ends only after a stop that leaves no
// renewal the time.
func worstCase(s *scenarios.Scenario) string {
	hold, bounded := s.WorstHold()
	if !s.Lock.HasTTL() {
		return "a hold cannot be lost"
	}
	if s.Lock.Renew.Every > 0 {
		return fmt.Sprintf("a process that is stopped for more than %s may lose the lock, for more than %s it does; work by itself never",
			short(s.Lock.TTL-s.Lock.Renew.Every), short(s.Lock.TTL))
	}
	switch {
	case !bounded:
		return "work or a pause has no bound, so no TTL is long enough"
	case hold >= s.Lock.TTL:
		return fmt.Sprintf("work and pauses take %s, %s beyond the TTL: the lock is lost", short(hold), short(hold-s.Lock.TTL))
	}
	return fmt.Sprintf("work and pauses take %s, %s within the TTL", short(hold), short(s.Lock.TTL-hold))
}

// short is a duration in words, rounded to milliseconds.
func short(ns int64) string {
	return strings.TrimSpace(time.Duration(ns).Round(time.Millisecond).String())
}
