package calibrate

import (
	"fmt"
	"time"

	"locklab/scenarios"
)

// What an idle machine stays well below: it was seen to be late by 0.2 ms at the median and 1 ms at the 99th percentile.
const (
	usualMedian = 1 * ms
	usualTail   = 10 * ms // 95th percentile
)

// Busy says how a profile shows that its machine had other things to do while it was measured; "" if it does not.
func Busy(p *scenarios.Profile) string {
	for i := range p.Timers {
		t := &p.Timers[i]
		median, tail := t.Late.Quantile(1<<63), t.Late.Quantile(^uint64(0)/100*95)
		if median > usualMedian || tail > usualTail {
			return fmt.Sprintf("sleeps of %v end late by %v at the median, %v at the 95th percentile",
				time.Duration(t.Sleep), time.Duration(median), time.Duration(tail))
		}
	}
	return ""
}
