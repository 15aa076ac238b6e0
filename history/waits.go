package history

// Waits counts waits one by one, to within 1 %, as Histogram.AddRounded does but in an array of all buckets: adding one takes no
// search. The zero value is empty.
type Waits struct {
	buckets [buckets]int64
	lo, hi  int64
	total   int64
	sum     sum
}

// Of the values of one bit length there are 128 buckets; the shortest have one each.
const buckets = 256 + (63-8)*128

// Add counts a wait, in ns.
func (w *Waits) Add(v int64) {
	if w.total == 0 {
		w.lo, w.hi = v, v
	}
	w.lo, w.hi = min(w.lo, v), max(w.hi, v)
	w.total++
	w.sum.add(v, 1)
	drop := rounding(v)
	w.buckets[drop<<7+int(v>>drop)]++
}

// Reset empties it.
func (w *Waits) Reset() { *w = Waits{} }

// Histogram is what was counted.
func (w *Waits) Histogram() Histogram {
	h := Histogram{lo: w.lo, hi: w.hi, total: w.total, sum: w.sum}
	for i, n := range w.buckets {
		if n > 0 {
			drop := max(0, i>>7-1)
			h.bins = append(h.bins, Bin{middle(int64(i-drop<<7) << drop), n})
		}
	}
	return h
}
