package calibrate

import (
	"fmt"
	"math"
	"slices"
	"time"

	"locklab/internal/choice"
	"locklab/realrun"
	"locklab/scenarios"
)

// maxSamples is how many samples a law of the profile keeps: the laws of the longest calibration together stay below what a
// profile may hold.
const maxSamples = 5000

// law is the empirical law of samples in the order in which the workers met them, one worker after the other. Delays are not
// independent: sums of twelve in a row were seen to vary two to three times as much as sums of twelve drawn apart. Of many
// samples it keeps whole rows, evenly spread.
func law(samples []int64) choice.Law {
	if len(samples) == 0 {
		return choice.Law{}
	}
	return choice.InSequence(someRows(samples))
}

// someRows keeps as many rows of samples as make maxSamples.
func someRows(samples []int64) (kept []int64) {
	if len(samples) <= maxSamples {
		return samples
	}
	const keep = maxSamples / choice.Row
	rows := len(samples) / choice.Row
	for i := range keep {
		first := i * rows / keep * choice.Row
		kept = append(kept, samples[first:first+choice.Row]...)
	}
	return kept
}

// addTimers adds the lateness of timers to a profile.
func addTimers(p *scenarios.Profile, samples []realrun.TimerSample) error {
	late := lateness(samples)
	for i, sleep := range Sleeps {
		if len(late[i]) == 0 {
			return fmt.Errorf("calibrate: no timer of %v was measured", time.Duration(sleep))
		}
		p.Timers = append(p.Timers, scenarios.TimerLateness{Sleep: sleep, Late: law(late[i])})
	}
	if waitsInTicks(samples) {
		p.Tick = tick
	}
	return nil
}

// tick is what timers wait in whole numbers of where they do: Go's runtime waits in whole milliseconds.
const tick = ms

// waitsInTicks reports whether sleeps that end half a tick after a whole one end half a tick later than others.
func waitsInTicks(samples []realrun.TimerSample) bool {
	var whole, half []int64
	for _, t := range samples {
		switch {
		case slices.Contains(Sleeps[1:4], t.Sleep):
			whole = append(whole, t.Late)
		case slices.Contains(between, t.Sleep):
			half = append(half, t.Late)
		}
	}
	return len(half) > 0 && median(half)-median(whole) > tick/4
}

// lateness is that of timers for each of Sleeps, and for about as long. A sleep of half a tick more is left out.
func lateness(timers []realrun.TimerSample) [][]int64 {
	late := make([][]int64, len(Sleeps))
	for _, t := range timers {
		if i := nearest(t.Sleep); i >= 0 && !slices.Contains(between, t.Sleep) {
			late[i] = append(late[i], t.Late)
		}
	}
	return late
}

// nearest is the index of the one of Sleeps that is as long as d, or nearly so; -1 if none is.
func nearest(d int64) int {
	return slices.IndexFunc(Sleeps, func(sleep int64) bool { return max(d-sleep, sleep-d) <= sleep/20 })
}

// median is that of samples; 0 of none.
func median(samples []int64) int64 {
	q, _ := quantile(slices.Sorted(slices.Values(samples)), 0.5)
	return q
}

// quantile is the smallest of ascending samples with at least the share p at or below it. It reports false if so few lie above
// that the samples cannot tell: less than one is expected to.
func quantile(samples []int64, p float64) (int64, bool) {
	n := len(samples)
	if n == 0 {
		return 0, false
	}
	i := int(math.Ceil(p * float64(n)))
	return samples[min(max(i-1, 0), n-1)], float64(n)*(1-p) >= 1-1e-9
}
