package study

import (
	"fmt"
	"strings"
	"time"

	"locklab/scenarios"
	"locklab/worker/lock"
)

// captions say in a few words what sets each experiment apart, by its name.
func captions(experiments []*Experiment) map[string]string {
	all := make(map[string]string, len(experiments))
	for _, e := range experiments {
		all[e.Scenario.Name] = caption(e.Scenario)
	}
	return all
}

func caption(s *scenarios.Scenario) string {
	if s.Lock.Kind == lock.None {
		return "no lock"
	}
	var parts []string
	if s.Lock.Kind == lock.Quorum {
		parts = append(parts, fmt.Sprintf("%d stores", s.Lock.Stores()))
	}
	if s.Lock.TTL > 0 {
		parts = append(parts, "TTL "+inMilliseconds(s.Lock.TTL))
	} else {
		parts = append(parts, "no TTL")
	}
	for i := range s.Pauses {
		parts = append(parts, "pause "+inMilliseconds(s.Pauses[i].For.Mean()))
	}
	if s.Fencing.Check != 0 {
		parts = append(parts, "fencing")
	}
	return strings.Join(parts, ", ")
}

func inMilliseconds(ns int64) string {
	return fmt.Sprintf("%g ms", time.Duration(ns).Seconds()*1000)
}
