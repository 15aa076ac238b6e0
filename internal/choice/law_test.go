package choice_test

import (
	"math"
	"slices"
	"testing"

	"locklab/internal/choice"

	"pgregory.net/rapid"
)

const (
	ms  = 1_000_000
	day = 24 * 3600 * 1000 * ms
)

func uniform(a, b int64) choice.Law { return choice.Law{Kind: choice.Uniform, A: a, B: b} }
func exponential(mean int64) choice.Law {
	return choice.Law{Kind: choice.Exponential, A: mean}
}
func lognormal(median, p99 int64) choice.Law {
	return choice.Law{Kind: choice.Lognormal, A: median, B: p99}
}
func empirical(samples ...int64) choice.Law {
	return choice.Law{Kind: choice.Empirical, Samples: samples}
}

// least and most are the ends of what a draw can give.
const least, most = uint64(0), ^uint64(0)

func TestBoundsOfLaws(t *testing.T) {
	for _, test := range []struct {
		law            choice.Law
		min, mean, max int64
	}{
		{choice.Law{}, 0, 0, 0},
		{choice.Const(7), 7, 7, 7},
		{uniform(3, 3), 3, 3, 3},
		{uniform(3, 6), 3, 4, 6},
		{uniform(0, day), 0, day / 2, day},
		{exponential(100), 0, 100, 4505}, // 65 ln 2 = 45.05 means
		{empirical(5), 5, 5, 5},
		{empirical(1, 2, 9), 1, 4, 9},
		{lognormal(7, 7), 7, 7, 7},
		{lognormal(ms, 5*ms), 1775, 1_270_378, 563_354_729}, // sigma 0.6918, to 9.155 of it each way
		{lognormal(1, day), 0, 1 << 62, 1 << 62},            // bounded
	} {
		l := test.law
		if l.Min() != test.min || l.Mean() != test.mean || l.Max() != test.max {
			t.Errorf("%v: min %d, mean %d, max %d; want %d, %d, %d", l, l.Min(), l.Mean(), l.Max(), test.min, test.mean, test.max)
		}
		if l.Quantile(least) != l.Min() || l.Quantile(most) != l.Max() {
			t.Errorf("%v: draws from %d to %d", l, l.Quantile(least), l.Quantile(most))
		}
		if l.IsZero() != (test.max == 0) {
			t.Errorf("%v: IsZero is %v", l, l.IsZero())
		}
	}
}

// Every whole nanosecond of a uniform law, both bounds included, is as likely as any other.
func TestUniformIsEven(t *testing.T) {
	law, s := uniform(10, 14), choice.Seeded(1).Stream(choice.NameOf("test", 0, "uniform"), choice.Fixed)
	counts := make(map[int64]int)
	const n = 100_000
	for range n {
		counts[law.Draw(&s)]++
	}
	if len(counts) != 5 {
		t.Errorf("drew %v, want 10 to 14", counts)
	}
	for v, got := range counts {
		if d := math.Abs(float64(got) - n/5); d > 5*math.Sqrt(n*0.2*0.8) {
			t.Errorf("%d came up %d times of %d, want about a fifth", v, got, n)
		}
	}
}

// The exponential law is -mean ln(1-u) with u in units of 2^-64, whatever takes the place of math.Log in it. Its longest
// draw, where that would be infinite, is 65 mean ln 2.
func TestExponentialAgainstMathLog(t *testing.T) {
	const mean = day
	law := exponential(mean)
	check := func(u uint64) {
		t.Helper()
		want := -math.Log(math.Ldexp(float64(^u), -64))
		switch {
		case u < 1<<63: // near 1 by way of the distance from it
			want = -math.Log1p(-math.Ldexp(float64(u)+1, -64))
		case u == most:
			want = 65 * math.Ln2
		}
		got := float64(law.Quantile(u)) / mean
		if math.Abs(got-want) > 1e-12*max(want, 1)+1.0/mean {
			t.Errorf("u = %#x: %.17g means, want %.17g", u, got, want)
		}
	}
	for _, u := range []uint64{0, 1, 2, 1 << 10, 1 << 11, 1 << 32, 1<<63 - 1, 1 << 63, 1<<63 + 1, most - 1<<11, most - 1, most} {
		check(u)
	}
	s := choice.Seeded(2).Stream(choice.NameOf("test", 0, "log"), choice.Fixed)
	for range 100_000 {
		check(s.Next())
		check(^(s.Next() >> (s.Next() % 64))) // long draws, too
	}
}

func TestExponentialMeanAndQuantiles(t *testing.T) {
	const n, mean = 200_000, 1000 * ms
	law, s := exponential(mean), choice.Seeded(3).Stream(choice.NameOf("test", 0, "exponential"), choice.Fixed)
	draws := make([]int64, n)
	var sum float64
	for i := range draws {
		draws[i] = law.Draw(&s)
		sum += float64(draws[i])
	}
	if got := sum / n / mean; math.Abs(got-1) > 5/math.Sqrt(n) {
		t.Errorf("the mean of %d draws is %.4f means", n, got)
	}
	slices.Sort(draws)
	for _, p := range []float64{0.01, 0.1, 0.5, 0.9, 0.99} {
		below, _ := slices.BinarySearch(draws, int64(-math.Log1p(-p)*mean))
		if d := math.Abs(float64(below)/n - p); d > 5*math.Sqrt(p*(1-p)/n) {
			t.Errorf("%.4f of the draws are below the quantile for %v", float64(below)/n, p)
		}
	}
}

func TestEmpiricalDrawsSamplesEvenly(t *testing.T) {
	law := empirical(1, 2, 2, 50)
	for quarter, want := range law.Samples {
		for _, u := range []uint64{uint64(quarter) << 62, uint64(quarter+1)<<62 - 1} {
			if got := law.Quantile(u); got != want {
				t.Errorf("u = %#x: %d, want %d", u, got, want)
			}
		}
	}
}

func anyLaw(t *rapid.T) choice.Law {
	a := rapid.Int64Range(0, day).Draw(t, "a")
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return choice.Const(a)
	case 1:
		return uniform(a, rapid.Int64Range(a, day).Draw(t, "b"))
	case 2:
		return exponential(a)
	case 3:
		return lognormal(max(1, a), rapid.Int64Range(max(1, a), day).Draw(t, "p99"))
	default:
		samples := rapid.SliceOfN(rapid.Int64Range(0, day), 1, 9).Draw(t, "samples")
		slices.Sort(samples)
		return empirical(samples...)
	}
}

// A draw never falls when its number grows, and stays within the law's bounds.
func TestQuantileNeverFalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		law, u := anyLaw(t), rapid.Uint64().Draw(t, "u")
		v := rapid.OneOf(rapid.Just(u), rapid.Uint64()).Draw(t, "v")
		if v < most {
			v += rapid.Uint64Range(0, min(1000, most-v)).Draw(t, "more")
		}
		low, high := law.Quantile(min(u, v)), law.Quantile(max(u, v))
		if low > high || low < law.Min() || high > law.Max() {
			t.Fatalf("%#x gives %d, %#x gives %d, bounds %d and %d", min(u, v), low, max(u, v), high, law.Min(), law.Max())
		}
	})
}

// The exponential law does not fall where a computation by slices or by powers of two would change over.
func TestExponentialNeverFallsAtSeams(t *testing.T) {
	for _, mean := range []int64{1, ms / 2, day} {
		law := exponential(mean)
		for shift := range 56 {
			for slice := range uint64(256) {
				x := (1<<63 | slice<<55) >> shift
				if before, after := law.Quantile(^x), law.Quantile(^(x - 1)); before > after {
					t.Fatalf("mean %d: u = %#x gives %d, the next %d", mean, ^x, before, after)
				}
			}
		}
	}
}

func TestDrawOfConstantTakesNoNumber(t *testing.T) {
	s := choice.Seeded(1).Stream(2, choice.Fixed)
	still, law := s, choice.Const(5)
	if law.Draw(&s); s != still {
		t.Error("a constant law has moved the stream")
	}
	law = uniform(5, 5)
	if law.Draw(&s); s == still {
		t.Error("a law that is not constant has not moved the stream")
	}
}

func TestScaled(t *testing.T) {
	for _, test := range []struct {
		law  choice.Law
		f    float64
		want choice.Law
	}{
		{choice.Const(300), 0.5, choice.Const(150)},
		{choice.Const(5), 0.5, choice.Const(3)}, // half a nanosecond is rounded up
		{choice.Const(5), 0, choice.Const(0)},
		{uniform(10, 31), 0.1, uniform(1, 3)},
		{exponential(7), 1, exponential(7)},
		{empirical(10, 20, 40), 2, empirical(20, 40, 80)},
		{lognormal(10, 31), 0.1, lognormal(1, 3)},
	} {
		if got := test.law.Scaled(test.f); !equal(got, test.want) {
			t.Errorf("%v times %v is %v, want %v", test.law, test.f, got, test.want)
		}
	}
	samples := empirical(10, 20)
	if samples.Scaled(2); samples.Samples[0] != 10 {
		t.Error("scaling has changed the samples of the original")
	}
}

func equal(a, b choice.Law) bool {
	return a.Kind == b.Kind && a.A == b.A && a.B == b.B && slices.Equal(a.Samples, b.Samples)
}

// Sequences of one length are drawn together, in rows; other laws one after the other.
func TestTogether(t *testing.T) {
	const n = 1000
	a, b := make([]int64, n), make([]int64, n)
	for i := range a {
		a[i], b[i] = int64(i), int64(n-i)
	}
	x, y := choice.InSequence(a), choice.InSequence(b)
	s := choice.Seeded(1).Stream(choice.NameOf("x", 0, "y"), choice.Fixed)
	last, follow := int64(-1), 0
	for range 100 * choice.Row {
		there, back := choice.Together(&x, &y, &s)
		if there+back != n {
			t.Fatalf("%d came with %d", there, back)
		}
		if there == (last+1)%n {
			follow++
		}
		last = there
	}
	if want := 100 * (choice.Row - 1); follow < want || follow > want+10 {
		t.Errorf("%d draws followed the one before, want %d", follow, want)
	}
	apart, joined := choice.Seeded(2).Stream(3, choice.Fixed), choice.Seeded(2).Stream(3, choice.Fixed)
	uniform := choice.Law{Kind: choice.Uniform, B: n}
	there, back := choice.Together(&x, &uniform, &joined)
	if one, two := x.Draw(&apart), uniform.Draw(&apart); there != one || back != two || apart != joined {
		t.Errorf("drew %d and %d together, %d and %d apart", there, back, one, two)
	}
}
