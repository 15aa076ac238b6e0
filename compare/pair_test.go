package compare

import (
	"reflect"
	"slices"
	"testing"

	"locklab/history"
)

// only is the single row of the lines.
func only(t *testing.T, lines history.Lines) Row {
	t.Helper()
	rows := Rows(lines, Options{})
	if len(rows) != 1 {
		t.Fatalf("got %d rows, want 1", len(rows))
	}
	return rows[0]
}

func predictionOf(scenario, profile string, conflicts int64) history.Lines {
	return history.Lines{Cells: []history.Cell{cellOf(source(scenario, history.Sim, profile), MinRuns, counts{conflicts: conflicts})}}
}

func profileOf(p *Prediction) string {
	if p == nil {
		return ""
	}
	return p.Profile
}

func TestPredictionUnderAnotherProfileIsAReference(t *testing.T) {
	r := only(t, join(predictionOf("d", "lab", 30), experimentOf("d", []int64{27, 28, 29}, 28, 28, 27)))
	if profileOf(r.Simulated) != "machine" || profileOf(r.Reference) != "lab" || r.N != 3 {
		t.Errorf("simulated %q, reference %q, n %d", profileOf(r.Simulated), profileOf(r.Reference), r.N)
	}
	if r.Verdict != Agree || r.P == nil {
		t.Errorf("verdict %s, p %v", r.Verdict, r.P)
	}
}

// The profile's hash decides, not its name: records measured under lab are tested against lab.
func TestMeasurementUnderLab(t *testing.T) {
	measured := recordsOf(source("c", history.Real, "lab"), conflictsOnly(79, 79, 79)...)
	r := only(t, join(predictionOf("c", "lab", 79), history.Lines{Records: measured}))
	if profileOf(r.Simulated) != "lab" || r.Reference != nil || r.Verdict != Agree {
		t.Errorf("simulated %q, reference %q, %s", profileOf(r.Simulated), profileOf(r.Reference), r.Verdict)
	}
}

func TestLabIsTheReferenceOfSeveral(t *testing.T) {
	r := only(t, join(predictionOf("d", "ideal", 38), predictionOf("d", "lab", 30), experimentOf("d", []int64{27}, 27, 27, 27)))
	if profileOf(r.Reference) != "lab" {
		t.Errorf("reference %q, want lab", profileOf(r.Reference))
	}
	if want := []string{"also predicted under ideal, not shown"}; !slices.Equal(r.Findings, want) {
		t.Errorf("findings %q, want %q", r.Findings, want)
	}
}

func TestUnmeasured(t *testing.T) {
	r := only(t, join(predictionOf("d", "lab", 30), predictionOf("d", "machine", 27)))
	if profileOf(r.Simulated) != "machine" || profileOf(r.Reference) != "lab" || r.Measured != nil {
		t.Errorf("simulated %q, reference %q, measured %v", profileOf(r.Simulated), profileOf(r.Reference), r.Measured)
	}
}

// Two machines have one row each, and neither is the other's reference.
func TestTwoMachines(t *testing.T) {
	other := predictionOf("c", "other", 79)
	other.Records = recordsOf(source("c", history.Real, "other"), conflictsOnly(79, 79, 79)...)
	rows := Rows(join(other, experimentOf("c", []int64{79}, 79, 79, 79)), Options{})
	if len(rows) != 2 {
		t.Fatalf("got %d rows, want 2", len(rows))
	}
	for i, profile := range []string{"machine", "other"} {
		if r := rows[i]; profileOf(r.Simulated) != profile || r.Measured.Profile != profile || r.Reference != nil {
			t.Errorf("row %d: simulated %q, measured %q, reference %q", i, profileOf(r.Simulated), r.Measured.Profile, profileOf(r.Reference))
		}
	}
}

func TestParametersKeepRowsApart(t *testing.T) {
	predicted, measured := predictionOf("d", "machine", 30), experimentOf("d", []int64{30}, 30, 30, 30)
	predicted.Cells[0].Params = history.Params{Scale: 0.1}
	measured.Cells = nil
	rows := Rows(join(predicted, measured), Options{})
	if len(rows) != 2 || rows[0].Verdict != Unknown || rows[1].Verdict != Unknown {
		t.Errorf("got %d rows, want 2 that are unknown", len(rows))
	}
}

// Simulated runs are the same prediction as records, as a cell, or as the cells of two shards.
func TestRecordsCellsAndShardsAreOnePrediction(t *testing.T) {
	src := source("d", history.Sim, "machine")
	runs := []counts{{28, 0, 19}, {29, 1, 20}, {30, 2, 20}, {28, 3, 21}}
	shard := func(seed uint64, runs ...counts) history.Cell {
		c := cellOf(src, 1, runs...)
		c.Seed = seed
		return c
	}
	whole := only(t, history.Lines{Cells: []history.Cell{cellOf(src, 1, runs...)}})
	records := only(t, history.Lines{Records: recordsOf(src, runs...)})
	shards := only(t, history.Lines{Cells: []history.Cell{shard(2, runs[2:]...), shard(1, runs[:2]...)}})
	if !reflect.DeepEqual(whole, records) {
		t.Errorf("from a cell %+v\nfrom records %+v", whole.Simulated, records.Simulated)
	}
	shards.Simulated.Seeds = whole.Simulated.Seeds
	if !reflect.DeepEqual(whole, shards) {
		t.Errorf("from a cell %+v\nfrom shards %+v", whole.Simulated, shards.Simulated)
	}
}

// A run that was disturbed is no repetition, though it has the number of one, and is counted.
func TestDisturbedRunsAreLeftOut(t *testing.T) {
	lines := experimentOf("d", []int64{27, 28}, 28, 28, 27)
	plain := only(t, lines)
	noisy := lines.Records[0]
	noisy.Disturbed, noisy.Conflicts, noisy.HistoryHash = true, 80, "0"
	lines.Records = append(lines.Records, noisy)
	r := only(t, lines)
	if r.Measured.Disturbed != 1 || !slices.Equal(r.Findings, []string{"measured: 1 disturbed run is left out"}) {
		t.Errorf("%d disturbed, findings %q", r.Measured.Disturbed, r.Findings)
	}
	if r.Measured.first.Disturbed {
		t.Error("the first repetition is the disturbed run")
	}
	r.Measured.Disturbed, r.Findings = 0, nil
	if !reflect.DeepEqual(r, plain) {
		t.Errorf("with a disturbed run %+v\nwithout %+v", r.Measured, plain.Measured)
	}
	for i := range lines.Records {
		lines.Records[i].Disturbed = true
	}
	r = only(t, lines)
	if want := "only 0 repetitions, need 3"; r.Verdict != Unknown || r.Why != want || r.N != 0 || r.Measured.Disturbed != 4 || mustJSON(r.Measured.Conflicts) != "[]" {
		t.Errorf("all are disturbed: %s, %q, %+v", r.Verdict, r.Why, r.Measured)
	}
	if c := Calibrate(lines); c.Cells != 0 || len(c.LeftOut) != 1 {
		t.Errorf("all are disturbed: %d cells, left out %v", c.Cells, c.LeftOut)
	}
}

func TestLinesThatCameTwiceCountOnce(t *testing.T) {
	lines := experimentOf("d", []int64{27, 28}, 28, 28, 27)
	once, twice := only(t, lines), only(t, join(lines, lines))
	if !reflect.DeepEqual(once, twice) {
		t.Errorf("once %+v\ntwice %+v", once, twice)
	}
}
