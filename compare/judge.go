package compare

import (
	"slices"
	"strings"

	"locklab/internal/choice"
)

// The draws of a test come from a stream of this seed, named after the row, so that a table never changes by itself.
const drawSeed = 1

// minDraws is how often a test draws at least.
const minDraws = 100_000

// draws is how often a test draws in a table of that many tested rows. The smallest p that a row can then have,
// 2/(1+draws), is at most a fifth of the smallest bound that Holm holds it against, Level/rows.
func draws(rows int) int {
	const perRow = 1000
	return max(minDraws, perRow*rows)
}

// judge gives every row its p where it can have one, its verdict and the reason.
func judge(rows []Row) {
	var tested []*Row
	for i := range rows {
		if why := obstacles(&rows[i]); len(why) > 0 {
			rows[i].decide(Unknown, why...)
		} else {
			tested = append(tested, &rows[i])
		}
	}
	ps := make([]float64, len(tested))
	for i, row := range tested {
		ps[i] = row.test(draws(len(tested)))
		row.P = &ps[i]
	}
	for i, rejected := range holm(ps, Level) {
		if rejected {
			tested[i].decide(Differ, difference(tested[i]))
		} else {
			tested[i].decide(Agree)
		}
	}
}

func (r *Row) decide(v Verdict, why ...string) {
	r.Verdict = v
	r.Why = strings.Join(append(why, shortfall(r)...), "; ")
}

// test is the row's p: that of the conflicts, and where there is damage, predicted or measured, the smaller of both by
// Bonferroni's correction.
func (r *Row) test(draws int) float64 {
	p := r.testOf(&r.Simulated.ranking, r.Measured.Conflicts, "compare ", draws)
	if r.Simulated.Damage.Max == 0 && !slices.ContainsFunc(r.Measured.Damage, func(n int64) bool { return n != 0 }) {
		return p
	}
	return min(1, 2*min(p, r.testOf(&r.Simulated.damage, r.Measured.Damage, "compare damage ", draws)))
}

// testOf is the p of one quantity; purpose names its draws.
func (r *Row) testOf(ranking *ranking, measured []int64, purpose string, draws int) float64 {
	if len(ranking.values) == 1 {
		return certain(ranking.values[0], measured)
	}
	name := choice.NameOf(purpose+r.ScenarioHash+" "+mustJSON(r.Params), 0, r.Simulated.ProfileHash)
	null := ranking.null(len(measured), draws, choice.Seeded(drawSeed).Stream(name, choice.Fixed))
	return null.p(ranking.extremesOf(measured))
}

// certain is the p of repetitions for which a single value was predicted.
func certain(predicted int64, measured []int64) float64 {
	if slices.ContainsFunc(measured, func(x int64) bool { return x != predicted }) {
		return 0
	}
	return 1
}

// ExitCode is the exit code that sums the rows up: 0 all agree, 1 some differ, 3 none differs and some are unknown,
// 2 there is none at all, so nothing was compared.
func ExitCode(rows []Row) int {
	return exitCode(len(rows), func(v Verdict) bool {
		return slices.ContainsFunc(rows, func(r Row) bool { return r.Verdict == v })
	})
}

// exitCode sums up the verdicts of so many rows.
func exitCode(rows int, has func(Verdict) bool) int {
	switch {
	case rows == 0:
		return 2
	case has(Differ):
		return 1
	case has(Unknown):
		return 3
	}
	return 0
}
