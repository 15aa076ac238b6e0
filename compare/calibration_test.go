package compare

import (
	"bytes"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"locklab/history"
)

// If the measured runs are from the laws that were predicted, transforms are uniform and intervals hold what they
// should; if they are not, it shows.
func TestCalibrationOfRightAndWrongPredictions(t *testing.T) {
	const cells = 200
	r := rand.New(rand.NewPCG(11, 12))
	predicted := predictedGrid(r, cells, wide)
	for _, c := range []struct {
		name  string
		law   func(int) cellLaw
		right bool
	}{
		{"as predicted", wide, true},
		{"2 conflicts more", func(i int) cellLaw {
			l := wide(i)
			l.conflicts = normal(22+float64(i%50), 1+float64(i%7))
			return l
		}, false},
		{"twice as wide", func(i int) cellLaw {
			l := wide(i)
			l.conflicts = normal(20+float64(i%50), 2+2*float64(i%7))
			return l
		}, false},
	} {
		got := Calibrate(history.Lines{Cells: predicted, Records: measuredGrid(r, cells, c.law)})
		for _, s := range []*Score{&got.Conflicts, &got.Overlap} {
			if s.WithSpread != cells || s.PIT.N != cells {
				t.Fatalf("%s: %d with spread, %d transforms, want %d", c.name, s.WithSpread, s.PIT.N, cells)
			}
			if (s.PIT.P > 0.01) != c.right {
				t.Errorf("%s: p of uniformity is %v", c.name, s.PIT.P)
			}
			for _, v := range s.Coverage {
				if v.Expected < v.Nominal || (v.Low <= v.Expected && v.Expected <= v.High) != c.right {
					t.Errorf("%s: %d of %d in the %v interval, expected %v", c.name, v.Inside, v.N, v.Nominal, v.Expected)
				}
			}
		}
	}
}

// Predictions without a spread are counted apart, right or wrong; the wrong ones lead the discrepancies.
func TestNoSpread(t *testing.T) {
	lines := join(experimentOf("right", []int64{79}, 79), experimentOf("wrong", []int64{79}, 78), experimentOf("spread", []int64{28, 30}, 30))
	c := Calibrate(lines)
	if s := c.Conflicts; s.Degenerate != (Degenerate{N: 2, Equal: 1}) || s.WithSpread != 1 || s.PIT.N != 1 || s.Coverage[0].N != 1 {
		t.Errorf("got %+v", s)
	}
	if s := c.Overlap; s.Degenerate != (Degenerate{N: 3, Equal: 3}) || s.PIT != nil || len(s.Coverage) != 0 {
		t.Errorf("got %+v", s)
	}
	if first := c.Largest[0]; first.Cell != "wrong" || first.Conflicts.U != nil || first.P > 0.001 {
		t.Errorf("first is %+v", first)
	}
}

// The first repetition counts that was not cut short; a cell without one, without a prediction, or with too small a
// one is left out, with the reason.
func TestWhatCounts(t *testing.T) {
	cut := experimentOf("cut", []int64{28, 30}, 45, 29, 30)
	cut.Records[0].Bounded = true
	never := experimentOf("never", []int64{28, 30}, 28)
	never.Records[0].Bounded = true
	few := experimentOf("few", []int64{28, 30}, 28)
	few.Cells = []history.Cell{cellOf(source("few", history.Sim, "machine"), 10, conflictsOnly(28, 30)...)}
	unpredicted := experimentOf("unpredicted", []int64{28}, 28)
	unpredicted.Cells = nil
	c := Calibrate(join(cut, never, few, unpredicted, predictionOf("unmeasured", "machine", 3)))
	if c.Cells != 1 || c.Largest[0].Cell != "cut" || c.Largest[0].Run != 1 || c.Largest[0].Conflicts.Measured != 29 {
		t.Errorf("got %+v", c.Largest)
	}
	want := []LeftOut{
		{"few", "the prediction has only 20 runs, need 10000"},
		{"never", "no repetition that was neither disturbed nor cut short"},
		{"unpredicted", "no prediction for this scenario, these parameters and the profile machine that was measured for it"},
	}
	if !reflect.DeepEqual(c.LeftOut, want) {
		t.Errorf("left out %v, want %v", c.LeftOut, want)
	}
}

// A scenario that was measured on two machines is two cells, and they have two names.
func TestCellsOfTwoMachines(t *testing.T) {
	other := history.Lines{
		Cells:   []history.Cell{cellOf(source("d", history.Sim, "other"), MinRuns, counts{conflicts: 28})},
		Records: recordsOf(source("d", history.Real, "other"), conflictsOnly(28)...),
	}
	c := Calibrate(join(experimentOf("d", []int64{28}, 28), other))
	if c.Cells != 2 || c.Largest[0].Cell != "d (machine hash of )" || c.Largest[1].Cell != "d (other hash of )" {
		t.Errorf("got %+v", c.Largest)
	}
}

// Intervals are held against those under ideal of the same cells, and only if each cell has them.
func TestSharpnessBesideIdeal(t *testing.T) {
	ideal := func(name string) history.Lines { return predictionOf(name, "ideal", 38) }
	both := join(experimentOf("d", []int64{26, 28, 30}, 28), experimentOf("e", []int64{14, 15}, 15))
	c := Calibrate(join(both, ideal("d"), ideal("e"))).Conflicts.Coverage[2]
	if c.Width != 2.5 || c.Inside != 2 || c.WidthIdeal == nil || *c.WidthIdeal != 0 || *c.InsideIdeal != 0 {
		t.Errorf("got %+v", c)
	}
	if c := Calibrate(join(both, ideal("d"))).Conflicts.Coverage[2]; c.WidthIdeal != nil || c.InsideIdeal != nil {
		t.Errorf("only one of two cells was predicted under ideal, got %+v", c)
	}
}

// The order of the lines changes nothing, not even how ties are broken; an explanation goes to its cell.
func TestCalibrationDependsOnTheLinesAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := anyLines(t)
		shuffled := history.Lines{
			Records: rapid.Permutation(lines.Records).Draw(t, "records"),
			Cells:   rapid.Permutation(lines.Cells).Draw(t, "cells"),
		}
		a, b := Calibrate(lines), Calibrate(shuffled)
		if !reflect.DeepEqual(a, b) {
			t.Errorf("got\n%+v\nin another order\n%+v", a, b)
		}
		for _, s := range a.Largest {
			if u := s.Conflicts.U; u != nil && (*u <= 0 || *u >= 1) || s.P <= 0 || s.P > 1 {
				t.Errorf("got %+v", s)
			}
		}
	})
}

func TestCalibrationGolden(t *testing.T) {
	c := calibrated()
	for ext, write := range map[string]func(io.Writer) error{"txt": c.WriteText, "md": c.WriteMarkdown, "json": c.WriteJSON} {
		var got bytes.Buffer
		if err := write(&got); err != nil {
			t.Fatal(err)
		}
		golden(t, "testdata/calibration."+ext, got.Bytes())
		if err := write(failing{}); err != io.ErrClosedPipe {
			t.Errorf("%s: got %v, want %v", ext, err, io.ErrClosedPipe)
		}
	}
}

// Nothing to count gives no numbers, and no null where a reader expects a list.
func TestCalibrationOfNothing(t *testing.T) {
	c := Calibrate(history.Lines{})
	var text, json bytes.Buffer
	if err := c.WriteText(&text); err != nil || bytes.Contains(text.Bytes(), []byte("NaN")) || bytes.Contains(text.Bytes(), []byte("expected  inside")) {
		t.Errorf("got %s, %v", text.String(), err)
	}
	score := `{"with_spread":0,"degenerate":{"n":0,"equal":0},"pit":null,"coverage":[]}`
	want := `{"kind":"calibration","seed":1,"profiles":[],"cells":0,"left_out":[],"conflicts":` + score + `,"overlap_ns":` + score + `,"largest":[]}`
	if err := c.WriteJSON(&json); err != nil || json.String() != want+"\n" {
		t.Errorf("got %s, %v", json.String(), err)
	}
}
