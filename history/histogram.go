package history

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
)

// A Histogram is how often each value came up in many runs. Merging two is integer addition, so the result
// does not depend on who counted what. The zero value is empty.
//
// Values added by Add are kept exactly, values added by AddRounded to within 1 %; a histogram is fed by one of them.
type Histogram struct {
	bins   []Bin // ascending
	lo, hi int64 // the exact smallest and largest value added
	sum    sum   // of the exact values
	total  int64
}

// A Bin is a value and how often it came up.
type Bin struct{ Value, N int64 }

// Add counts v, at least 0.
func (h *Histogram) Add(v int64) { h.add(v, v, 1) }

// AddRounded counts v, at least 0, as the middle of a bucket whose bounds are within 1 % of each other. Minimum,
// maximum and mean stay exact.
func (h *Histogram) AddRounded(v int64) { h.add(v, middle(v), 1) }

// middle is the middle of v's bucket: all values with the same leading 8 bits.
func middle(v int64) int64 {
	drop := rounding(v)
	return v>>drop<<drop + 1<<drop>>1
}

// rounding is how many of v's last bits its bucket does not tell.
func rounding(v int64) int { return max(0, bits.Len64(uint64(v))-8) }

// Bucket gives the smallest and the largest value that AddRounded counts as it counts v, at least 0; for the value of a
// rounded Bin, those of its bucket.
func Bucket(v int64) (low, high int64) {
	drop := rounding(v)
	low = v >> drop << drop
	return low, low + 1<<drop - 1
}

func (h *Histogram) add(v, bucket, n int64) {
	if h.total == 0 {
		h.lo, h.hi = v, v
	}
	h.lo, h.hi = min(h.lo, v), max(h.hi, v)
	h.sum.add(v, n)
	h.total += n
	i := h.place(bucket)
	if i == len(h.bins) || h.bins[i].Value != bucket {
		h.bins = slices.Insert(h.bins, i, Bin{Value: bucket})
	}
	h.bins[i].N += n
}

// place is the index of the first bin with at least this value. It is called 13 times a run; slices.BinarySearchFunc takes
// twice as long.
func (h *Histogram) place(v int64) int {
	low, high := 0, len(h.bins)
	for low < high {
		if middle := (low + high) / 2; h.bins[middle].Value < v {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// Merge adds all that o counted.
func (h *Histogram) Merge(o *Histogram) {
	if o.total == 0 {
		return
	}
	if h.total == 0 {
		h.lo, h.hi = o.lo, o.hi
	}
	h.lo, h.hi = min(h.lo, o.lo), max(h.hi, o.hi)
	h.sum.plus(o.sum)
	h.total += o.total
	h.bins = mergeBins(h.bins, o.bins)
}

// mergeBins is the bins of both, ascending.
func mergeBins(a, b []Bin) []Bin {
	merged := make([]Bin, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch order := cmp.Compare(a[0].Value, b[0].Value); {
		case order < 0:
			merged, a = append(merged, a[0]), a[1:]
		case order > 0:
			merged, b = append(merged, b[0]), b[1:]
		default:
			merged, a, b = append(merged, Bin{a[0].Value, a[0].N + b[0].N}), a[1:], b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

// Total is how many values were counted.
func (h Histogram) Total() int64 { return h.total }

// Mean is the mean of the exact values; 0 if there are none.
func (h Histogram) Mean() float64 {
	if h.total == 0 {
		return 0
	}
	return h.sum.float() / float64(h.total)
}

// NonZero is how many of the values were not 0. Of rounded ones, 0 has a bin of its own.
func (h Histogram) NonZero() int64 {
	n := h.total
	for _, b := range h.bins {
		if b.Value == 0 {
			n -= b.N
		}
	}
	return n
}

// Bins are the values that came up, ascending. A rounded value is its bucket's middle. They must not be changed.
func (h Histogram) Bins() []Bin { return h.bins }

// A Stat sums up a distribution: mean, standard deviation, and the values below which the named percentage lies.
type Stat struct {
	Mean  float64 `json:"mean"`
	SD    float64 `json:"sd"`
	Min   int64   `json:"min"`
	P0_5  int64   `json:"p0_5"`
	P2_5  int64   `json:"p2_5"`
	P50   int64   `json:"p50"`
	P97_5 int64   `json:"p97_5"`
	P99_5 int64   `json:"p99_5"`
	Max   int64   `json:"max"`
}

// Stat sums the histogram up. That of an empty one is all zero.
func (h Histogram) Stat() Stat {
	if h.total == 0 {
		return Stat{}
	}
	mean := h.Mean()
	var square float64
	for _, b := range h.bins {
		d := float64(b.Value) - mean
		square += float64(float64(d*d) * float64(b.N))
	}
	s := Stat{Mean: mean, Min: h.lo, Max: h.hi}
	if h.total > 1 && h.lo < h.hi {
		s.SD = math.Sqrt(square / float64(h.total-1))
	}
	for _, q := range []struct {
		permille float64
		to       *int64
	}{{5, &s.P0_5}, {25, &s.P2_5}, {500, &s.P50}, {975, &s.P97_5}, {995, &s.P99_5}} {
		*q.to = h.Quantile(q.permille / 1000)
	}
	return s
}

// quantile is the smallest value with at least the share p of all values at or below it.
func quantile(bins []Bin, total int64, p float64) int64 {
	rank := int64(math.Ceil(float64(p * float64(total))))
	var seen int64
	for _, b := range bins {
		if seen += b.N; seen >= rank {
			return b.Value
		}
	}
	return bins[len(bins)-1].Value
}

// Quantile is the smallest value with at least the share p of all values at or below it; 0 of an empty histogram.
func (h Histogram) Quantile(p float64) int64 {
	if h.total == 0 {
		return 0
	}
	return min(max(quantile(h.bins, h.total, p), h.lo), h.hi)
}

type histogramJSON struct {
	Sum  *big.Int   `json:"sum"`
	Min  int64      `json:"min"`
	Max  int64      `json:"max"`
	Bins [][2]int64 `json:"bins"` // value, count
}

// MarshalJSON writes the histogram whole.
func (h Histogram) MarshalJSON() ([]byte, error) { return h.appendJSON(nil), nil }

// appendJSON appends a histogramJSON. A sweep writes 13 histograms for each cell; encoding/json would take longer for
// them than for all else that a cell costs beside its runs.
func (h *Histogram) appendJSON(to []byte) []byte {
	to = h.sum.append(append(to, `{"sum":`...))
	to = strconv.AppendInt(append(to, `,"min":`...), h.lo, 10)
	to = strconv.AppendInt(append(to, `,"max":`...), h.hi, 10)
	to = append(to, `,"bins":[`...)
	for i, b := range h.bins {
		if i > 0 {
			to = append(to, ',')
		}
		to = strconv.AppendInt(append(to, '['), b.Value, 10)
		to = strconv.AppendInt(append(to, ','), b.N, 10)
		to = append(to, ']')
	}
	return append(to, "]}"...)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (h *Histogram) UnmarshalJSON(data []byte) error {
	in := histogramJSON{Sum: new(big.Int)}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	total, err := in.total()
	if err != nil {
		return fmt.Errorf("histogram: %w", err)
	}
	*h = Histogram{lo: in.Min, hi: in.Max, total: total}
	h.sum, _ = sumOf(in.Sum) // it is one, since it is total times a mean
	for _, b := range in.Bins {
		h.bins = append(h.bins, Bin{b[0], b[1]})
	}
	return nil
}

// total is the number of all values. It is an error if no values could have led to this.
func (in *histogramJSON) total() (total int64, err error) {
	for i, b := range in.Bins {
		switch {
		case b[1] <= 0:
			return 0, fmt.Errorf("value %d has count %d, want above 0", b[0], b[1])
		case b[1] > math.MaxInt64-total:
			return 0, fmt.Errorf("value %d has count %d, too many with those before it", b[0], b[1])
		case i > 0 && b[0] <= in.Bins[i-1][0]:
			return 0, fmt.Errorf("value %d is not above the one before it", b[0])
		}
		total += b[1]
	}
	switch {
	case total == 0 && (in.Min != 0 || in.Max != 0 || in.Sum == nil || in.Sum.Sign() != 0):
		return 0, fmt.Errorf("no values, but min %d, max %d, sum %d", in.Min, in.Max, in.Sum)
	case total == 0:
		return 0, nil
	case !holds(in.Bins[0][0], in.Min) || !holds(in.Bins[len(in.Bins)-1][0], in.Max):
		return 0, fmt.Errorf("min %d and max %d do not belong to the first and last value, %d and %d", in.Min, in.Max, in.Bins[0][0], in.Bins[len(in.Bins)-1][0])
	}
	if in.Min < 0 || in.Min > in.Max || in.Sum == nil || !between(in.Sum, total, in.Min, in.Max) {
		return 0, fmt.Errorf("min %d, max %d and sum %d of %d values do not fit", in.Min, in.Max, in.Sum, total)
	}
	return total, nil
}

// between reports whether so many values of [least, most] can have this sum.
func between(sum *big.Int, values, least, most int64) bool {
	times := func(v int64) *big.Int { return new(big.Int).Mul(big.NewInt(values), big.NewInt(v)) }
	return sum.Cmp(times(least)) >= 0 && sum.Cmp(times(most)) <= 0
}

// holds reports whether a bin is that of a value, exact or rounded.
func holds(bin, v int64) bool { return bin == v || v >= 0 && bin == middle(v) }
