package history_test

import (
	"encoding/json"
	"math"
	"testing"

	"locklab/history"
)

// The sum of a histogram does not overflow: a thousand workers that wait for a lock wait 10^16 ns in a run, and there are
// 10,000 runs.
func TestSumDoesNotOverflow(t *testing.T) {
	var h history.Histogram
	for range 10_000 {
		h.AddRounded(12_000_000_000_000_000)
	}
	if mean := h.Stat().Mean; math.Abs(mean-1.2e16) > 1e10 {
		t.Errorf("mean %g, want 1.2e16", mean)
	}
	data, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	var read history.Histogram
	if err := json.Unmarshal(data, &read); err != nil || read.Stat() != h.Stat() {
		t.Errorf("%s: read as %+v, %v", data, read.Stat(), err)
	}
}
