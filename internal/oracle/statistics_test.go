package oracle

import (
	"math"
	"slices"
	"testing"
)

// pooled are the counts of two samples in common classes, each of which at least so many of both samples together are in.
func pooled(a, b []int64, least int) (classes [][2]int) {
	lowest, highest := min(slices.Min(a), slices.Min(b)), max(slices.Max(a), slices.Max(b))
	var open [2]int
	counts := make(map[int64][2]int)
	for i, sample := range [][]int64{a, b} {
		for _, v := range sample {
			c := counts[v]
			c[i]++
			counts[v] = c
		}
	}
	for v := lowest; v <= highest; v++ {
		c := counts[v]
		open[0], open[1] = open[0]+c[0], open[1]+c[1]
		if open[0]+open[1] >= least {
			classes = append(classes, open)
			open = [2]int{}
		}
	}
	if len(classes) == 0 {
		return [][2]int{open}
	}
	last := &classes[len(classes)-1]
	last[0], last[1] = last[0]+open[0], last[1]+open[1]
	return classes
}

// chiSquare is Pearson's test of whether two samples of integers come from one distribution: its p.
func chiSquare(a, b []int64) (p float64, classes int) {
	n, m := float64(len(a)), float64(len(b))
	all := pooled(a, b, 20)
	x := 0.0
	for _, c := range all {
		both := float64(c[0] + c[1])
		for i, size := range []float64{n, m} {
			expected := both * size / (n + m)
			x += (float64(c[i]) - expected) * (float64(c[i]) - expected) / expected
		}
	}
	return chiSquareTail(x, len(all)-1), len(all)
}

// chiSquareTail is how likely a chi-squared variable with k degrees of freedom exceeds x: 1 for k = 0. It is the recurrence
// Q(x, k+2) = Q(x, k) + (x/2)^(k/2) e^(-x/2) / Gamma(k/2+1) from Q(x, 1) = erfc(sqrt(x/2)) or Q(x, 2) = e^(-x/2).
func chiSquareTail(x float64, k int) float64 {
	if k == 0 {
		return 1
	}
	q, from := math.Exp(-x/2), 2
	if k%2 == 1 {
		q, from = math.Erfc(math.Sqrt(x/2)), 1
	}
	for ; from < k; from += 2 {
		half := float64(from) / 2
		logGamma, _ := math.Lgamma(half + 1)
		q += math.Exp(half*math.Log(x/2) - x/2 - logGamma)
	}
	return q
}

// kolmogorovSmirnov is the p of the test of whether two samples of continuous values come from one distribution, by the
// asymptotic distribution of the greatest distance between what shares of them lie below a value.
func kolmogorovSmirnov(a, b []float64) (p float64) {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	n, m := float64(len(a)), float64(len(b))
	var distance float64
	for i, j := 0, 0; i < len(a) && j < len(b); {
		v := min(a[i], b[j])
		for i < len(a) && a[i] == v {
			i++
		}
		for j < len(b) && b[j] == v {
			j++
		}
		distance = max(distance, math.Abs(float64(i)/n-float64(j)/m))
	}
	lambda := distance * math.Sqrt(n*m/(n+m))
	if lambda < 0.2 {
		return 1 // the sum below does not converge
	}
	sign := 1.0
	for k := 1.0; k <= 100; k++ {
		p += sign * 2 * math.Exp(-2*k*k*lambda*lambda)
		sign = -sign
	}
	return min(max(p, 0), 1)
}

// sampleMean gives the mean and the square of its standard error.
func sampleMean(xs []int64) (mean, errorSquared float64) {
	n, sum := float64(len(xs)), int64(0)
	for _, x := range xs {
		sum += x
	}
	mean = float64(sum) / n
	for _, x := range xs {
		errorSquared += (float64(x) - mean) * (float64(x) - mean) / (n - 1) / n
	}
	return mean, errorSquared
}

// standardErrors is how many standard errors of their difference two means are apart.
func standardErrors(a, b []int64) float64 {
	meanA, errorA := sampleMean(a)
	meanB, errorB := sampleMean(b)
	if meanA == meanB {
		return 0
	}
	return math.Abs(meanA-meanB) / math.Sqrt(errorA+errorB)
}

// The tests tell different distributions apart, and know the tables.
func TestStatistics(t *testing.T) {
	for k, at := range map[int]float64{1: 10.828, 2: 13.816, 3: 16.266, 10: 29.588, 25: 52.620} {
		if p := chiSquareTail(at, k); math.Abs(p-0.001) > 1e-5 {
			t.Errorf("%d degrees of freedom, %v: p %v, want 0.001", k, at, p)
		}
	}
	var a, b, shifted []float64
	var c, d []int64
	for i := range 2000 {
		x := float64(i*7919%2000) / 2000
		a, b, shifted = append(a, x), append(b, x+0.0003), append(shifted, x*1.1)
		c, d = append(c, int64(10*x)), append(d, int64(10*x*1.1))
	}
	if same, other := kolmogorovSmirnov(a, b), kolmogorovSmirnov(a, shifted); same < 0.9 || other > 0.001 {
		t.Errorf("Kolmogorov-Smirnov: p %v for alike, %v for different", same, other)
	}
	same, classes := chiSquare(c, slices.Clone(c))
	other, _ := chiSquare(c, d)
	if same < 0.999 || other > 0.001 || classes != 10 {
		t.Errorf("chi squared: p %v for alike, %v for different, %d classes", same, other, classes)
	}
	// The point of Kolmogorov's distribution that 0.1 % exceed is 1.9495.
	n := 5000.0
	var low, high []float64
	for i := range int(n) {
		low, high = append(low, float64(i)), append(high, float64(i)+1.9495*math.Sqrt(2*n))
	}
	if p := kolmogorovSmirnov(low, high); math.Abs(p-0.001) > 5e-5 {
		t.Errorf("Kolmogorov-Smirnov at its 0.1 %% point: p %v", p)
	}
}
