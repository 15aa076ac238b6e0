package compare

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func pairsOf(a, b []int64) pairs {
	var s pairs
	for i := range a {
		s.add(a[i], b[i])
	}
	return s
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance {
		t.Errorf("%s: got %.10g, want %.10g", what, got, want)
	}
}

// Student's own data, hours of sleep gained with two drugs, in tenths: R's t.test(paired = TRUE) gives 1.58 with
// 0.7001142 to 2.4598858, and t.test (Welch) the interval -0.2054832 to 3.3654832.
func TestIntervalsOfStudentsSleep(t *testing.T) {
	s := pairsOf([]int64{7, -16, -2, -12, -1, 34, 37, 8, 0, 20}, []int64{19, 8, 11, 1, -1, 44, 55, 16, 46, 34})
	d := s.sum()
	near(t, "mean", d.Mean, 15.8, 0)
	near(t, "half width", *d.HalfWidth, (24.598858-7.001142)/2, 1e-6)
	near(t, "unpaired half width", *d.UnpairedHalfWidth, (33.654832+2.054832)/2, 1e-6)
	if d.Lower != 0 || d.Equal != 1 || d.Higher != 9 {
		t.Errorf("lower %d, equal %d, higher %d", d.Lower, d.Equal, d.Higher)
	}
	near(t, "p", d.P, 2.0/512, 0)
}

// From tables of the distribution; the last is close to the normal law's 1.959964.
func TestStudentQuantiles(t *testing.T) {
	for freedom, want := range map[float64]float64{1: 12.7062047, 9: 2.2621572, 199: 1.9719565, 9999: 1.9602012, 1e6: 1.9599664} {
		near(t, "t", student(1, 1, freedom), want, 1e-6)
	}
}

// A mean and a variance are exact where sums of float64 would have lost all digits.
func TestMomentsAreExact(t *testing.T) {
	const far = int64(1) << 62
	var m moments
	for i := range 1000 {
		m.add(far + int64(i%2))
	}
	near(t, "variance", m.variance(), 250.0/999, 1e-16)
	near(t, "mean", m.mean()-float64(far), 0, 0)
}

func TestASinglePairHasNoInterval(t *testing.T) {
	s := pairsOf([]int64{3}, []int64{5})
	if d := s.sum(); d.HalfWidth != nil || d.UnpairedHalfWidth != nil || d.Mean != 2 {
		t.Errorf("got %+v", d)
	}
}

// Of equal variances and independent samples, Welch's interval is that of 2(n−1) degrees of freedom.
func TestWelchOfEqualVariances(t *testing.T) {
	want := distuv.StudentsT{Sigma: 1, Nu: 18}.Quantile(0.975) * math.Sqrt(2*3.0/10)
	near(t, "half width", welch(3, 3, 10), want, 1e-8)
	near(t, "half width of constants", welch(0, 0, 10), 0, 0)
	near(t, "one constant", welch(0, 3, 10), student(3, 10, 9), 1e-8)
}
