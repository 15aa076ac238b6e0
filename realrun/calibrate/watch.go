package calibrate

import (
	"slices"

	"locklab/internal/choice"
	"locklab/realrun"
	"locklab/scenarios"
)

// watch turns what the supervisor's watch measured into laws. None of the samples is left out: the longest matter.
func watch(s *realrun.WatchSamples) scenarios.Watch {
	return scenarios.Watch{Late: anyOf(s.Late), Answer: anyOf(s.Answer)}
}

// anyOf is the empirical law of samples whose order does not matter.
func anyOf(samples []int64) choice.Law {
	if len(samples) == 0 {
		return choice.Law{}
	}
	return choice.Law{Kind: choice.Empirical, Samples: slices.Sorted(slices.Values(samples))}
}
