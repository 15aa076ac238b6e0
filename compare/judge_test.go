package compare

import (
	"math/rand/v2"
	"testing"

	"locklab/history"
)

func TestVerdicts(t *testing.T) {
	seen := []int64{26, 27, 27, 28, 28, 28, 28, 29, 29, 30}
	unprofiled := experimentOf("d", seen, 28, 28, 28)
	for i := range unprofiled.Records {
		unprofiled.Records[i].ProfileHash = ""
	}
	few := experimentOf("d", seen, 28, 28, 28)
	few.Cells = []history.Cell{cellOf(source("d", history.Sim, "machine"), 20, conflictsOnly(seen...)...)}
	unpredicted := experimentOf("d", seen, 28, 28, 28)
	unpredicted.Cells = nil
	for _, c := range []struct {
		name    string
		lines   history.Lines
		wanted  int
		verdict Verdict
		why     string
	}{
		{"agree", experimentOf("d", seen, 28, 27, 29), 3, Agree, ""},
		{"differ", experimentOf("d", seen, 45, 46, 44), 3, Differ, "measured 45.0 conflicts on average, predicted 28.0 [26, 30]; mean rank 1.00"},
		{"certain and equal", experimentOf("c", []int64{79}, 79, 79, 79), 3, Agree, ""},
		{"certain and not equal", experimentOf("c", []int64{79}, 79, 78, 79), 3, Differ, "every simulated run has 79 conflicts, measured were 79 78 79"},
		{"some not measured", experimentOf("d", seen, 28, 27, 29), 5, Agree, "2 of 5 repetitions were not measured"},
		{"too few measured", experimentOf("d", seen, 28, 27), 3, Unknown, "only 2 repetitions, need 3; 1 of 3 repetitions were not measured"},
		{"nothing measured", predictionOf("d", "machine", 28), 3, Unknown, "no measurement"},
		{"too few simulated", few, 3, Unknown, "the prediction has only 200 runs, need 10000"},
		{"nothing predicted", unpredicted, 3, Unknown, "no prediction for this scenario, these parameters and the profile machine that was measured for it"},
		{"no profile", unprofiled, 3, Unknown, "no profile was measured for these repetitions, so nothing predicts them"},
	} {
		rows := Rows(c.lines, Options{Wanted: c.wanted})
		if len(rows) != 1 || rows[0].Verdict != c.verdict || rows[0].Why != c.why {
			t.Errorf("%s: got %d rows, %s, %q\nwant %s, %q", c.name, len(rows), rows[0].Verdict, rows[0].Why, c.verdict, c.why)
		}
		if (rows[0].P == nil) != (c.verdict == Unknown) {
			t.Errorf("%s: p is %v", c.name, rows[0].P)
		}
	}
}

// A shift that is found in a row on its own is not found among many: all rows share the 1 %.
func TestRowsShareTheLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	lines := experimentOf("a", normal(100, 10).sample(r, MinRuns), 117, 117, 116)
	alone := only(t, lines)
	for _, name := range []string{"b", "c", "d", "e", "f", "g", "h", "i"} {
		lines = join(lines, experimentOf(name, []int64{79}, 79, 79, 79))
	}
	shared := Rows(lines, Options{})[0]
	if *alone.P != *shared.P {
		t.Errorf("p is %v alone and %v beside others", *alone.P, *shared.P)
	}
	if alone.Verdict != Differ || shared.Verdict != Agree {
		t.Errorf("p %v: alone %s, among nine %s", *alone.P, alone.Verdict, shared.Verdict)
	}
}

// Every cell of a grid is a row, and Holm's procedure is over all of them: the one that is off is found, the others agree.
func TestCellsOfAGridAreRows(t *testing.T) {
	var lines history.Lines
	for i := range 12 {
		predicted := cellOf(gridSource(i, history.Sim, "machine"), MinRuns/4, conflictsOnly(26, 28, 30, 32)...)
		measured := conflictsOnly(28, 30, 28)
		if i == 5 {
			measured = conflictsOnly(40, 41, 40)
		}
		lines = join(lines, history.Lines{
			Cells:   []history.Cell{predicted},
			Records: recordsOf(gridSource(i, history.Real, "machine"), measured...),
		})
	}
	rows := Rows(lines, Options{})
	if len(rows) != 12 {
		t.Fatalf("got %d rows, want 12", len(rows))
	}
	for _, r := range rows {
		if off := r.Params.Set["lock.ttl"] == "150ms"; (r.Verdict == Differ) != off || r.Verdict == Unknown {
			t.Errorf("%v: %s, p %v", r.Params.Set, r.Verdict, *r.P)
		}
	}
}

// The smallest p that a row can have is well below the smallest bound, however many rows there are.
func TestDrawsSufficeForManyRows(t *testing.T) {
	for _, rows := range []int{1, 5, 100, 101, 5000} {
		if smallest, bound := 2/float64(1+draws(rows)), Level/float64(rows); smallest > bound/5 {
			t.Errorf("%d rows: smallest p %v, bound %v", rows, smallest, bound)
		}
	}
	if draws(5) != 100_000 {
		t.Errorf("%d draws for 5 rows, want 100000", draws(5))
	}
}

func TestFindings(t *testing.T) {
	src := func(w history.World) history.Source { return source("lesson/work-too-short", w, "machine") }
	bounded := history.NewCell(src(history.Sim))
	bounded.Add(&history.Tally{LostHolds: 20}, 0, true)
	lines := history.Lines{
		Cells:   []history.Cell{cellOf(src(history.Sim), 3, counts{0, 0, 19}, counts{0, 0, 20}), *bounded},
		Records: recordsOf(src(history.Real), counts{0, 0, 20}, counts{1, 0, 20}, counts{0, 0, 21}),
	}
	got := only(t, lines).Findings
	want := []string{
		"simulated under machine: 0 conflicts although the lock failed: 19.6 lost holds per run",
		"simulated under machine: 1 of 7 runs were cut short",
		"measured: 0.33 conflicts although the lock failed: 20.3 lost holds per run",
	}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
}

// A lock that failed with conflicts, or did not fail, is no finding.
func TestNoFindings(t *testing.T) {
	for _, run := range []counts{{0, 0, 0}, {31, 0, 20}, {1, 0, 1}} {
		lines := history.Lines{Records: recordsOf(source("d", history.Real, "machine"), run, run, run)}
		if got := only(t, lines).Findings; len(got) > 0 {
			t.Errorf("%+v: got %q, want none", run, got)
		}
	}
}

func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		verdicts []Verdict
		want     int
	}{
		{nil, 2}, {[]Verdict{Agree, Agree}, 0}, {[]Verdict{Agree, Unknown}, 3}, {[]Verdict{Unknown, Differ, Agree}, 1},
	} {
		var rows []Row
		for _, v := range c.verdicts {
			rows = append(rows, Row{Verdict: v})
		}
		if got := ExitCode(rows); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.verdicts, got, c.want)
		}
	}
}
