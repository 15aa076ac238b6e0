package choice_test

import (
	"testing"

	"locklab/internal/choice"
)

// BenchmarkDraw shows what a draw takes, law by law.
func BenchmarkDraw(b *testing.B) {
	samples := []int64{100_000, 150_000, 150_000, 300_000}
	for _, l := range []struct {
		name string
		law  choice.Law
	}{
		{"uniform", uniform(100_000, 300_000)},
		{"exponential", exponential(500_000)},
		{"lognormal", choice.Law{Kind: choice.Lognormal, A: 100_000, B: 300_000}},
		{"samples", choice.Law{Kind: choice.Empirical, Samples: samples}},
		{"sequence", choice.InSequence(samples)},
	} {
		b.Run(l.name, func(b *testing.B) {
			s := choice.Seeded(1).Stream(choice.NameOf("link", 0, "latency"), choice.Fixed)
			for b.Loop() {
				l.law.Draw(&s)
			}
		})
	}
}

// BenchmarkRoll shows what a uniform draw takes by dice, as refused tries are drawn.
func BenchmarkRoll(b *testing.B) {
	law := uniform(100_000, 300_000)
	s := choice.Seeded(1).Stream(choice.NameOf("link", 0, "latency"), choice.Fixed)
	dice := law.Dice(&s)
	var sum int64
	for b.Loop() {
		var d int64
		dice, d = dice.Roll()
		sum += d
	}
	if sum == 0 {
		b.Error("all draws are 0")
	}
}
