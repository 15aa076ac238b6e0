package history

import (
	"math"
	"math/big"
)

// A Rate is a conflict rate, from 0 to 1, and its 95 % interval.
type Rate struct{ Value, Low, High float64 }

// Width is how wide the interval is.
func (r Rate) Width() float64 { return r.High - r.Low }

// ConflictRate is conflicts / entries of all runs. The runs, not the entries, are independent; so its interval is that of a
// ratio estimator over runs (Cochran, Sampling Techniques, 1977, section 2.11), with Student's t. If the ratio is the same
// in every run, which proves less the fewer runs there are, the interval is as wide as a probability is uncertain of which n
// runs have shown nothing else: 1 - 0.05^(1/n). Without any entry the value is 0.
//
// Sums are of whole numbers and nothing depends on the platform.
func (c *Cell) ConflictRate() Rate {
	n, entries, conflicts := c.Runs, c.Entries.sum.big(), c.Conflicts.sum.big()
	if n == 0 {
		return Rate{High: 1}
	}
	r := Rate{}
	if entries.Sign() > 0 {
		r.Value = ratio(conflicts, entries)
	}
	spread := c.spread(entries, conflicts)
	if n == 1 || spread.Sign() <= 0 {
		width := constantWidth(n)
		r.Low = r.Value - float64(r.Value*width)
		r.High = r.Value + float64((1-r.Value)*width)
		return r
	}
	// The variance of the ratio is n/(n-1) sum(c-Re)^2 / entries^2.
	variance := ratio(spread.Mul(spread, big.NewInt(n)), new(big.Int).Mul(square(square(entries)), big.NewInt(n-1)))
	half := student(n-1) * math.Sqrt(variance)
	r.Low, r.High = max(0, r.Value-half), min(1, r.Value+half)
	return r
}

// spread is entries^2 times the sum over runs of (c - R e)^2, where R = conflicts / entries.
func (c *Cell) spread(entries, conflicts *big.Int) *big.Int {
	product := func(factors ...*big.Int) *big.Int {
		p := big.NewInt(1)
		for _, f := range factors {
			p.Mul(p, f)
		}
		return p
	}
	s := product(entries, entries, c.Conflicts.squares())
	s.Sub(s, product(big.NewInt(2), entries, conflicts, c.EntriesTimesConflicts.big()))
	return s.Add(s, product(conflicts, conflicts, c.Entries.squares()))
}

// squares is the sum of the squares of values that are kept exactly.
func (h *Histogram) squares() *big.Int {
	s, term := new(big.Int), new(big.Int)
	for _, b := range h.bins {
		term.SetInt64(b.Value)
		s.Add(s, term.Mul(square(term), big.NewInt(b.N)))
	}
	return s
}

func square(v *big.Int) *big.Int { return new(big.Int).Mul(v, v) }

// ratio is a/b, of whole numbers of any size.
func ratio(a, b *big.Int) float64 {
	q, _ := new(big.Rat).SetFrac(a, b).Float64()
	return q
}

// constantWidth is 1 - 0.05^(1/n), found by bisection, so that it is the same on every machine.
func constantWidth(n int64) float64 {
	low, high := 0.0, 1.0
	for range 60 {
		middle := (low + high) / 2
		if power(1-middle, n) > 0.05 {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// power is x^n by squaring.
func power(x float64, n int64) float64 {
	p := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			p *= x
		}
		x *= x
	}
	return p
}

// firstStudent are the 97.5 % quantiles of Student's t with 1, 2, … degrees of freedom.
var firstStudent = [...]float64{
	12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
	2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
}

// student is the 97.5 % quantile of Student's t: with many degrees of freedom by its expansion around that of the normal
// distribution (Abramowitz and Stegun, 26.7.5), good to four digits after the point.
func student(degrees int64) float64 {
	if degrees <= int64(len(firstStudent)) {
		return firstStudent[degrees-1]
	}
	const (
		z      = 1.959963984540054
		first  = (z*z*z + z) / 4
		second = (5*z*z*z*z*z + 16*z*z*z + 3*z) / 96
		third  = (3*z*z*z*z*z*z*z + 19*z*z*z*z*z + 17*z*z*z - 15*z) / 384
	)
	v := float64(degrees)
	return z + float64(first/v) + float64(second/(v*v)) + float64(third/(v*v*v))
}
