package compare

import (
	"strings"
	"testing"
)

// scoreOf is a score of n cells with a spread, so many inside of the interval of 95 %, with the p of uniformity.
func scoreOf(n, inside int, p float64) *Score {
	c := Coverage{Nominal: 0.95, N: n, Inside: inside}
	c.Low, c.High = wilson(inside, n)
	return &Score{WithSpread: n, PIT: &PIT{N: n, P: p}, Coverage: []Coverage{{Nominal: 0.5, N: n}, c}}
}

// 100 cells with a spread decide; fewer can only show that the predictions do not hold.
func TestTrust(t *testing.T) {
	for _, c := range []struct {
		score *Score
		want  Trust
		why   string
		exit  int
	}{
		{scoreOf(134, 128, 0.4), Holds, "128 of 134 cells with a spread (95.5 %) are inside the interval of 95 %, wanted 92.0 %; p of uniformity 0.4, wanted 0.01", 0},
		{scoreOf(100, 92, 0.01), Holds, "92 of 100", 0},
		{scoreOf(100, 91, 0.4), DoesNotHold, "91 of 100", 1},
		{scoreOf(100, 100, 0.0099), DoesNotHold, "p of uniformity 0.0099", 1},
		{scoreOf(99, 99, 0.4), Untold, "fewer than 100 cells with a spread can only show that it does not hold", 3},
		{scoreOf(20, 17, 0.4), Untold, "17 of 20", 3},
		{scoreOf(20, 16, 0.4), DoesNotHold, "16 of 20", 1},
		{scoreOf(20, 20, 0.001), DoesNotHold, "p of uniformity 0.001", 1},
		{&Score{}, Untold, "no cell with a spread", 3},
	} {
		got, why := c.score.Trust()
		if got != c.want || !strings.Contains(why, c.why) || got.ExitCode() != c.exit {
			t.Errorf("%+v: got %s, %s, exit code %d; want %s, %s, %d", c.score, got, why, got.ExitCode(), c.want, c.why, c.exit)
		}
	}
}
