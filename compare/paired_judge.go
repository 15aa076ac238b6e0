package compare

import (
	"fmt"
	"math"
	"slices"
)

// PairedLimits is what a verdict about pairs of runs is worth, for the reader of a table.
const PairedLimits = "differ: the runs that differ lean to one side more than chance allows (Wilcoxon's signed rank test; by Holm's " +
	"procedure the chance of any wrong one in the table is at most 1 %). How much it is, the mean and its interval say. agree: not told " +
	"apart, which is no proof. An interval is that of its line alone, and Student's: rough with few runs or rare events. " +
	"Where all n differences are the same it has no width; another may still have a chance of up to 1 − 0.05^(1/n), 1.5 % " +
	"for 200 runs."

// judgePairs gives every difference its verdict. A quantity that is the same in every pair was not tested.
func judgePairs(rows []PairedRow) {
	var tested []*Difference
	for i := range rows {
		for _, q := range quantities {
			if d := q.in(&rows[i]); d.Lower+d.Higher > 0 {
				tested = append(tested, d)
			}
		}
	}
	need := fewestPairs(len(tested))
	for i := range rows {
		for _, q := range quantities {
			q.in(&rows[i]).agree(rows[i].Runs, need)
		}
	}
	ps := make([]float64, len(tested))
	for i, d := range tested {
		ps[i] = d.P
	}
	for i, rejected := range holm(ps, Level) {
		if rejected {
			tested[i].differ()
		}
	}
}

// fewestPairs is how many pairs a cell needs so that, were all of them to differ the same way, the test could tell that in
// a table of that many tests: of n pairs the smallest p is 2/2^n.
func fewestPairs(tests int) int64 {
	return int64(math.Ceil(math.Log2(2 * float64(max(1, tests)) / Level)))
}

// agree is the verdict if nothing was found.
func (d *Difference) agree(runs, need int64) {
	d.Verdict = Agree
	if runs < need {
		d.Verdict, d.Why = Unknown, fmt.Sprintf("only %d runs, need %d", runs, need)
	}
}

// differ is the verdict if a difference was found.
func (d *Difference) differ() {
	d.Verdict, d.Why = Differ, ""
	switch {
	case d.lean < 0 && d.Mean > 0:
		d.Why = "the runs lean to less in B, but a few have so much more that its mean is higher"
	case d.lean > 0 && d.Mean < 0:
		d.Why = "the runs lean to more in B, but a few have so much less that its mean is lower"
	}
}

// PairedExitCode is the exit code that sums the rows up: 0 no difference was found, 1 some was, 3 none was and some cells have
// too few runs to tell, 2 there is no row at all.
func PairedExitCode(rows []PairedRow) int {
	has := func(v Verdict) bool {
		return slices.ContainsFunc(rows, func(r PairedRow) bool {
			for _, q := range quantities {
				if q.in(&r).Verdict == v {
					return true
				}
			}
			return false
		})
	}
	return exitCode(len(rows), has)
}
