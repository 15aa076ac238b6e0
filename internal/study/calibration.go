package study

import (
	"slices"
	"strings"

	"locklab/compare"
	"locklab/history"
	"locklab/plots"
)

// Calibration is what figures draw of cells that were predicted and measured, in whatever lines there are; nil if there
// are fewer than compare.Many.
func Calibration(lines history.Lines) *plots.Calibration {
	c := compare.Calibrate(lines)
	if c.Cells < compare.Many {
		return nil
	}
	conflicts := func(s *compare.Scored) *compare.Forecast { return &s.Conflicts }
	overlap := func(s *compare.Scored) *compare.Forecast { return &s.Overlap }
	unit, ns := "ms", 1e6
	if slices.ContainsFunc(c.Largest, func(s compare.Scored) bool { return s.Overlap.Median >= 10e9 }) {
		unit, ns = "s", 1e9
	}
	return &plots.Calibration{
		Profile: strings.Join(c.Profiles, ", "),
		Measures: []plots.Measure{
			newMeasure("conflicts per run", 1, &c.Conflicts, c.Largest, conflicts),
			newMeasure("overlap per run ("+unit+")", ns, &c.Overlap, c.Largest, overlap),
		},
	}
}

// newMeasure draws numbers in the given unit.
func newMeasure(name string, unit float64, s *compare.Score, cells []compare.Scored, of func(*compare.Scored) *compare.Forecast) plots.Measure {
	m := plots.Measure{Name: name}
	for i := range cells {
		f := of(&cells[i])
		central := f.Central95()
		m.Cells = append(m.Cells, plots.Forecast{
			Median: float64(f.Median) / unit, Measured: float64(f.Measured) / unit,
			Low: float64(central.Low) / unit, High: float64(central.High) / unit,
		})
	}
	if p := s.PIT; p != nil {
		m.PIT = plots.PIT{N: p.N, P: p.P, Bins: p.Bins, BandLow: p.BandLow, BandHigh: p.BandHigh}
	}
	for _, v := range s.Coverage {
		covered := plots.Covered{
			Nominal: v.Nominal, Expected: v.Expected, Inside: v.Share(), Low: v.Low, High: v.High, Width: v.Width / unit,
		}
		if v.InsideIdeal != nil {
			covered.Ideal = &plots.Sharp{Inside: float64(*v.InsideIdeal) / float64(v.N), Width: *v.WidthIdeal / unit}
		}
		m.Coverage = append(m.Coverage, covered)
	}
	return m
}
