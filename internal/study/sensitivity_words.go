package study

import (
	"fmt"
	"strings"

	"locklab/compare"
)

// Words say what the outcome of a cell is most sensitive to: its conflicts or its overlap, whichever is farther off.
func (s *Sensitivity) Words(cell *compare.Scored) string {
	if cell.Overlap.P < cell.Conflicts.P {
		return s.Overlap.words("ms of overlap", 1e6)
	}
	return s.Conflicts.words("conflicts", 1)
}

// words name the two parts of the world that move the outcome most; unit is that of a number divided by per.
func (r *Response) words(unit string, per float64) string {
	var parts []string
	for i := range r.Swings {
		if s := &r.Swings[i]; s.isReal() && len(parts) < 2 {
			parts = append(parts, fmt.Sprintf("%s (%s … %s%s)", s.Part,
				signed(s.Short.Mean/per), signed(s.Long.Mean/per), s.inSD(r.SD)))
		}
	}
	mean := fmt.Sprintf("the mean of %.3g %s", r.Mean/per, unit)
	if len(parts) == 0 {
		return "nothing that was calibrated moves " + mean + " noticeably"
	}
	return "of what was calibrated, " + mean + " is most sensitive to " + strings.Join(parts, ", then ") + ", as each goes from its p5 to its p95"
}

// inSD is the larger of the two changes in standard deviations of a run.
func (s *Swing) inSD(sd float64) string {
	if sd == 0 {
		return ""
	}
	return fmt.Sprintf("; %.2g sd", s.size()/sd)
}

func signed(v float64) string {
	if v < 0 {
		return fmt.Sprintf("−%.3g", -v)
	}
	return fmt.Sprintf("+%.3g", v)
}
