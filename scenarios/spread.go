package scenarios

import (
	"math/big"
)

// workPrecision is how many bits the computation of a root has. Rounded to what a parameter can be, its values are exact.
const workPrecision = 320

// linear are n values from one to the other, equally far apart.
func linear(from, to *big.Rat, n int) []*big.Rat {
	values := []*big.Rat{from}
	if n == 1 {
		return values
	}
	step := new(big.Rat).Sub(to, from)
	step.Quo(step, new(big.Rat).SetInt64(int64(n-1)))
	for i := 1; i < n; i++ {
		v := new(big.Rat).SetInt64(int64(i))
		values = append(values, v.Add(v.Mul(v, step), from))
	}
	return values
}

// stepped are the values from, from + step, … up to to.
func stepped(from, to, step *big.Rat) []*big.Rat {
	var values []*big.Rat
	for v := from; v.Cmp(to) <= 0; v = new(big.Rat).Add(v, step) {
		values = append(values, v)
	}
	return values
}

// countSteps is how many values stepped gives.
func countSteps(from, to, step *big.Rat) *big.Int {
	n := new(big.Rat).Sub(to, from)
	n.Quo(n, step)
	whole := new(big.Int).Quo(n.Num(), n.Denom())
	return whole.Add(whole, big.NewInt(1))
}

// logarithmic are n values from one to the other, above 0, each the same multiple of the one before it.
func logarithmic(from, to *big.Rat, n int) []*big.Rat {
	values := []*big.Rat{from}
	if n == 1 {
		return values
	}
	factor := root(new(big.Rat).Quo(to, from), n-1)
	v := precise().SetRat(from)
	for range n - 2 {
		v.Mul(v, factor)
		exact, _ := v.Rat(nil)
		values = append(values, exact)
	}
	return append(values, to)
}

func precise() *big.Float { return new(big.Float).SetPrec(workPrecision) }

// root is the n-th root of a, at least 1: bisection to the precision of a float64, then Newton's iteration, which doubles the
// number of right digits each time. Nothing in it depends on the platform.
func root(a *big.Rat, n int) *big.Float {
	target := precise().SetRat(a)
	approximate, _ := target.Float64()
	low, high := 1.0, max(approximate, 1)
	for range 200 { // enough from any high that a number of 20 digits, divided by one of 20 places, gives
		if middle := low + (high-low)/2; powerAbove(middle, n, approximate) {
			high = middle
		} else {
			low = middle
		}
	}
	x := precise().SetFloat64(high)
	degree, less := precise().SetInt64(int64(n)), precise().SetInt64(int64(n-1))
	for range 8 {
		// x = ((n-1) x + a / x^(n-1)) / n
		quotient := precise().Quo(target, powerOf(x, n-1))
		x = precise().Mul(x, less)
		x.Quo(x.Add(x, quotient), degree)
	}
	return x
}

// powerAbove reports whether x^n, for x at least 1, is above a limit.
func powerAbove(x float64, n int, limit float64) bool {
	p := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			p *= x
		}
		x *= x
	}
	return p > limit
}

// powerOf is x^n.
func powerOf(x *big.Float, n int) *big.Float {
	p, x := precise().SetInt64(1), precise().Set(x)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			p.Mul(p, x)
		}
		x.Mul(x, x)
	}
	return p
}
