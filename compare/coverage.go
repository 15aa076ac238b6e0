package compare

import (
	"math"
	"slices"
)

// A PIT sums up the transforms of all cells with a spread. If the predictions are right, they are independent and
// uniform from 0 to 1.
type PIT struct {
	N        int     `json:"n"`
	KS       float64 `json:"ks"`        // the statistic of Kolmogorov and Smirnov: the largest distance from the uniform distribution
	P        float64 `json:"p"`         // the chance of at least that distance if the predictions are right
	Bins     []int   `json:"bins"`      // how many transforms lie in each tenth
	BandLow  int     `json:"band_low"`  // if the predictions are right, all bins are from BandLow to BandHigh
	BandHigh int     `json:"band_high"` // in at least 95 % of all cases
}

// newPIT is nil for no forecasts.
func newPIT(forecasts []*Forecast) *PIT {
	if len(forecasts) == 0 {
		return nil
	}
	var us []float64
	for _, f := range forecasts {
		us = append(us, *f.U)
	}
	p := PIT{N: len(us), KS: kolmogorov(us), Bins: tenths(us)}
	p.P = kolmogorovP(p.N, p.KS)
	p.BandLow, p.BandHigh = band(p.N, len(p.Bins))
	return &p
}

// A Coverage says how many cells were measured inside of an interval that holds at least the nominal share of the
// simulated runs, and how wide such intervals are. Widths are in conflicts or in nanoseconds.
type Coverage struct {
	Nominal     float64  `json:"nominal"`  // e.g. 0.95
	Expected    float64  `json:"expected"` // the share of cells inside, on average, if the predictions are right: at least Nominal
	Inside      int      `json:"inside"`
	N           int      `json:"n"`
	Low         float64  `json:"low"`  // with 95 % confidence, the share of cells inside is from Low
	High        float64  `json:"high"` // to High
	Width       float64  `json:"width_median"`
	InsideIdeal *int     `json:"inside_ideal"`       // the same under the profile ideal,
	WidthIdeal  *float64 `json:"width_median_ideal"` // nil unless each of the cells was predicted under it
}

// Share is the share of cells inside.
func (c *Coverage) Share() float64 { return float64(c.Inside) / float64(c.N) }

// coverage is that of every nominal share; empty for no forecasts.
func coverage(forecasts []*Forecast) []Coverage {
	all := []Coverage{}
	if len(forecasts) == 0 {
		return all
	}
	hasIdeal := !slices.ContainsFunc(forecasts, func(f *Forecast) bool { return f.Ideal == nil })
	for i := range nominals {
		c := Coverage{Nominal: forecasts[0].Intervals[i].Nominal, N: len(forecasts)}
		for _, f := range forecasts {
			c.Expected += f.Intervals[i].Holds
		}
		c.Expected /= float64(c.N)
		c.Inside, c.Width = held(forecasts, func(f *Forecast) Interval { return f.Intervals[i] })
		c.Low, c.High = wilson(c.Inside, c.N)
		if hasIdeal {
			inside, width := held(forecasts, func(f *Forecast) Interval { return f.Ideal[i] })
			c.InsideIdeal, c.WidthIdeal = &inside, &width
		}
		all = append(all, c)
	}
	return all
}

// held is how many of the measured numbers lie in their interval, and the intervals' median width.
func held(forecasts []*Forecast, of func(*Forecast) Interval) (inside int, width float64) {
	var widths []int64
	for _, f := range forecasts {
		interval := of(f)
		if interval.contains(f.Measured) {
			inside++
		}
		widths = append(widths, interval.width())
	}
	slices.Sort(widths)
	last := len(widths) - 1
	return inside, float64(widths[last/2]+widths[(last+1)/2]) / 2
}

// wilson is the 95 % confidence interval of a share that came up k times in n (E. Wilson, Journal of the American
// Statistical Association 22, 1927).
func wilson(k, n int) (low, high float64) {
	const z = 1.959963984540054 // the 97.5 % quantile of the normal distribution
	size, share := float64(n), float64(k)/float64(n)
	middle := share + z*z/(2*size)
	half := z * math.Sqrt(float64(share*(1-share))/size+z*z/float64(4*size*size))
	whole := 1 + z*z/size
	return max(0, (middle-half)/whole), min(1, (middle+half)/whole)
}
