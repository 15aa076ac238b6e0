package compare

import (
	"math"
	"math/rand/v2"
	"testing"
)

// For one value the statistic is max(u, 1−u); for two, the largest of four distances.
func TestKolmogorov(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{[]float64{0.3}, 0.7}, {[]float64{0.9, 0.8}, 0.8}, {[]float64{0.25, 0.75}, 0.25}, {[]float64{0.1, 0.2, 0.3, 0.4}, 0.6}} {
		if got := kolmogorov(c.values); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v: got %v, want %v", c.values, got, c.want)
		}
	}
}

// Of one value P(D < d) = 2d − 1, of two 2(2d − ½)² from ¼ to ½ and 1 − 2(1 − d)² above. K(10, 0.274) is from Marsaglia,
// Tsang and Wang; 1.36/√n and 1.63/√n are the familiar bounds at 5 and 1 % for large n.
func TestKolmogorovP(t *testing.T) {
	for _, c := range []struct {
		n             int
		d, want, near float64
	}{
		{1, 0.5, 1, 1e-12}, {1, 0.75, 0.5, 1e-12}, {1, 1, 0, 1e-12},
		{2, 0.4, 1 - 2*0.3*0.3, 1e-12}, {2, 0.7, 2 * 0.3 * 0.3, 1e-12},
		{10, 0.274, 1 - 0.6284796154565, 1e-12},
		{10, 0.40925, 0.05, 1e-5}, {20, 0.35241, 0.01, 1e-5}, // tables of critical values
		{1000, 1.3581 / math.Sqrt(1000), 0.05, 0.002}, {5000, 1.6276 / math.Sqrt(5000), 0.01, 0.0005},
		{16000, 0.016, 0.0005476508615293, 1e-6}, // by the program of the paper, without its approximation
		{100, 0.6, 0, 1e-12}, {20, 0.61, 2e-7, 2e-7}, {30, 0, 1, 1e-12},
	} {
		if got := kolmogorovP(c.n, c.d); math.Abs(got-c.want) > c.near {
			t.Errorf("n %d, d %v: got %v, want %v", c.n, c.d, got, c.want)
		}
	}
}

// A larger distance is never likelier, also where the exact p gives way to the approximation; neither becomes infinite.
func TestKolmogorovPFalls(t *testing.T) {
	for _, n := range []int{1, 3, 40, 99, 100, 300} {
		before := 1.0
		for d := 0.0; d <= 1; d += 0.01 {
			p := kolmogorovP(n, d)
			if !(p >= 0 && p <= before+1e-6) {
				t.Errorf("n %d: p of %v is %v, after %v", n, d, p, before)
			}
			before = p
		}
	}
}

// The p of uniform values is itself uniform: at most 10 % in 10 % of all cases, to within 3 standard errors.
func TestKolmogorovSize(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	const trials, n = 3000, 25
	var found int
	for range trials {
		us := make([]float64, n)
		for i := range us {
			us[i] = r.Float64()
		}
		if kolmogorovP(n, kolmogorov(us)) <= 0.1 {
			found++
		}
	}
	if share := float64(found) / trials; math.Abs(share-0.1) > 3*math.Sqrt(0.09/trials) {
		t.Errorf("p is at most 10 %% in %v of all cases", share)
	}
}

func TestTenths(t *testing.T) {
	got := tenths([]float64{0, 0.05, 0.1, 0.55, 0.999999, 1})
	for i, want := range []int{2, 1, 0, 0, 0, 1, 0, 0, 0, 2} {
		if got[i] != want {
			t.Errorf("tenth %d has %d, want %d", i, got[i], want)
		}
	}
}

// All tenths of uniform values are in the band in at least 95 % of all cases, and not in nearly all.
func TestBand(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, n := range []int{1, 20, 200} {
		low, high := band(n, 10)
		const trials = 4000
		var inside int
		for range trials {
			us := make([]float64, n)
			for i := range us {
				us[i] = r.Float64()
			}
			ok := true
			for _, count := range tenths(us) {
				ok = ok && low <= count && count <= high
			}
			if ok {
				inside++
			}
		}
		if share := float64(inside) / trials; share < 0.94 || n == 200 && share > 0.98 {
			t.Errorf("%d values: all within %d to %d in %v of all cases", n, low, high, share)
		}
	}
}
