package choice

import "math/bits"

// negativeLog is -ln(x / 2^64) to within 1e-12: nearly 0 for the largest x, 64 ln 2 for 1, and 65 ln 2 for 0.
//
// math.Log is not used because its result may differ in the last bit between platforms (assembly, fused
// multiply-add). Here every product is rounded by an explicit conversion before it is added to something,
// which the language specification promises not to fuse; sums, products and quotients of float64 are the
// same everywhere.
func negativeLog(x uint64) float64 {
	if x == 0 {
		return 65 * ln2
	}
	// x / 2^64 = m * 2^-(shift+1) with m in [1, 2). What is lost below the leading 53 bits is within the error.
	shift := bits.LeadingZeros64(x)
	leading := x << shift >> 11
	m := float64(leading) / (1 << 52)
	// ln m = ln c + ln(1+r), with c the middle of m's slice of [1, 2) and |r| < 1/512.
	slice := &logs[leading>>44&0xff]
	r := float64((m - slice.middle) * slice.inverse)
	r2 := float64(r * r)
	rest := r - float64(r2/2) + float64(r2*r)/3 - float64(r2*r2)/4
	return float64(float64(shift+1)*ln2) - (slice.log + rest)
}

const ln2 = 0.6931471805599453

// logs are the natural logarithms of the middles of 256 slices of [1, 2).
var logs = func() (t [256]struct{ middle, inverse, log float64 }) {
	for i := range t {
		c := 1 + (float64(i)+0.5)/256
		t[i].middle, t[i].inverse, t[i].log = c, 1/c, logOf(c)
	}
	return t
}()

// logOf is ln c for c in [1, 2), as the series 2 (s + s^3/3 + s^5/5 + ...) with s = (c-1)/(c+1) < 1/3.
func logOf(c float64) float64 {
	s := (c - 1) / (c + 1)
	q := float64(s * s)
	sum := 0.0
	for n := 35; n >= 1; n -= 2 {
		sum = float64(sum*q) + 1/float64(n)
	}
	return 2 * float64(s*sum)
}
