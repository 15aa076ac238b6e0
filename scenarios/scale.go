package scenarios

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// MaxScale is the largest factor by which a scenario can be scaled.
const MaxScale = 1000

// Scaled is the scenario with every duration multiplied by f, above 0 and at most MaxScale. What was published
// stays, since counts do not depend on the scale. It is an error if the TTL is no whole number of milliseconds
// afterwards.
func Scaled(s *Scenario, f float64) (*Scenario, error) {
	if !(f > 0 && f <= MaxScale) {
		return nil, fmt.Errorf("scale %s: want a number above 0 and at most %d", formatNumber(f), MaxScale)
	}
	if f == 1 {
		same := *s
		return &same, nil
	}
	scaled := s.times(f)
	if scaled.Lock.TTL%millisecond != 0 || s.Lock.TTL > 0 && scaled.Lock.TTL == 0 {
		return nil, fmt.Errorf("scale %s: %s: lock.ttl %s would be %s, no whole number of milliseconds above 0; near scales that work: %s",
			formatNumber(f), s.Name, formatDuration(s.Lock.TTL), formatDuration(scaled.Lock.TTL), nearScales(s.Lock.TTL, f))
	}
	if _, p := new(decoder).decode(scaled.tree()); p != nil {
		return nil, fmt.Errorf("scale %s: %s: %s", formatNumber(f), s.Name, p.what)
	}
	return scaled, nil
}

// times multiplies every duration of the scenario.
func (s *Scenario) times(f float64) *Scenario {
	t := *s
	t.shared = nil
	t.Start = times(s.Start, f)
	t.Work, t.Think = s.Work.Scaled(f), s.Think.Scaled(f)
	t.Lock.TTL = times(s.Lock.TTL, f)
	t.Lock.Retry.Every = s.Lock.Retry.Every.Scaled(f)
	t.Lock.Retry.Most = limitTimes(s.Lock.Retry.Most, f)
	t.Lock.Quorum.Timeout = limitTimes(s.Lock.Quorum.Timeout, f)
	t.Lock.Quorum.Plus = times(s.Lock.Quorum.Plus, f)
	t.Lock.Retry.Longest = limitTimes(s.Lock.Retry.Longest, f)
	t.Lock.Retry.Place = times(s.Lock.Retry.Place/millisecond, f) * millisecond
	t.Lock.Clock.Ahead = times(s.Lock.Clock.Ahead, f)
	t.Lock.MinHold = limitTimes(s.Lock.MinHold, f)
	r := &t.Lock.Renew
	r.Every, r.Timeout, r.AtMost = limitTimes(r.Every, f), limitTimes(r.Timeout, f), limitTimes(r.AtMost, f)
	t.Lock.Loss.Every, t.Lock.Loss.Latency = limitTimes(s.Lock.Loss.Every, f), times(s.Lock.Loss.Latency, f)
	t.Delay = Delay{Network: s.Delay.Network.Scaled(f), Timer: s.Delay.Timer.Scaled(f)}
	t.Pauses = slices.Clone(s.Pauses)
	for i := range t.Pauses {
		p := &t.Pauses[i]
		p.For, p.Time = p.For.Scaled(f), times(p.Time, f)
	}
	return &t
}

func times(ns int64, f float64) int64 { return int64(math.Round(float64(ns) * f)) }

// limitTimes multiplies a limit of which 0 means none, and which must not become that.
func limitTimes(ns int64, f float64) int64 {
	if ns == 0 {
		return 0
	}
	return max(1, times(ns, f))
}

// nearScales are the scales next to f, below and above it, that make the TTL a whole number of milliseconds.
func nearScales(ttl int64, f float64) string {
	var near []string
	below := math.Floor(float64(ttl) / millisecond * f)
	for _, ms := range []float64{below, below + 1} {
		if scale := ms * millisecond / float64(ttl); scale > 0 && scale <= MaxScale {
			near = append(near, formatNumber(scale))
		}
	}
	return strings.Join(near, ", ")
}
