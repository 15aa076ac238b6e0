package choice_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"locklab/internal/choice"
)

// normalBeyond is how many standard deviations the quantile of the standard normal law that has the share p, at most 1/2,
// beyond it is from the middle: by bisection of its distribution function.
func normalBeyond(p float64) float64 {
	low, high := 0.0, 10.0
	for range 60 {
		if z := (low + high) / 2; math.Erfc(z/math.Sqrt2)/2 > p {
			low = z
		} else {
			high = z
		}
	}
	return low
}

// The lognormal law is median e^(sigma z), whatever takes the place of math.Log and math.Exp in it.
func TestLognormalAgainstMath(t *testing.T) {
	laws := []choice.Law{lognormal(ms, 5*ms), lognormal(day/50, day), lognormal(day, day+1), lognormal(1000, day/1000)}
	check := func(u uint64) {
		t.Helper()
		z := normalBeyond(math.Ldexp(max(float64(min(u, ^u)), 0.5), -64)) // of the outermost, half a step counts
		if u < 1<<63 {
			z = -z
		}
		for _, law := range laws {
			median, p99 := float64(law.A), float64(law.B)
			want := median * math.Exp(math.Log(p99/median)/normalBeyond(0.01)*z)
			want = min(want, 1<<62)
			if got := float64(law.Quantile(u)); math.Abs(got-want) > 1e-10*want+0.5 {
				t.Fatalf("median %d, p99 %d, u = %#x: %.17g, want %.17g", law.A, law.B, u, got, want)
			}
		}
	}
	s := choice.Seeded(4).Stream(choice.NameOf("test", 0, "lognormal"), choice.Fixed)
	for shift := range 64 {
		for _, end := range []uint64{1 << shift, 1<<shift | 1, s.Next() >> shift, s.Next() >> shift} {
			check(end)
			check(^end)
		}
	}
}

// A law says what its median and its 99th percentile are.
func TestLognormalKeepsItsParameters(t *testing.T) {
	const percent99 = most / 100 * 99
	for _, law := range []choice.Law{lognormal(1, 1), lognormal(ms, 5*ms), lognormal(3, 4000), lognormal(ms, 300_000*ms)} {
		median, p99 := law.Quantile(1<<63), law.Quantile(percent99)
		if median != law.A || median != law.Quantile(1<<63-1) || p99 != law.B {
			t.Errorf("median %d, p99 %d; want %d and %d", median, p99, law.A, law.B)
		}
	}
}

// The lognormal law rises from each number that counts to the next, also where a computation by parts of the range, by
// slices or by powers of two would change over.
func TestLognormalNeverFalls(t *testing.T) {
	s := choice.Seeded(5).Stream(choice.NameOf("test", 0, "rise"), choice.Fixed)
	for _, law := range []choice.Law{lognormal(day, 2*day), lognormal(day/50, day), lognormal(day, day+day/1000)} {
		rises := func(end uint64) {
			t.Helper()
			end |= 1<<max(0, bits.Len64(end)-40) - 1 // what follows counts
			for _, u := range []uint64{end, ^end - 1} {
				if before, after := law.Quantile(u), law.Quantile(u+1); before > after {
					t.Fatalf("%v: u = %#x gives %d, the next %d", law, u, before, after)
				}
			}
		}
		for shift := range 63 {
			for slice := range uint64(256) {
				rises((1<<63|slice<<55)>>(shift+1) - 1)
				rises(s.Next() >> (shift + 1))
			}
		}
		const tail, farTail = 1 << 64 / 1000 * 75, 256_187_346 // where AS 241 changes over: 0.075 and e^-25
		for i := range uint64(2000) {
			rises(tail + (i-1000)<<21)
			rises(farTail + i - 1000)
		}
	}
}

func TestLognormalMeanAndQuantiles(t *testing.T) {
	const n = 200_000
	law, s := lognormal(ms, 5*ms), choice.Seeded(6).Stream(choice.NameOf("test", 0, "lognormal"), choice.Fixed)
	draws := make([]int64, n)
	var sum float64
	for i := range draws {
		draws[i] = law.Draw(&s)
		sum += float64(draws[i])
	}
	const sd = 0.99 * ms // mean sqrt(e^(sigma^2) - 1)
	if got := sum / n; math.Abs(got-float64(law.Mean())) > 5*sd/math.Sqrt(n) {
		t.Errorf("the mean of %d draws is %.0f, want %d", n, got, law.Mean())
	}
	slices.Sort(draws)
	for p, quantile := range map[float64]int64{0.01: ms / 5, 0.5: ms, 0.99: 5 * ms} {
		below, _ := slices.BinarySearch(draws, quantile)
		if d := math.Abs(float64(below)/n - p); d > 5*math.Sqrt(p*(1-p)/n) {
			t.Errorf("%.4f of the draws are below the quantile for %v", float64(below)/n, p)
		}
	}
}
