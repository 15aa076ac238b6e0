package scenarios

import "locklab/worker"

// WorstHold is the longest that a worker of the scenario may be from sending its acquire to sending its release, in ns, as far as the
// scenario says: its work and all pauses within. bounded is false if one of these has no bound.
func (s *Scenario) WorstHold() (hold int64, bounded bool) {
	hold, bounded = s.Work.Max(), !s.Work.IsUnbounded()
	for i := range s.Pauses {
		p := &s.Pauses[i]
		if p.Crash || p.Where != worker.At && (p.Step == 0 || !withinHold[p.Step.String()]) {
			continue
		}
		hold += p.For.Max()
		bounded = bounded && !p.For.IsUnbounded()
	}
	return hold, bounded
}

// withinHold are the steps in which, or before which, a pause prolongs a hold.
var withinHold = map[string]bool{
	"acquire": true, "token": true, "enter": true, "check": true, "read": true, "work": true, "commit": true, "leave": true, "release": true,
}
