package choice

import "math/bits"

// negativeLog is -ln((x + 1/2) / 2^64): 0 for the largest x, about 45 for 0, with a relative error below 1e-12.
//
// math.Log is not used because its result may differ in the last bit between platforms (assembly, fused
// multiply-add). Here every product is rounded by an explicit conversion before it is added to something,
// which the language specification promises not to fuse; additions, products and quotients of float64 are
// the same everywhere.
func negativeLog(x uint64) float64 {
	if x == 0 {
		return 65 * ln2
	}
	shift := bits.LeadingZeros64(x)
	// The leading 53 bits as m in [1, 2); the bits below contribute less than the error stated above.
	m := float64((x<<shift)>>11) / (1 << 52)
	exponent := float64(-1 - shift) // x / 2^64 = m * 2^exponent
	if m > 1.4142135623730951 {
		m /= 2
		exponent++
	}
	// ln m = 2 artanh s with s = (m-1)/(m+1), |s| < 0.1716, as the series s + s^3/3 + s^5/5 + ...
	s := (m - 1) / (m + 1)
	q := float64(s * s)
	sum := 1.0 / 17
	for _, c := range [...]float64{1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1} {
		sum = float64(sum*q) + c
	}
	return float64(-exponent*ln2) - float64(2*float64(s*sum))
}

const ln2 = 0.6931471805599453
