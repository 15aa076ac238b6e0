package plots

import (
	"bytes"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"pgregory.net/rapid"

	"locklab/history"
)

// lightness is L* of CIELAB, from 0 (black) to 100 (white).
func lightness(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	y := 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	if y <= 216.0/24389 {
		return y * 24389 / 27
	}
	return 116*math.Cbrt(y) - 16
}

// Lightness falls all along the scale, nearly evenly, and begins well below that of zero.
func TestHeatGetsDarkerEvenly(t *testing.T) {
	first, last := lightness(heatColor(1)), lightness(heatColor(heatLevels))
	if zero := lightness(heatColor(0)); zero-first < 10 {
		t.Errorf("a little has lightness %.1f, too near to %.1f of zero", first, zero)
	}
	for l := 1; l < heatLevels; l++ {
		even := (first - last) / (heatLevels - 1)
		if step := lightness(heatColor(l)) - lightness(heatColor(l+1)); step < even/3 || step > even*2 {
			t.Errorf("level %d is lighter by %.2f than the next, want about %.2f", l, step, even)
		}
	}
}

func TestHeatLevels(t *testing.T) {
	for share, want := range map[float64]int{-1: 0, 0: 0, 1e-9: 1, 0.019: 1, 0.02: 1, 0.0201: 2, 0.5: 25, 0.99: 50, 1: 50, 2: 50} {
		if got := heatLevel(share); got != want {
			t.Errorf("share %g: got level %d, want %d", share, got, want)
		}
	}
}

// Blocks cover every cell once, with its look.
func TestBlocksCoverTheGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 8).Draw(t, "columns"), rapid.IntRange(1, 8).Draw(t, "rows")
		looks := rapid.SliceOfN(rapid.IntRange(0, 2), w*h, w*h).Draw(t, "looks")
		seen := make([]int, w*h)
		for look, all := range blocks(w, h, func(x, y int) int { return looks[y*w+x] }) {
			for _, b := range all {
				for x := b.x0; x < b.x1; x++ {
					for y := b.y0; y < b.y1; y++ {
						seen[y*w+x]++
						if looks[y*w+x] != look {
							t.Fatalf("cell %d, %d has look %d, is in a block of %d", x, y, looks[y*w+x], look)
						}
					}
				}
			}
		}
		if slices.ContainsFunc(seen, func(n int) bool { return n != 1 }) {
			t.Fatalf("covered %v times", seen)
		}
	})
}

func heatOf(t *testing.T, l history.Lines) *heatmap {
	t.Helper()
	s, err := newSweep(&l, nil)
	if err != nil {
		t.Fatal(err)
	}
	return newHeatmap(s, roles{0, 1, -1}, []heatPanel{{of: conflictsOf, flag: true}, {of: lostOf}})
}

// A lock that fails without a conflict has a look of its own, and so has a cell that is not there.
func TestZeroConflictsAndLostHoldsStandOut(t *testing.T) {
	l := swept(func(set map[string]string) int64 {
		if set["lock.ttl"] == "100ms" {
			return 40
		}
		return -1 // so that no run has any
	}, listed("lock.ttl", "100ms", "200ms", "900ms", "950ms"), listed("pauses[0].for", "100ms", "200ms", "300ms", "400ms"))
	l.Cells = l.Cells[:len(l.Cells)-1]
	h := heatOf(t, l)
	half, quarter := heatLevel(50/h.top), heatLevel(25/h.top)
	for _, c := range []struct{ panel, x, y, want int }{
		{0, 0, 0, half}, {0, 1, 0, lookHidden}, {0, 2, 0, 0}, {0, 3, 3, lookMissing},
		{1, 0, 0, quarter}, {1, 1, 0, quarter}, {1, 2, 0, 0}, {1, 3, 3, lookMissing},
	} {
		if got := h.look(&h.panels[c.panel], c.x, c.y); got != c.want {
			t.Errorf("panel %d, cell %d, %d: got look %d, want %d", c.panel, c.x, c.y, got, c.want)
		}
	}
}

// However a sweep is cut, the names of its boundaries cover neither each other nor what was measured.
func TestNamesKeepClear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := func(name string) int { return rapid.IntRange(1, 400).Draw(t, name) }
		l := swept(nothing, spaced("lock.ttl", step("ttl"), step("ttl step"), 8), spaced("pauses[0].for", step("pause"), step("pause step"), 8))
		s, err := newSweep(&l, nil)
		if err != nil {
			t.Fatal(err)
		}
		w, h := rapid.IntRange(120, 900).Draw(t, "width"), rapid.IntRange(120, 400).Draw(t, "height")
		p := panel{box(0, 0, vg.Length(w), vg.Length(h)), &s.axes[0].ruler, &s.axes[1].ruler}
		measured := plateOf(box(20, 20, 38, 38))
		lines := s.namedLines(&p, &s.axes[0], &s.axes[1])
		taken := drawNamed(draw.NewCanvas(&recorder.Canvas{}, vg.Length(w), vg.Length(h)), &p, lines, []plate{measured})
		for i, a := range taken {
			for k, b := range taken[i+1:] {
				isName := func(q plate) bool { return q.half > 2 }
				if isName(a) && isName(b) && a.touches(b) {
					t.Fatalf("%d and %d overlap: %+v, %+v", i, i+1+k, a, b)
				}
			}
		}
	})
}

func TestSweepFiguresHaveTheirWords(t *testing.T) {
	three := append(ttlAndPause(20), listed("work", "100ms", "300ms"))
	curves := swept(some, spaced("lock.ttl", 100, 100, 20))
	curves.Records = []history.Record{measuredAt(31, nil)}
	for name, c := range map[string]struct {
		lines history.Lines
		words map[string][]string
	}{
		"a plane": {swept(some, spaced("lock.ttl", 100, 100, 20), spaced("pauses[0].for", 0, 100, 20)), map[string][]string{"sweep": {
			"lesson/d: where does the lock stop being safe?", "3 simulated runs per cell, profile lab, seed 0, work 300 ms.", "What shows: conflicts / entries",
			"What happened: lost holds / entries", "TTL = pause + work", "TTL = work", "TTL = pause", "pause = TTL + work", "TTL, lock.ttl (ms)", "0 %", "100 %",
		}}},
		"panels": {swept(some, three...), map[string][]string{"sweep-conflicts": {"work: 100 ms", "work: 300 ms"}, "sweep-lost-holds": {"work: 300 ms", "where are holds lost?"}}},
		"curves": {curves, map[string][]string{"sweep": {"lesson/d: how often does the lock fail over TTL?", "middle 95 % of the runs", "lost holds / entries: mean", "measured (conflicts, lost holds)", "TTL = pause"}}},
		"torn": {history.Lines{Sweeps: swept(some, ttlAndPause(9)...).Sweeps, Cells: swept(some, ttlAndPause(9)...).Cells[:40]},
			map[string][]string{"sweep": {"not computed: 41 of 81 cells"}}},
	} {
		figures, err := Figures(c.lines, Options{})
		if err != nil || len(figures) != len(c.words) {
			t.Errorf("%s: got %d figures, %v, want %d", name, len(figures), err, len(c.words))
			continue
		}
		for _, f := range figures {
			svg := string(saved(t, f, ".svg"))
			for _, w := range c.words[f.Name] {
				if !strings.Contains(svg, w) {
					t.Errorf("%s, %s does not say %q", name, f.Name, w)
				}
			}
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
				t.Errorf("%s, %s has no place for something", name, f.Name)
			}
		}
	}
}

// Even if no two neighbours are alike, the SVG of a large grid stays small; and the same grid gives the same bytes.
func TestLargeGridIsSmallAndTheSameEachTime(t *testing.T) {
	one := func() Figure {
		figures, err := Figures(swept(some, ttlAndPause(50)...), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return figures[0]
	}
	a, b := one(), one()
	for _, ext := range []string{".svg", ".png", ".pdf"} {
		data := saved(t, a, ext)
		if !bytes.Equal(data, saved(t, b, ext)) {
			t.Errorf("%s differs from one time to the next", ext)
		}
		if ext == ".svg" && len(data) > 300_000 {
			t.Errorf("the SVG has %d bytes, want at most 300,000", len(data))
		}
		if ext == ".pdf" && (!bytes.Contains(data, []byte("/CreationDate (D:19700101000000")) || !bytes.HasPrefix(data, []byte("%PDF-"))) {
			t.Error("want a PDF that says when nothing was made")
		}
	}
}
