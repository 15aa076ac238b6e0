package choice

import "math"

// exp is e^t to within 1e-13 of itself, for t from -700 to 700. It never falls when t grows. For the same result
// everywhere see negativeLog.
//
// t is rounded to a multiple of 2^-44. So the results of two that differ are farther apart than they are wrong by
// rounding, and the order is kept.
func exp(t float64) float64 {
	const steps = 1 << 44
	t = math.Floor(float64(t*steps)+0.5) / steps
	// e^t = 2^(n/256) e^rest with |rest| < ln 2 / 512. The product of n and ln2High is exact.
	n := math.Floor(float64(t*(256/ln2)) + 0.5)
	rest := t - float64(n*(ln2High/256)) - float64(n*(ln2Low/256))
	r2 := float64(rest * rest)
	more := rest + r2/2 + float64(r2*rest)/6 + float64(r2*r2)/24
	power := &powers[int(n)&0xff]
	return math.Float64frombits(uint64(1023+int(n)>>8)<<52) * (*power + float64(*power*more))
}

// ln2 in two parts, of which the first has 32 bits.
const (
	ln2High = 0x1.62e42feep-1
	ln2Low  = ln2 - ln2High
)

// powers are 2^(i/256).
var powers = func() (t [256]float64) {
	for i := range t {
		t[i] = expOf(float64(i) / 256 * ln2)
	}
	return t
}()

// expOf is e^t for t in [0, 1), as the series 1 + t (1 + t/2 (1 + t/3 (...))).
func expOf(t float64) float64 {
	sum := 1.0
	for n := 20; n >= 1; n-- {
		sum = 1 + float64(t*sum)/float64(n)
	}
	return sum
}
