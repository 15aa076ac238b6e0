package cli

import (
	"context"
	"fmt"
	"time"

	"locklab/internal/study"
)

// manyRuns is how many runs are started without being asked twice.
const manyRuns = 1e9

// askForYes refuses a sweep that is very long, unless --yes is given, and says what it would take.
func (c *sweepCommand) askForYes(ctx context.Context, s *study.Sweep) error {
	if c.yes || s.MostRuns() <= manyRuns {
		return nil
	}
	e, err := s.Estimate(ctx, time.Second)
	if err != nil {
		return fmt.Errorf("measure how long the sweep takes: %w", err)
	}
	upTo := ""
	if s.Header().Precision > 0 {
		upTo = "up to "
	}
	return fmt.Errorf("sweep %s: %s%.3g runs in %d cells: on this machine, with %d processors, %sabout %s, and a file of about %s; --yes starts it all the same",
		s.Header().Scenario, upTo, e.MostRuns, e.Cells, e.Processors, upTo, textTime(e.Time), textBytes(e.Bytes))
}

// textTime writes how long something takes, roughly.
func textTime(d time.Duration) string {
	for _, unit := range []struct {
		name   string
		length time.Duration
	}{{"years", 8766 * time.Hour}, {"days", 24 * time.Hour}, {"hours", time.Hour}, {"minutes", time.Minute}} {
		if n := float64(d) / float64(unit.length); n >= 10 {
			return fmt.Sprintf("%.0f %s", n, unit.name)
		} else if n >= 2 {
			return fmt.Sprintf("%.2g %s", n, unit.name)
		}
	}
	return fmt.Sprintf("%.0f seconds", d.Seconds())
}

func textBytes(n float64) string {
	units := []string{"bytes", "kB", "MB", "GB", "TB", "PB"}
	for len(units) > 1 && n >= 1000 {
		n, units = n/1000, units[1:]
	}
	return fmt.Sprintf("%.3g %s", n, units[0])
}
