package compare

import (
	"fmt"
	"strings"

	"locklab/history"
)

// none stands where there is nothing to show.
const none = "–"

// listed is how many repetitions a table shows one by one.
const listed = 5

// published is e.g. "31 of 80", or "15, 15 rejected".
func published(c *history.Counts) string {
	switch {
	case c == nil:
		return none
	case c.RejectedWrites != nil:
		return fmt.Sprintf("%d, %d rejected", c.Conflicts, *c.RejectedWrites)
	}
	return fmt.Sprintf("%d of %d", c.Conflicts, c.Entries)
}

// rankOf is the rank to two digits.
func rankOf(p *Place) string {
	if p == nil {
		return none
	}
	return fmt.Sprintf("%.2f", p.Rank)
}

// middle is the mean to one decimal, or the value itself if there is only one.
func middle(s history.Stat) string {
	if s.Min == s.Max {
		return fmt.Sprint(s.Min)
	}
	return fmt.Sprintf("%.1f", s.Mean)
}

// interval is the mean and the central 95 %, e.g. "30.1 [26, 34]", or the value itself if there is only one.
func interval(s history.Stat) string {
	if s.Min == s.Max {
		return middle(s)
	}
	return fmt.Sprintf("%s [%d, %d]", middle(s), s.P2_5, s.P97_5)
}

// repetitions is every one of a few counts, e.g. "28 27 30", and of many the mean, the range and their number, e.g.
// "27.7 (26–29) ×48".
func repetitions(xs []int64) string {
	if len(xs) <= listed {
		return every(xs)
	}
	s := statOf(xs)
	if s.Min == s.Max {
		return fmt.Sprintf("%d ×%d", s.Min, len(xs))
	}
	return fmt.Sprintf("%.1f (%d–%d) ×%d", s.Mean, s.Min, s.Max, len(xs))
}

// beside is a count that is not tested: the simulated mean and what was measured, e.g. "16.4→16 17 16", or "0→0" where
// all repetitions are alike. Of many repetitions it is the mean.
func beside(simulated *history.Stat, measured []int64) string {
	if simulated == nil && measured == nil {
		return none
	}
	left, right := none, none
	if simulated != nil {
		left = middle(*simulated)
	}
	if s := statOf(measured); len(measured) > listed || len(measured) > 0 && s.Min == s.Max {
		right = middle(s)
	} else if len(measured) > 0 {
		right = every(measured)
	}
	return left + "→" + right
}

// statOf sums up counts.
func statOf(xs []int64) history.Stat {
	var h history.Histogram
	for _, x := range xs {
		h.Add(x)
	}
	return h.Stat()
}

// every is the counts one by one.
func every(xs []int64) string {
	words := make([]string, len(xs))
	for i, x := range xs {
		words[i] = fmt.Sprint(x)
	}
	return strings.Join(words, " ")
}

// probability is p to two digits.
func probability(p *float64) string {
	if p == nil {
		return none
	}
	return fmt.Sprintf("%.2g", *p)
}
