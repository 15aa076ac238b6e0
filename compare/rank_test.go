package compare

import (
	"math"
	"testing"

	"locklab/internal/choice"
)

func testStream(name string) choice.Stream {
	return choice.Seeded(1).Stream(choice.NameOf(name, 0, "test"), choice.Fixed)
}

// By hand: among 28 30 30 31, the value 30 has one below and two equal: (1 + 1)/4.
func TestMidRank(t *testing.T) {
	r := rankingOf(30, 28, 31, 30)
	for _, c := range []struct {
		x    int64
		want float64
	}{{27, 0}, {28, 0.125}, {29, 0.25}, {30, 0.5}, {31, 0.875}, {32, 1}} {
		if got := r.midRank(c.x); got != c.want {
			t.Errorf("rank of %d is %v, want %v", c.x, got, c.want)
		}
	}
}

// The mean rank of the runs themselves is ½, whatever they are.
func TestDeviationsOfTheRunsCancel(t *testing.T) {
	r := rankingOf(0, 0, 0, 1, 5, 5, 79)
	var sum int64
	for i, x := range r.values {
		runs := r.upTo[i]
		if i > 0 {
			runs -= r.upTo[i-1]
		}
		sum += runs * r.deviationOf(x)
	}
	if sum != 0 {
		t.Errorf("deviations sum up to %d, want 0", sum)
	}
}

// By hand, M = 4: the deviations, in eighths, of 28 30 32 are -3, 0 and 4.
func TestExtremes(t *testing.T) {
	r := rankingOf(30, 28, 31, 30)
	got := r.extremesOf([]int64{28, 30, 32})
	if want := (extremes{mean: 1, worst: 4}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// exhaustive is the null of every way to draw n of the runs, each once.
func exhaustive(r *ranking, runs []int64, n int) null {
	all := null{}
	values := make([]int64, n)
	var fill func(i int)
	fill = func(i int) {
		if i == n {
			all = append(all, r.extremesOf(values))
			return
		}
		for _, x := range runs {
			values[i] = x
			fill(i + 1)
		}
	}
	fill(0)
	return all
}

func share(n null, is func(extremes) bool) float64 {
	var count int
	for _, e := range n {
		if is(e) {
			count++
		}
	}
	return float64(count) / float64(len(n))
}

// Drawn p-values are those of all possible draws, to within the error of drawing (4 standard deviations of it).
func TestPAgainstEveryPossibleDraw(t *testing.T) {
	runs := []int64{3, 4, 4, 4, 7, 9, 9}
	r := rankingOf(runs...)
	all, drawn := exhaustive(&r, runs, 3), r.null(3, minDraws, testStream("exhaustive"))
	for _, measured := range [][]int64{{4, 4, 4}, {3, 4, 9}, {7, 9, 9}, {9, 9, 9}, {3, 3, 3}, {5, 6, 8}} {
		observed := r.extremesOf(measured)
		mean := share(all, func(e extremes) bool { return e.mean >= observed.mean })
		worst := share(all, func(e extremes) bool { return e.worst >= observed.worst })
		want := min(1, 2*min(mean, worst))
		if got := drawn.p(observed); math.Abs(got-want) > 8*math.Sqrt(0.25/minDraws) {
			t.Errorf("p of %v is %v, of all draws %v", measured, got, want)
		}
	}
}

// By hand: of four draws, two reach the mean 2 and one the worst 5, so twice the smaller is 2(1+1)/(1+4).
func TestPCountsTheObservation(t *testing.T) {
	n := null{{1, 4}, {2, 4}, {2, 5}, {0, 4}}
	for _, c := range []struct {
		observed extremes
		want     float64
	}{{extremes{2, 5}, 0.8}, {extremes{9, 9}, 0.4}, {extremes{0, 0}, 1}} {
		if got := n.p(c.observed); got != c.want {
			t.Errorf("p of %+v is %v, want %v", c.observed, got, c.want)
		}
	}
}

func TestDrawsFollowTheRuns(t *testing.T) {
	r := rankingOf(1, 1, 1, 2)
	s := testStream("draw")
	var twos int
	for range 40_000 {
		if r.draw(&s) == r.deviationOf(2) {
			twos++
		}
	}
	if twos < 9_600 || twos > 10_400 {
		t.Errorf("drew the run with 2 conflicts %d times of 40000, want about 10000", twos)
	}
}
