package compare

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Difference says how one quantity of B's runs differs from that of A's, run by run. Its numbers are in the unit of
// the quantity.
type Difference struct {
	MeanA             float64  `json:"mean_a"`
	MeanB             float64  `json:"mean_b"`
	Mean              float64  `json:"mean"`                // of B − A over the pairs of runs
	HalfWidth         *float64 `json:"half_width"`          // of the mean's 95 % interval; nil for a single pair
	UnpairedHalfWidth *float64 `json:"unpaired_half_width"` // what it would be if the runs were not paired; nil for a single pair
	Lower             int64    `json:"lower"`               // pairs whose run of B has less
	Equal             int64    `json:"equal"`
	Higher            int64    `json:"higher"` // pairs whose run of B has more
	P                 float64  `json:"p"`      // of the signed rank test, before Holm's correction; at least tiniest
	Verdict           Verdict  `json:"verdict"`
	Why               string   `json:"why,omitempty"` // what is to be known about the verdict

	lean int64 // below 0 if B is lower by the ranks of the differences, above 0 if it is higher
}

// pairs are what was counted of one quantity. It keeps the differences: the test needs their ranks.
type pairs struct {
	a, b, difference     moments
	lower, equal, higher int64
	unequal              []int64 // the differences that are not 0
}

func (s *pairs) add(a, b int64) {
	s.a.add(a)
	s.b.add(b)
	s.difference.add(b - a)
	switch {
	case b == a:
		s.equal++
		return
	case b < a:
		s.lower++
	default:
		s.higher++
	}
	s.unequal = append(s.unequal, b-a)
}

// sum is the difference of at least one pair. It has no verdict yet.
func (s *pairs) sum() Difference {
	ranks := rank(s.unequal)
	d := Difference{
		MeanA: s.a.mean(), MeanB: s.b.mean(), Mean: s.difference.mean(),
		Lower: s.lower, Equal: s.equal, Higher: s.higher,
		P: ranks.p(), lean: ranks.higher - ranks.lower,
	}
	if n := s.difference.n; n > 1 {
		paired := student(s.difference.variance(), n, float64(n-1))
		unpaired := welch(s.a.variance(), s.b.variance(), n)
		d.HalfWidth, d.UnpairedHalfWidth = &paired, &unpaired
	}
	return d
}

// student is the half width of the 95 % interval of the mean of n numbers with that variance (Student, Biometrika, 1908).
func student(variance float64, n int64, freedom float64) float64 {
	t := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(0.975)
	return steady(t * math.Sqrt(variance/float64(n)))
}

// welch is the half width of the 95 % interval of the difference of two means of n numbers each, drawn apart (Welch,
// Biometrika, 1947).
func welch(a, b float64, n int64) float64 {
	if a == 0 && b == 0 {
		return 0
	}
	sum := a + b
	freedom := float64(n-1) * (sum / (a*(a/sum) + b*(b/sum)))
	return student(sum, n, freedom)
}

// steady rounds to 9 digits, so that the last bits, in which processors differ, do not show.
func steady(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 9, 64), 64)
	if err != nil {
		return x
	}
	return rounded
}
