package plots

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// steps are ticks at the multiples of a step.
type steps float64

// Ticks makes steps a plot.Ticker.
func (s steps) Ticks(lo, hi float64) []plot.Tick {
	var ticks []plot.Tick
	for k := math.Ceil(lo / float64(s)); k*float64(s) <= hi*(1+1e-9); k++ {
		v := k * float64(s)
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 10, 64)})
	}
	return ticks
}

// roundStep is the smallest of 1, 2 and 5 times a power of ten that cuts a length into at most so many parts.
func roundStep(length float64, parts int) float64 {
	least := length / float64(parts)
	scale := math.Pow(10, math.Floor(math.Log10(least)))
	for _, step := range []float64{1, 2, 5} {
		if step*scale >= least*(1-1e-9) {
			return step * scale
		}
	}
	return 10 * scale
}
