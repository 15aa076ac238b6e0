package compare

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func pOf(differences ...int64) float64 {
	s := rank(differences)
	return s.p()
}

// Hollander and Wolfe's depression data, in thousandths: R's wilcox.test gives V = 40 and, one-sided, p = 0.01953.
func TestSignedRankOfDepressionData(t *testing.T) {
	s := rank([]int64{1830 - 878, 500 - 647, 1620 - 598, 2480 - 2050, 1680 - 1060, 1880 - 1290, 1550 - 1060, 3060 - 3140, 1300 - 1290})
	if s.higher != 2*40 {
		t.Errorf("twice V is %d, want 80", s.higher)
	}
	near(t, "p", s.p(), 2*0.01953125, 0)
}

// Student's sleep data, in tenths, with a tie: R's wilcox.test gives, by the normal law, V = 0 and p = 0.009091.
func TestSignedRankByTheNormalLaw(t *testing.T) {
	s := rank([]int64{-12, -24, -13, -13, -10, -18, -8, -46, -14})
	near(t, "p", s.normal(), 0.009091, 5e-7)
	near(t, "exact p", s.p(), 2.0/512, 0)
}

// p is the share of all signs that give sums at least as uneven.
func TestSignedRankAgainstEverySign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(1, 6)
		differences := rapid.SliceOfN(size, 1, 9).Draw(t, "sizes")
		for i := range differences {
			if rapid.Bool().Draw(t, "negative") {
				differences[i] = -differences[i]
			}
		}
		s := rank(differences)
		var uneven int
		all := 1 << len(s.ranks)
		for signs := range all {
			var sum int64
			for i, r := range s.ranks {
				if signs>>i&1 == 1 {
					sum += r
				} else {
					sum -= r
				}
			}
			if abs(sum) >= abs(s.higher-s.lower) {
				uneven++
			}
		}
		if want := float64(uneven) / float64(all); s.p() != want {
			t.Errorf("p of %v is %g, want %g", differences, s.p(), want)
		}
	})
}

// Where the exact distribution hands over to the normal law, they agree, and the normal law does not make p too small.
func TestSignedRankNormalMeetsExact(t *testing.T) {
	for least := int64(1); least <= 18; least++ {
		differences := make([]int64, mostExact)
		for i := range differences {
			differences[i] = int64(i + 1)
			if int64(i+1)%3 == 0 || int64(i+1) < least {
				differences[i] *= -1
			}
		}
		s := rank(differences)
		exact, normal := s.exact(), s.normal()
		if normal < 0.95*exact || normal > 1.3*exact {
			t.Errorf("%d to %d: exact %g, normal %g", s.lower, s.higher, exact, normal)
		}
	}
}

func TestSignedRankExtremes(t *testing.T) {
	if p := pOf(); p != 1 {
		t.Errorf("p of nothing is %g, want 1", p)
	}
	if p := pOf(3, -3, 5, -5); p != 1 {
		t.Errorf("p of balanced differences is %g, want 1", p)
	}
	many := make([]int64, 5000)
	for i := range many {
		many[i] = int64(i + 1)
	}
	if p := pOf(many...); p != tiniest {
		t.Errorf("p of 5000 to 0 is %g, want %g", p, tiniest)
	}
	if p, want := pOf(many[:mostExact]...), math.Exp2(1-mostExact); p != want {
		t.Errorf("p of %d to 0 is %g, want %g", mostExact, p, want)
	}
	if p, want := pOf(many[:100]...), math.Exp2(1-100); p < want || p > 1e-15 {
		t.Errorf("p of 100 to 0 is %g, want at least %g, and small", p, want)
	}
}
