// Package compare says whether what was measured agrees with what was predicted: records in, verdicts out. It
// runs nothing.
//
// Its input is lines of package history, from any number of files. Simulated runs are predictions, real ones are
// measurements, and they pair when the hash of the scenario, the parameters and the hash of the profile are equal.
// A prediction under any other profile is a reference: shown beside what was published, never tested.
//
// # The test
//
// Entries within one run depend on each other (one pause delays all that follows), so no binomial law holds for
// them. A run is therefore compared as a whole: the prediction is the distribution of the conflicts of M simulated
// runs, M at least 10,000, and a repetition is its mid-rank among them,
//
//	(#{simulated < x} + ½ #{simulated = x}) / M
//
// Two statistics of the n repetitions are tested, |mean rank − ½| for a shift and max |rank − ½| for an outlier.
// The p of each is (1 + draws at least as extreme) / (1 + draws), where a draw is n values drawn with replacement
// from the M; the p of the row is twice the smaller, at most 1. That assumes that repetitions are independent and
// of one law, and nothing about the law's shape. A prediction with a single value has p 1 if every repetition
// equals it and else 0. Holm's step-down procedure then keeps the chance of even one wrong "differ" among all rows
// at 1 %.
//
// # What it can see, and what not
//
// See [Limits], which every table prints. A row with fewer than 3 repetitions is unknown, not agree. The power was
// measured: of 3 repetitions from a normal law shifted by 2 standard deviations, the row's p is at most 1 % in 72 % of
// all cases (in about 70 % where the standard deviation is 2 conflicts, because of ties). That is a row on its own.
// Among five rows the first that differs needs a p of at most 0.2 %, and is found in 52 %; a shift of 3 standard
// deviations then in 95 %.
//
// Two things escape the test however many repetitions there are: values in the gap between two modes of a prediction
// (lesson/a has about 40 or 79 conflicts, so a measured 60 has a rank near ½), and a law that is narrower than the
// prediction around the same median. And agree is not a proof: it says that these repetitions do not contradict.
//
// # Pairs
//
// A [Pairing] asks another question, of simulated runs alone: what does a change change? Run i of either side has the same
// seed, so the differences of such pairs say more than two batches with luck of their own. See [PairedLimits].
//
// # Many cells
//
// [Calibrate] asks of many cells together how far their predictions can be trusted: one repetition of each is placed
// among its simulated runs by the randomised probability integral transform, which is uniform if the predictions are
// right, and counted as inside or outside of predictive intervals. See [Calibration].
package compare

// Limits is what a verdict is worth, for the reader of a table.
const Limits = "agree: not told apart, which is no proof. With 3 repetitions, a shift of the conflicts by 2 standard " +
	"deviations is found in about 72 % of all cases by a row on its own, in about 52 % where five rows share the 1 %. " +
	"Not seen: values in the gap between two modes of a prediction (lesson/a), and differences in any count but conflicts."

// What a test needs, and how sure a verdict is.
const (
	MinRuns = 10_000 // fewest simulated runs that make a prediction
	MinReps = 3      // fewest repetitions that make a measurement
	Level   = 0.01   // chance that any row at all reads differ although every prediction is right
)
