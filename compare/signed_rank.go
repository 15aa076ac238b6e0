package compare

import (
	"cmp"
	"math"
	"slices"
)

// mostExact is up to how many differences the signed rank test is exact.
const mostExact = 50

// tiniest is the p that stands for any smaller one.
const tiniest = 1e-300

// signedRanks are the differences that are not 0, ranked by size; equal ones share the mean of their ranks. Ranks are counted
// twice, so that they are whole numbers.
type signedRanks struct {
	ranks         []int64 // of each, ascending
	lower, higher int64   // sum of the ranks of the negative, of the positive ones
	ties          float64 // Σ (t³ − t) over the groups of t equal ones
}

// rank sorts the differences, none of them 0, and ranks them.
func rank(differences []int64) signedRanks {
	slices.SortFunc(differences, func(a, b int64) int { return cmp.Compare(abs(a), abs(b)) })
	s := signedRanks{ranks: make([]int64, len(differences))}
	for start := 0; start < len(differences); {
		end := start + 1
		for end < len(differences) && abs(differences[end]) == abs(differences[start]) {
			end++
		}
		for i := start; i < end; i++ {
			s.ranks[i] = int64(start + 1 + end)
			if differences[i] < 0 {
				s.lower += s.ranks[i]
			} else {
				s.higher += s.ranks[i]
			}
		}
		t := float64(end - start)
		s.ties += t*t*t - t
		start = end
	}
	return s
}

// p is that of Wilcoxon's two-sided signed rank test: how likely sums of ranks as uneven as these are if each difference
// has either sign with the same probability (Wilcoxon, Biometrics Bulletin, 1945). It is at least tiniest.
func (s *signedRanks) p() float64 {
	switch {
	case s.lower == s.higher:
		return 1
	case len(s.ranks) <= mostExact:
		return s.exact()
	}
	return s.normal()
}

// exact is p by the distribution of the smaller sum, over all signs.
func (s *signedRanks) exact() float64 {
	smaller := min(s.lower, s.higher)
	share := make([]float64, smaller+1) // of the signs that give this sum
	share[0] = 1
	for _, r := range s.ranks {
		for sum := smaller; sum >= 0; sum-- {
			share[sum] /= 2
			if sum >= r {
				share[sum] += share[sum-r] / 2
			}
		}
	}
	var below float64
	for _, x := range share {
		below += x
	}
	return min(1, 2*below)
}

// normal is p by the normal law that the sums are close to if they are many; it makes a very small p larger than it is.
func (s *signedRanks) normal() float64 {
	n := float64(len(s.ranks))
	variance := n*(n+1)*(2*n+1)/24 - s.ties/48
	off := (float64(abs(s.lower-s.higher))/2 - 1) / 2 // of the sum from its mean, less the correction for its whole steps
	return max(tiniest, min(1, steady(math.Erfc(off/math.Sqrt(2*variance)))))
}
