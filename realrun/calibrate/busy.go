package calibrate

import (
	"context"
	"fmt"
	"time"

	"locklab/scenarios"
)

// What an idle machine stays well below: it was seen to be late by 0.2 ms at the median and 1 ms at the 99th percentile.
const (
	usualMedian = 1 * ms
	usualTail   = 10 * ms // 95th percentile
	usualOthers = 0.1     // the share of the processors that other programs use
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

// Busy is Busy of the report's profile, and looks at what other programs did before.
func (r *Report) Busy() string {
	why := Busy(r.Profile)
	if why == "" && r.Others > usualOthers {
		why = fmt.Sprintf("other programs used %.0f %% of its processors", 100*r.Others)
	}
	return why
}

// othersUse measures for a moment what share of the machine's processors is in use, while this program does nothing; 0 if
// that cannot be told.
func othersUse(ctx context.Context) float64 {
	const moment = 300 * time.Millisecond
	before := processorTimes()
	select {
	case <-ctx.Done():
	case <-time.After(moment):
	}
	after := processorTimes()
	all, idle := after.all-before.all, after.idle-before.idle
	if all <= 0 {
		return 0
	}
	return float64(all-idle) / float64(all)
}
