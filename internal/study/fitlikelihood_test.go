package study

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// drawnOutcomes draws some outcomes, of which many come up again.
func drawnOutcomes(t *rapid.T, name string) *sample {
	s := &sample{}
	rejected := rapid.Bool().Draw(t, "rejected are counted")
	for _, v := range rapid.SliceOfN(rapid.Int64Range(0, 12), 1, 40).Draw(t, name) {
		o := outcome{80, v, notCounted}
		if rejected {
			o.rejected = v / 2
		}
		s.add(o)
	}
	return s
}

func TestKernelIsADistribution(t *testing.T) {
	sum := kernel(0)
	const most = 1_000_000
	for d := int64(1); d <= most; d++ {
		if kernel(d) != kernel(-d) || kernel(d) >= kernel(d-1) {
			t.Fatalf("kernel(%d) is %g, kernel(%d) %g and kernel(%d) %g", d, kernel(d), -d, kernel(-d), d-1, kernel(d-1))
		}
		sum += 2 * kernel(d)
	}
	if math.Abs(sum-1) > 2.0/most {
		t.Errorf("the sum is %g", sum)
	}
}

// Every outcome has a probability above 0, and they sum to at most 1.
func TestProbabilities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &sample{}
		for _, v := range rapid.SliceOfN(rapid.Int64Range(0, 12), 1, 40).Draw(t, "conflicts") {
			s.add(outcome{80, v, notCounted})
		}
		sum := 0.0
		for v := int64(0); v < 2000; v++ {
			sum += s.probability(outcome{80, v, notCounted})
		}
		if sum > 1+1e-12 || sum < 0.5 {
			t.Fatalf("the probabilities sum to %g", sum)
		}
		if far := s.probability(outcome{1_000_000_000, 1_000_000_000, notCounted}); far <= 0 || math.IsInf(math.Log(far), 0) {
			t.Fatalf("what is far off has probability %g", far)
		}
	})
}

// What comes up often has nearly the share of the runs that had it; what no run had is the less likely the farther off it is, and
// the more runs there are.
func TestProbabilityFollowsTheRuns(t *testing.T) {
	s := &sample{}
	for i := range 4000 {
		s.add(outcome{80, 30 + int64(i%2), notCounted})
	}
	if p := s.probability(outcome{80, 30, notCounted}); math.Abs(p-0.5) > 0.01 {
		t.Errorf("half of the runs had it, its probability is %g", p)
	}
	few := &sample{}
	few.add(outcome{80, 30, notCounted})
	last := 1.0
	for d := range int64(50) {
		p := s.probability(outcome{80, 31 + d, notCounted})
		if p >= last || d > 0 && p >= few.probability(outcome{80, 31 + d, notCounted}) {
			t.Errorf("%d off: %g after %g; with one run %g", d, p, last, few.probability(outcome{80, 31 + d, notCounted}))
		}
		last = p
	}
}

// Twice the counts have twice the logarithm of the likelihood, with twice its standard deviation.
func TestLikelihoodsMultiply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		simulated := drawnOutcomes(t, "simulated")
		once, twice := &sample{}, &sample{}
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(simulated.outcomes)-1), 1, 10).Draw(t, "counted") {
			once.add(simulated.outcomes[i])
			twice.add(simulated.outcomes[i])
			twice.add(simulated.outcomes[i])
		}
		a, b := likelihoodOf(once, simulated), likelihoodOf(twice, simulated)
		if math.Abs(2*a.log-b.log) > 2e-6 || math.Abs(4*a.variance-b.variance) > 1e-6*(1+b.variance) || !a.explains {
			t.Fatalf("once %+v, twice %+v", a, b)
		}
	})
}

// The standard deviation is what the luck of the runs does: likelihoods of many batches spread so far.
func TestLikelihoodVariance(t *testing.T) {
	const batches, runs = 400, 1000
	counted := &sample{}
	for _, v := range []int64{30, 30, 31, 33} {
		counted.add(outcome{80, v, notCounted})
	}
	next := uint64(1)
	uniform := func() float64 { // xorshift
		next ^= next << 13
		next ^= next >> 7
		next ^= next << 17
		return float64(next>>11) / (1 << 53)
	}
	var sum, squares, said float64
	for range batches {
		s := &sample{}
		for range runs {
			v := int64(28)
			for range 8 { // binomial
				if uniform() < 0.4 {
					v++
				}
			}
			s.add(outcome{80, v, notCounted})
		}
		l := likelihoodOf(counted, s)
		sum, squares, said = sum+l.log, squares+l.log*l.log, said+l.variance/batches
	}
	variance := squares/batches - sum/batches*sum/batches
	if ratio := said / variance; ratio < 0.75 || ratio > 1.33 {
		t.Errorf("likelihoods vary by %g, said is %g", variance, said)
	}
}

// What lies outside of all runs is not explained, and its uncertainty is not known.
func TestUnexplained(t *testing.T) {
	counted, simulated := &sample{}, &sample{}
	counted.add(outcome{80, 31, 15})
	for _, o := range []outcome{{80, 30, 15}, {80, 32, 14}} {
		simulated.add(o)
	}
	if l := likelihoodOf(counted, simulated); !l.explains || !math.IsInf(l.variance, 1) {
		t.Errorf("between the runs: %+v", l)
	}
	counted.add(outcome{80, 31, 16})
	if l := likelihoodOf(counted, simulated); l.explains || math.IsInf(l.log, 0) {
		t.Errorf("with one outside of the runs: %+v", l)
	}
}
