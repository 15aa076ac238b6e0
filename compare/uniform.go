package compare

import (
	"math"
	"slices"
)

// kolmogorov is the statistic of Kolmogorov and Smirnov: how far the distribution of the values, at least one, each
// from 0 to 1, is at most from the uniform one.
func kolmogorov(values []float64) float64 {
	n := float64(len(values))
	var most float64
	for i, u := range slices.Sorted(slices.Values(values)) {
		most = max(most, float64(i+1)/n-u, u-float64(i)/n)
	}
	return most
}

// kolmogorovP is the chance that the statistic of n independent uniform values is at least d. It is exact (G.
// Marsaglia, W. Tsang and J. Wang, Evaluating Kolmogorov's distribution, Journal of Statistical Software 8, 2003)
// but for the far tail, where their approximation is right to within 10⁻⁵.
func kolmogorovP(n int, d float64) float64 {
	size := float64(n)
	if s := float64(d*d) * size; s > 7.24 || s > 3.76 && n > 99 {
		return min(1, 2*math.Exp(-(2.000071+0.331/math.Sqrt(size)+1.409/size)*s))
	}
	k := int(size*d) + 1
	power, exponent := kolmogorovMatrix(k, float64(k)-float64(size*d)).power(n)
	below := power[k-1][k-1]
	for i := 1; i <= n; i++ {
		below *= float64(i) / size
		below, exponent = rescaled(below, exponent)
	}
	return min(1, max(0, 1-math.Ldexp(below, exponent)))
}

// A matrix is square, row by row.
type matrix [][]float64

func newMatrix(size int) matrix {
	m := make(matrix, size)
	for i := range m {
		m[i] = make([]float64, size)
	}
	return m
}

// kolmogorovMatrix is the matrix H of the paper, 2k−1 wide, for n·d = k − h.
func kolmogorovMatrix(k int, h float64) matrix {
	size := 2*k - 1
	m := newMatrix(size)
	for i := range m {
		for j := range min(i+2, size) {
			m[i][j] = 1
		}
	}
	power := h
	for i := range m {
		m[i][0] -= power
		m[size-1][size-1-i] -= power
		power *= h
	}
	if corner := 2*h - 1; corner > 0 {
		m[size-1][0] += math.Pow(corner, float64(size))
	}
	for i := range m {
		factorial := 1.0
		for j := i; j >= 0; j-- {
			factorial *= float64(i - j + 1)
			m[i][j] /= factorial
		}
	}
	return m
}

// power is m to the n-th, n at least 1, as a matrix times 2 to the power of exponent.
func (m matrix) power(n int) (product matrix, exponent int) {
	if n == 1 {
		return m, 0
	}
	half, e := m.power(n / 2)
	product, exponent = half.times(half), 2*e
	if n%2 == 1 {
		product = product.times(m)
	}
	if middle := product[len(m)/2][len(m)/2]; middle > 1e140 {
		_, shift := math.Frexp(middle)
		for _, row := range product {
			for j := range row {
				row[j] = math.Ldexp(row[j], -shift)
			}
		}
		exponent += shift
	}
	return product, exponent
}

func (m matrix) times(o matrix) matrix {
	product := newMatrix(len(m))
	for i, row := range m {
		for k, v := range row {
			if v == 0 {
				continue
			}
			for j, w := range o[k] {
				product[i][j] += float64(v * w)
			}
		}
	}
	return product
}

// rescaled is x times 2 to the power of exponent with an x that is not too small for further products.
func rescaled(x float64, exponent int) (float64, int) {
	if x == 0 || x > 1e-140 {
		return x, exponent
	}
	fraction, shift := math.Frexp(x)
	return fraction, exponent + shift
}

// tenths counts the values in ten parts of equal width, from 0 to 1.
func tenths(values []float64) []int {
	const parts = 10
	bins := make([]int, parts)
	for _, u := range values {
		bins[min(int(u*parts), parts-1)]++
	}
	return bins
}

// band gives between which numbers all bins lie in at least 95 % of all cases if n independent values are uniform: a
// bin is below it, or above it, with a chance of at most 0.05/2/bins.
func band(n, bins int) (low, high int) {
	tail, p := 0.05/float64(2*bins), 1/float64(bins)
	var below float64 // the chance of fewer than k
	for k := 0; k < n; k++ {
		if below <= tail {
			low = k
		}
		below += binomial(n, k, p)
		if below >= 1-tail {
			return low, k
		}
	}
	return low, n
}

// binomial is the chance of k successes in n trials of chance p.
func binomial(n, k int, p float64) float64 {
	choose := logFactorial(n) - logFactorial(k) - logFactorial(n-k)
	return math.Exp(choose + float64(float64(k)*math.Log(p)) + float64(float64(n-k)*math.Log1p(-p)))
}

func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}
