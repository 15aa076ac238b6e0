package choice_test

import (
	"math/bits"
	"testing"

	"locklab/internal/choice"
)

// These numbers pin every draw for ever: a change of one makes all seeds, golden traces and old records mean
// something else.
func TestGoldenNumbers(t *testing.T) {
	retry := choice.Seeded(1).Stream(choice.NameOf("worker", 0, "retry"), choice.Fixed)
	law := exponential(500_000)
	jitter := uniform(100_000, 300_000)
	for _, test := range []struct {
		what      string
		got, want uint64
	}{
		{"name", uint64(choice.NameOf("worker", 0, "retry")), 0x2ada1c6fe7e56492},
		{"seed of run 0", choice.RunSeed(1, 0), 0x5e41ab087439611e},
		{"seed of run 9999", choice.RunSeed(1, 9999), 0x1feb6d36805d6c6d},
		{"first number", retry.Next(), 0x1759179af26f21fb},
		{"second number", retry.Next(), 0x4179b4826e052163},
		{"exponential draw", uint64(law.Draw(&retry)), 0x58bd6},
		{"uniform draw", uint64(jitter.Draw(&retry)), 0x1be09},
		{"number 40", retry.At(40), 0x5111f195906664c6},
	} {
		if test.got != test.want {
			t.Errorf("%s: %#x, want %#x", test.what, test.got, test.want)
		}
	}
}

// One more draw in one place shifts nothing elsewhere, and a draw by number moves nothing.
func TestStreamsAreIndependentOfOrder(t *testing.T) {
	name := func(i int) choice.Name { return choice.NameOf("worker", i, "work") }
	alone := choice.Seeded(5).Stream(name(0), choice.Fixed)
	want := []uint64{alone.Next(), alone.Next(), alone.Next()}

	a, b := choice.Seeded(5).Stream(name(0), choice.Fixed), choice.Seeded(5).Stream(name(1), choice.Fixed)
	for i, w := range want {
		if b.Next() == w {
			t.Errorf("two streams have the same number %d", i)
		}
		if got := a.At(uint64(i + 1)); got != w {
			t.Errorf("number %d by its place is %#x, want %#x", i, got, w)
		}
		branch := a
		if got := a.Next(); got != w || branch.Next() != w {
			t.Errorf("number %d is %#x, want %#x, in a copy of the stream, too", i, got, w)
		}
	}
}

// Runs, actors and purposes that differ in the least have different numbers.
func TestNamesAndSeedsAreDistinct(t *testing.T) {
	seen := make(map[uint64]bool)
	add := func(v uint64) {
		if seen[v] {
			t.Errorf("%#x came up twice", v)
		}
		seen[v] = true
	}
	for seed := range uint64(3) {
		for i := range uint64(10_000) {
			add(choice.RunSeed(seed, i))
		}
	}
	for _, actor := range []string{"worker", "link", "store"} {
		for i := range 100 {
			for _, purpose := range []string{"start", "work", "think", "1/work"} {
				add(uint64(choice.NameOf(actor, i, purpose)))
			}
		}
	}
}

// Each bit of the first numbers of neighbouring runs is set in about half of them, and so are the bits in which
// neighbours differ.
func TestBitsAreBalanced(t *testing.T) {
	const n = 10_000
	var set, changed [64]int
	var last uint64
	for i := range uint64(n) {
		s := choice.Seeded(choice.RunSeed(1, i)).Stream(choice.NameOf("store", 0, "phase"), choice.Fixed)
		x := s.Next()
		for d := x; d != 0; d &= d - 1 {
			set[bits.TrailingZeros64(d)]++
		}
		for d := x ^ last; d != 0; d &= d - 1 {
			changed[bits.TrailingZeros64(d)]++
		}
		last = x
	}
	for bit := range 64 {
		for what, count := range map[string]int{"set": set[bit], "changed": changed[bit]} {
			if count < n/2-250 || count > n/2+250 { // 5 standard deviations
				t.Errorf("bit %d is %s in %d of %d", bit, what, count, n)
			}
		}
	}
}
