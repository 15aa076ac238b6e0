package history

import (
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestWaitsAreAHistogram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var waits Waits
		var want Histogram
		for _, v := range rapid.SliceOf(rapid.OneOf(rapid.Int64Range(0, 1000), rapid.Int64Range(0, math.MaxInt64))).Draw(t, "waits") {
			waits.Add(v)
			want.AddRounded(v)
		}
		if got := waits.Histogram(); !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}
