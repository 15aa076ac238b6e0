package choice

import (
	"math"
	"math/bits"
)

// normal is the quantile of the standard normal law at u/2^64, to within 1e-11: -9.2 for u = 0, 0 in the middle, 9.2 for
// the largest u. It never falls when u grows.
//
// It is algorithm AS 241, PPND16: M. J. Wichura, The Percentage Points of the Normal Distribution, Applied Statistics 37
// (1988), 477-484. As in negativeLog, no product can be fused with a sum; a square root is rounded correctly by every
// platform (IEEE 754).
//
// Only the leading 40 bits of the distance from the nearer end count, the others are taken as ones. So the results of two
// distances that differ are farther apart than they are wrong by rounding, and the order is kept.
func normal(u uint64) float64 {
	end := min(u, ^u)
	end |= 1<<max(0, bits.Len64(end)-40) - 1
	z := fromMiddle(end)
	if u < 1<<63 {
		return -z
	}
	return z
}

// fromMiddle is how many standard deviations lie between the middle and the quantile that has end/2^64 beyond it. Of
// end = 0, half a step counts.
func fromMiddle(end uint64) float64 {
	const middle, wide = 1 << 63, 0.425
	if q := float64(middle-end) / (1 << 64); q <= wide {
		r := wide*wide - float64(q*q)
		return float64(q*polynomial(&normalA, r)) / polynomial(&normalB, r)
	}
	r := math.Sqrt(negativeLog(end))
	if r <= 5 {
		r -= 1.6
		return polynomial(&normalC, r) / polynomial(&normalD, r)
	}
	r -= 5
	return polynomial(&normalE, r) / polynomial(&normalF, r)
}

// polynomial is c[0] + c[1] x + c[2] x^2 + ...
func polynomial(c *[8]float64, x float64) float64 {
	sum := c[7]
	for i := 6; i >= 0; i-- {
		sum = float64(sum*x) + c[i]
	}
	return sum
}

// The coefficients of AS 241: A and B near the middle, C and D in the tails, E and F far out.
var (
	normalA = [8]float64{
		3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
		4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3,
	}
	normalB = [8]float64{
		1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
		2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3,
	}
	normalC = [8]float64{
		1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
		1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
	}
	normalD = [8]float64{
		1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
	}
	normalE = [8]float64{
		6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
	}
	normalF = [8]float64{
		1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
	}
)
