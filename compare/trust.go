package compare

import "fmt"

// What a calibration needs for a verdict, and when predictions hold.
const (
	MinSpread = 100  // fewest cells with a spread that can show that predictions hold
	MinInside = 0.92 // of these, the share that must be inside the closed interval of 95 %
)

// A Trust sums many forecasts up: do they hold?
type Trust string

// The verdicts about many forecasts.
const (
	Holds       Trust = "holds"
	DoesNotHold Trust = "does not hold"
	Untold      Trust = "unknown"
)

// Trust is the verdict about the forecasts of one measure, and its reason. They hold if of at least MinSpread cells with a
// spread the share of MinInside is inside the closed interval of 95 %, and the transforms are uniform at Level. With fewer cells
// it can only be known that they do not hold: if the transforms are not uniform, or even the upper end of the interval for the
// share inside is below MinInside.
func (s *Score) Trust() (verdict Trust, why string) {
	if s.PIT == nil {
		return Untold, "no cell with a spread was measured"
	}
	central := s.central95()
	few := central.N < MinSpread
	why = fmt.Sprintf("%d of %d cells with a spread (%s) are inside the interval of 95 %%, wanted %s; p of uniformity %s, wanted %g",
		central.Inside, central.N, percent(central.Share()), percent(MinInside), probability(&s.PIT.P), Level)
	if few {
		why += fmt.Sprintf("; fewer than %d cells with a spread can only show that it does not hold", MinSpread)
	}
	switch {
	case s.PIT.P < Level, few && central.High < MinInside, !few && central.Share() < MinInside:
		return DoesNotHold, why
	case few:
		return Untold, why
	}
	return Holds, why
}

// central95 is the coverage of the interval of 95 %, of at least one cell.
func (s *Score) central95() *Coverage {
	for i := range s.Coverage {
		if s.Coverage[i].Nominal == 0.95 {
			return &s.Coverage[i]
		}
	}
	return nil
}

// ExitCode is the exit code of a verdict: 0 they hold, 1 they do not, 3 it is unknown.
func (t Trust) ExitCode() int {
	switch t {
	case Holds:
		return 0
	case DoesNotHold:
		return 1
	}
	return 3
}
