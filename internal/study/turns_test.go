package study

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// However long runs are, arranging them loses none, and takes no longer than taking them as they come.
func TestArrangeIsShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(1, 7).Draw(t, "side")
		var turns []turn
		for i := range rapid.IntRange(1, 20).Draw(t, "experiments") {
			length := time.Duration(rapid.IntRange(1, 60_000).Draw(t, "length")) * time.Millisecond
			for rep := range rapid.IntRange(1, 4).Draw(t, "repetitions") {
				turns = append(turns, turn{experiment: i, rep: rep, expected: length})
			}
		}
		arranged := slices.Clone(turns)
		arrange(arranged, side)
		// Runs of one class may differ by a tenth.
		if got, most := expected(arranged, side), expected(turns, side); got > most+most/10 {
			t.Errorf("arranged they take %v, as they come %v", got, most)
		}
		slices.SortFunc(arranged, func(a, b turn) int {
			if a.experiment != b.experiment {
				return a.experiment - b.experiment
			}
			return a.rep - b.rep
		})
		if !slices.Equal(arranged, turns) {
			t.Error("other turns than there were")
		}
	})
}

// Long runs go together, and repetitions of one experiment apart.
func TestArrange(t *testing.T) {
	var turns []turn
	for experiment, length := range []time.Duration{2 * time.Second, 10 * time.Second, 2010 * time.Millisecond, 10 * time.Second} {
		for rep := range 2 {
			turns = append(turns, turn{experiment: experiment, rep: rep, expected: length})
		}
	}
	arrange(turns, 2)
	var got [][2]int
	for _, turn := range turns {
		got = append(got, [2]int{turn.experiment, turn.rep})
	}
	want := [][2]int{{1, 0}, {3, 0}, {1, 1}, {3, 1}, {0, 0}, {2, 0}, {0, 1}, {2, 1}}
	if !slices.Equal(got, want) {
		t.Errorf("experiments and repetitions %v, want %v", got, want)
	}
	if got, want := expected(turns, 2), 24020*time.Millisecond+4*perWave+8*perRun; got != want {
		t.Errorf("expected %v, want %v", got, want)
	}
	turns[5].expected = 0
	if got := expected(turns, 2); got != 0 {
		t.Errorf("expected %v of a run whose length is not known", got)
	}
}
