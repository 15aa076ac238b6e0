package compare

import "math/big"

// moments are the exact sums of whole numbers and of their squares. The zero value is of none.
type moments struct {
	n            int64
	sum, squares big.Int
	term         big.Int // scratch
}

func (m *moments) add(x int64) {
	m.n++
	m.term.SetInt64(x)
	m.sum.Add(&m.sum, &m.term)
	m.term.Mul(&m.term, &m.term)
	m.squares.Add(&m.squares, &m.term)
}

// mean is the float64 nearest to the mean of at least one number.
func (m *moments) mean() float64 { return quotient(&m.sum, big.NewInt(m.n)) }

// variance is the float64 nearest to the variance of at least two numbers, (n Σx² − (Σx)²) / n(n−1). The numerator
// is exact, so that nothing cancels, and it is 0 only if all numbers are the same.
func (m *moments) variance() float64 {
	n, less := big.NewInt(m.n), big.NewInt(m.n-1)
	square := new(big.Int).Mul(&m.sum, &m.sum)
	above := new(big.Int).Mul(n, &m.squares)
	return quotient(above.Sub(above, square), less.Mul(less, n))
}

func quotient(above, below *big.Int) float64 {
	q, _ := new(big.Rat).SetFrac(above, below).Float64()
	return q
}
