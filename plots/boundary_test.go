package plots

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Wherever a boundary is drawn, its name is true, and it goes from edge to edge of the panel.
func TestBoundariesLieWhereTheyShould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo, step := rapid.IntRange(1, 900).Draw(t, "first TTL"), rapid.IntRange(1, 300).Draw(t, "TTL step")
		y := spaced("pauses[0].for", rapid.IntRange(1, 900).Draw(t, "first pause"), rapid.IntRange(1, 300).Draw(t, "pause step"), 9)
		x := spaced("lock.ttl", lo, step, 9)
		if rapid.Bool().Draw(t, "logarithmic") {
			x = listed("lock.ttl", "10ms", "40ms", "160ms", "640ms", "2560ms")
		}
		l := swept(nothing, x, y)
		s, err := newSweep(&l, nil)
		if err != nil {
			t.Fatal(err)
		}
		ttl, pause := &s.axes[0], &s.axes[1]
		for _, b := range boundaries {
			sum, ok := s.balance(b, ttl, pause)
			if !ok {
				t.Fatalf("%s is not known", b.name)
			}
			line := sum.trace(&ttl.ruler, &pause.ruler)
			for _, at := range line {
				got := b.ttl*ttl.value(at.x) + b.pause*pause.value(at.y) + b.work*300e6
				if math.Abs(got) > 1e3 {
					t.Fatalf("%s is off by %g ns at %v", b.name, got, at)
				}
			}
			for _, at := range ends(line) {
				if edge := min(at.x, 1-at.x, at.y, 1-at.y); math.Abs(edge) > 1e-6 {
					t.Fatalf("%s ends at %v, inside the panel", b.name, at)
				}
			}
		}
	})
}

func ends(line []spot) []spot {
	if len(line) == 0 {
		return nil
	}
	return []spot{line[0], line[len(line)-1]}
}

// What is not known, or has nothing to do with the axes, is not drawn; what a panel sets counts there.
func TestBoundariesNeedTheirTerms(t *testing.T) {
	names := func(s *sweep, more ...setting) map[string]bool {
		known := make(map[string]bool)
		for _, b := range boundaries {
			if _, ok := s.balance(b, &s.axes[0], &s.axes[1], more...); ok {
				known[b.name] = true
			}
		}
		return known
	}
	l := swept(nothing, ttlAndPause(4)...)
	l.Sweeps = nil
	s, _ := newSweep(&l, nil)
	if got := names(s); len(got) != 1 || !got["TTL = pause"] {
		t.Errorf("without durations: got %v, want TTL = pause alone", got)
	}
	l = swept(nothing, listed("workers", "2", "3", "4", "5"), listed("think", "1ms", "2ms", "3ms", "4ms"))
	s, _ = newSweep(&l, nil)
	if got := names(s); len(got) != 0 {
		t.Errorf("over workers and think time: got %v, want none", got)
	}
	l = swept(nothing, append(ttlAndPause(4), listed("work", "0ms", "50ms"))...)
	s, _ = newSweep(&l, nil)
	if got := names(s, setting{"work", "0ms"}); len(got) != 1 {
		t.Errorf("without work: got %v, want TTL = pause alone", got)
	}
	sum, ok := s.balance(boundaries[0], &s.axes[0], &s.axes[1], setting{"work", "50ms"})
	if want := (balance{1, -1, -50e6}); !ok || sum != want {
		t.Errorf("got %v, %v, want %v", sum, ok, want)
	}
}
