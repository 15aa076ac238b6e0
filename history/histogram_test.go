package history_test

import (
	"math"
	"slices"
	"testing"

	"locklab/history"

	"pgregory.net/rapid"
)

// plain is a summary computed from all the values, sorted, with nothing clever.
func plain(values []int64) history.Stat {
	n := len(values)
	if n == 0 {
		return history.Stat{}
	}
	var sum, square float64
	for _, v := range values {
		sum += float64(v)
	}
	mean := sum / float64(n)
	for _, v := range values {
		square += (float64(v) - mean) * (float64(v) - mean)
	}
	s := history.Stat{Mean: mean, Min: values[0], Max: values[n-1]}
	if n > 1 {
		s.SD = math.Sqrt(square / float64(n-1))
	}
	// The smallest value with at least the share of all values at or below it.
	share := func(permille int) int64 { return values[max(0, (n*permille+999)/1000-1)] }
	s.P0_5, s.P2_5, s.P50, s.P97_5, s.P99_5 = share(5), share(25), share(500), share(975), share(995)
	return s
}

func quantiles(s history.Stat) []int64 {
	return []int64{s.Min, s.P0_5, s.P2_5, s.P50, s.P97_5, s.P99_5, s.Max}
}

func anyValues(t *rapid.T, most int64) []int64 {
	values := rapid.SliceOfN(rapid.Int64Range(0, most), 0, 300).Draw(t, "values")
	slices.Sort(values)
	return values
}

func near(a, b, relative float64) bool {
	return math.Abs(a-b) <= relative*max(math.Abs(a), math.Abs(b))+1e-9
}

func TestStatOfExactValuesAgainstPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := anyValues(t, rapid.SampledFrom([]int64{3, 80, 1 << 40}).Draw(t, "most"))
		var h history.Histogram
		for _, v := range values {
			h.Add(v)
		}
		got, want := h.Stat(), plain(values)
		if h.Total() != int64(len(values)) || !near(got.Mean, want.Mean, 1e-12) || !near(got.SD, want.SD, 1e-9) ||
			!slices.Equal(quantiles(got), quantiles(want)) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// Durations are kept to within 1 %; their number, least, greatest and mean exactly.
func TestStatOfRoundedValuesAgainstPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := anyValues(t, rapid.SampledFrom([]int64{300, 1 << 40}).Draw(t, "most"))
		var h history.Histogram
		for _, v := range values {
			h.AddRounded(v)
		}
		got, want := h.Stat(), plain(values)
		if got.Min != want.Min || got.Max != want.Max || !near(got.Mean, want.Mean, 1e-12) || h.Total() != int64(len(values)) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		for i, exact := range quantiles(want) {
			if !near(float64(quantiles(got)[i]), float64(exact), 0.01) {
				t.Fatalf("got %+v, want %+v", got, want)
			}
		}
		for _, bin := range h.Bins() {
			if bin.Value < 256 && !slices.Contains(values, bin.Value) {
				t.Fatalf("%d was rounded, though it is small", bin.Value)
			}
		}
	})
}

// To count in parts and to merge them, in any order, is to count together.
func TestMergeIsCountingTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, rounded := anyValues(t, 1<<40), rapid.Bool().Draw(t, "rounded")
		var whole history.Histogram
		parts := make([]history.Histogram, 3)
		for _, v := range values {
			for _, h := range []*history.Histogram{&whole, &parts[rapid.IntRange(0, 2).Draw(t, "part")]} {
				if rounded {
					h.AddRounded(v)
				} else {
					h.Add(v)
				}
			}
		}
		var merged history.Histogram
		for _, i := range rapid.Permutation([]int{0, 1, 2}).Draw(t, "order") {
			merged.Merge(&parts[i])
		}
		if got, want := marshal(t, merged), marshal(t, whole); got != want || merged.Stat() != whole.Stat() {
			t.Fatalf("merged %s, together %s", got, want)
		}
	})
}

func TestMergeOfCellsIsCountingTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var src history.Source
		whole, merged := history.NewCell(src), history.NewCell(src)
		parts := []*history.Cell{history.NewCell(src), history.NewCell(src)}
		for range rapid.IntRange(0, 8).Draw(t, "runs") {
			tally, bounded := tallyOf(anyEvents(t)), rapid.Bool().Draw(t, "bounded")
			whole.Add(&tally, 5, bounded)
			parts[rapid.IntRange(0, 1).Draw(t, "part")].Add(&tally, 5, bounded)
		}
		merged.Merge(parts[1])
		merged.Merge(parts[0])
		if got, want := marshal(t, merged), marshal(t, whole); got != want {
			t.Fatalf("merged %s, together %s", got, want)
		}
	})
}

func TestBinsAreAscending(t *testing.T) {
	var h history.Histogram
	for _, v := range []int64{7, -2, 7, 0, 1 << 50} {
		h.Add(v)
	}
	if want := []history.Bin{{-2, 1}, {0, 1}, {7, 2}, {1 << 50, 1}}; !slices.Equal(h.Bins(), want) {
		t.Errorf("got %v, want %v", h.Bins(), want)
	}
}

// counted is the value as which AddRounded counts v.
func counted(v int64) int64 {
	var h history.Histogram
	h.AddRounded(v)
	return h.Bins()[0].Value
}

// All values of a bucket, and no others, are counted as one; a bucket is at most 1 % wide.
func TestBucketHoldsWhatIsCountedAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.OneOf(rapid.Int64Range(0, 1000), rapid.Int64Range(0, math.MaxInt64)).Draw(t, "value")
		low, high := history.Bucket(v)
		for _, inside := range []int64{v, low, high, counted(v)} {
			if l, h := history.Bucket(inside); l != low || h != high || counted(inside) != counted(v) {
				t.Errorf("%d is in %d to %d, %d in %d to %d", v, low, high, inside, l, h)
			}
		}
		if low > 0 && counted(low-1) == counted(v) || high < math.MaxInt64 && counted(high+1) == counted(v) {
			t.Errorf("%d to %d is not all of the bucket of %d", low, high, v)
		}
		if float64(high-low) > float64(low)/100 {
			t.Errorf("%d to %d is more than 1 %% wide", low, high)
		}
	})
}
