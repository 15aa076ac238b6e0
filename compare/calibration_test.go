package compare

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"locklab/history"
)

// A cellLaw is the law of a cell's runs: conflicts, and the overlap of each in microseconds, which varies by a share.
type cellLaw struct {
	conflicts law
	each      int64
	jitter    float64
}

func (l cellLaw) run(r *rand.Rand) history.Tally {
	n := max(0, l.conflicts(r))
	overlap := float64(n*l.each) * (1 + l.jitter*r.NormFloat64())
	return history.Tally{Entries: 80, Conflicts: n, Overlap: int64(math.Round(overlap)) * 1000}
}

// gridSource is where the runs of cell i of a grid come from.
func gridSource(i int, world history.World, profile string) history.Source {
	src := source("grid", world, profile)
	src.Params.Set = map[string]string{"lock.ttl": fmt.Sprintf("%dms", 100+10*i)}
	return src
}

// predictedCell is a cell of so many simulated runs.
func predictedCell(r *rand.Rand, src history.Source, l cellLaw, runs int) history.Cell {
	c := history.NewCell(src)
	for range runs {
		tally := l.run(r)
		c.Add(&tally, 0, false)
	}
	return *c
}

func measuredRun(r *rand.Rand, src history.Source, rep int, l cellLaw) history.Record {
	tally := l.run(r)
	return history.NewRecord(src, rep, &tally, uint64(rep), 0)
}

// predictedGrid is n cells, each predicted under the law at its number.
func predictedGrid(r *rand.Rand, n int, lawAt func(int) cellLaw) []history.Cell {
	var cells []history.Cell
	for i := range n {
		cells = append(cells, predictedCell(r, gridSource(i, history.Sim, "machine"), lawAt(i), MinRuns))
	}
	return cells
}

// measuredGrid is two repetitions of each of n cells.
func measuredGrid(r *rand.Rand, n int, lawAt func(int) cellLaw) []history.Record {
	var records []history.Record
	for i := range n {
		for rep := range 2 {
			records = append(records, measuredRun(r, gridSource(i, history.Real, "machine"), rep, lawAt(i)))
		}
	}
	return records
}

func wide(i int) cellLaw {
	return cellLaw{conflicts: normal(20+float64(i%50), 1+float64(i%7)), each: 90_000, jitter: 0.01}
}

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

// The transform of a value from the law of the runs is uniform however few values the law has: the mean of u is ½
// and its variance 1/12, and no tenth is out of its band.
func TestTransformIsUniformDespiteTies(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for name, l := range map[string]law{"two values": either(40, 79), "few": normal(2, 0.6), "many": normal(500, 90)} {
		predicted := rankingOf(l.sample(r, MinRuns)...)
		var us []float64
		for range 4000 {
			below, equal := predicted.place(conflicts.bucket(l(r)))
			us = append(us, transform(below, equal, predicted.runs(), r.Float64()))
		}
		if p := kolmogorovP(len(us), kolmogorov(us)); p < 0.01 {
			t.Errorf("%s: p of uniformity is %v", name, p)
		}
	}
}

// By hand: among 28 30 30 31 the value 30 has one below and two equal: from 1/5 to 4/5.
func TestTransform(t *testing.T) {
	r := rankingOf(30, 28, 31, 30)
	for _, c := range []struct {
		x            int64
		v, want, two float64
	}{
		{30, 0, 0.2, 1}, {30, 1, 0.8, 1}, {30, 0.5, 0.5, 1}, {27, 0.5, 0.1, 0.4}, {32, 0.5, 0.9, 0.4}, {28, 0, 0, 0.8}, {29, 0, 0.2, 0.8},
	} {
		below, equal := r.place(c.x, c.x)
		if got := transform(below, equal, r.runs(), c.v); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("transform of %d with %v is %v, want %v", c.x, c.v, got, c.want)
		}
		if got := twoSided(below, equal, r.runs()); math.Abs(got-c.two) > 1e-15 {
			t.Errorf("p of %d is %v, want %v", c.x, got, c.two)
		}
	}
}

func TestUnitIsInside(t *testing.T) {
	if low, high := unit(0), unit(math.MaxUint64); low <= 0 || high >= 1 || low != 1-high {
		t.Errorf("got %v to %v", low, high)
	}
}

// Of the runs 1 to 1000, the central 95 % are 25 to 975: 24 below, 25 above.
func TestIntervals(t *testing.T) {
	var runs []int64
	for i := range int64(1000) {
		runs = append(runs, i+1)
	}
	r := rankingOf(runs...)
	want := []Interval{{0.5, 0.501, 250, 750}, {0.8, 0.801, 100, 900}, {0.95, 0.951, 25, 975}, {0.99, 0.991, 5, 995}}
	if got := conflicts.intervals(&r); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A closed interval never holds less than its share, nor more beside it than the rest: of any runs, however many are equal.
func TestIntervalsHoldTheirShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.SliceOfN(rapid.Int64Range(0, 20), 1, 60).Draw(t, "runs")
		r := rankingOf(runs...)
		n := float64(len(runs))
		for _, i := range conflicts.intervals(&r) {
			below, inside := r.place(i.Low, i.High)
			above := int64(len(runs)) - below - inside
			half := (1 - i.Nominal) / 2
			if i.Holds != float64(inside)/n || i.Holds < i.Nominal-1e-12 || float64(below)/n >= half+1e-12 || float64(above)/n > half+1e-12 {
				t.Errorf("%v holds %d of %v, %d below, %d above", i, inside, n, below, above)
			}
		}
	})
}

// What a histogram does not tell apart is equal, and the ends of an interval are whole buckets.
func TestOverlapIsTakenByBuckets(t *testing.T) {
	low, high := history.Bucket(5_000_000)
	p := predictionWith(low-1, low, low, high, high, high+1)
	run := history.Record{OverlapNS: low + 1}
	f := overlap.forecast(&run, p, nil, testStream("ties"))
	if below, equal := p.overlap.place(overlap.bucket(run.OverlapNS)); below != MinRuns || equal != 4*MinRuns {
		t.Errorf("%d below, %d equal", below, equal)
	}
	if i := f.Intervals[0]; i.Low != low || i.High != high || !i.contains(run.OverlapNS) {
		t.Errorf("interval %v, want %d to %d", i, low, high)
	}
	if f.Measured != run.OverlapNS || *f.U < 1.0/6 || *f.U > 5.0/6 {
		t.Errorf("got %+v", f)
	}
}

// predictionWith has MinRuns runs of each overlap.
func predictionWith(overlaps ...int64) *Prediction {
	c := history.NewCell(source("x", history.Sim, "machine"))
	for _, o := range overlaps {
		for range MinRuns {
			c.Add(&history.Tally{Overlap: o}, 0, false)
		}
	}
	return paired(history.Lines{Cells: []history.Cell{*c}})[0].Simulated
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
		{"never", "no repetition that was not cut short"},
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

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}, // Newcombe 1998, table I
	} {
		low, high := wilson(c.k, c.n)
		if math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%d of %d: got %.4f to %.4f, want %.4f to %.4f", c.k, c.n, low, high, c.low, c.high)
		}
	}
	if low, high := wilson(20, 20); low < 0.83 || high != 1 {
		t.Errorf("20 of 20: got %v to %v", low, high)
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

// calibrated is a grid of which two cells are off, with cells without a spread, references under ideal, and one left out.
func calibrated() Calibration {
	const cells = 14
	r := rand.New(rand.NewPCG(15, 16))
	lawAt := func(i int) cellLaw {
		if i%4 == 0 {
			return cellLaw{conflicts: constant(int64(i)), each: 90_000}
		}
		return wide(i)
	}
	lines := history.Lines{Cells: predictedGrid(r, cells, lawAt), Records: measuredGrid(r, cells, lawAt)}
	for i := range cells {
		narrow := lawAt(i)
		narrow.conflicts, narrow.jitter = constant(narrow.conflicts(r)), 0
		lines.Cells = append(lines.Cells, predictedCell(r, gridSource(i, history.Sim, "ideal"), narrow, MinRuns))
	}
	lines.Records[2*7].Conflicts += 12
	lines.Records[2*8].OverlapNS = 0
	lines = join(lines, history.Lines{Records: recordsOf(source("left/out", history.Real, "machine"), conflictsOnly(3)...)})
	c := Calibrate(lines)
	c.Explain(map[string]string{"grid lock.ttl=170ms": "most sensitive to the lateness of timers | ±8 conflicts", "another": "-"})
	return c
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
