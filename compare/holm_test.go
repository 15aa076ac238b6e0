package compare

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestHolm(t *testing.T) {
	for _, c := range []struct {
		name string
		ps   []float64
		want []bool
	}{
		// 0.005 ≤ 0.05/4 and 0.01 ≤ 0.05/3, but 0.03 > 0.05/2; 0.04 is never asked, though it is below 0.05/1.
		{"stops at the first that is too large", []float64{0.01, 0.04, 0.03, 0.005}, []bool{true, false, false, true}},
		{"a bound that is met exactly rejects", []float64{0.025, 0.05}, []bool{true, true}},
		{"equal p share their fate", []float64{0.02, 0.02, 0.5}, []bool{false, false, false}},
		{"none", nil, []bool{}},
		{"one", []float64{0}, []bool{true}},
	} {
		if got := holm(c.ps, 0.05); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// Holm rejects all that Bonferroni rejects, nothing that is above the level, and never a larger p without a smaller.
func TestHolmBetweenBonferroniAndNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ps := rapid.SliceOfN(rapid.Float64Range(0, 0.1), 1, 8).Draw(t, "p")
		rejected := holm(ps, 0.05)
		for i, p := range ps {
			if p <= 0.05/float64(len(ps)) && !rejected[i] {
				t.Errorf("p %v of %v is not rejected", p, ps)
			}
			if p > 0.05 && rejected[i] {
				t.Errorf("p %v of %v is rejected", p, ps)
			}
			for j, q := range ps {
				if q <= p && rejected[i] && !rejected[j] {
					t.Errorf("%v is rejected without %v", p, q)
				}
			}
		}
	})
}
