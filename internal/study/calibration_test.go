package study

import (
	"fmt"
	"reflect"
	"testing"

	"locklab/compare"
	"locklab/history"
	"locklab/plots"
)

// gridOf is n cells: simulated runs have 2 or 4 conflicts with an overlap of 1 s each, and every run measured has 3.
func gridOf(n int) history.Lines {
	var lines history.Lines
	for i := range n {
		src := func(w history.World) history.Source {
			return history.Source{
				Scenario: "grid", ScenarioHash: "h", Params: history.Params{Scale: 1, Set: map[string]string{"rounds": fmt.Sprint(i)}},
				World: w, Profile: "machine", ProfileHash: "m",
			}
		}
		c := history.NewCell(src(history.Sim))
		for run := range int64(compare.MinRuns) {
			conflicts := 2 + run%2*2
			c.Add(&history.Tally{Conflicts: conflicts, Overlap: conflicts * 1e9}, 0, false)
		}
		lines.Cells = append(lines.Cells, *c)
		lines.Records = append(lines.Records, history.NewRecord(src(history.Real), 0, &history.Tally{Conflicts: 3, Overlap: 3e9}, 0, 0))
	}
	return lines
}

func TestCalibrationForFigures(t *testing.T) {
	c := Calibration(gridOf(compare.Many))
	if c.Profile != "machine" || len(c.Measures) != 2 {
		t.Fatalf("got %+v", c)
	}
	m := c.Measures[0]
	if want := (plots.Forecast{Median: 2, Low: 2, High: 4, Measured: 3}); m.Name != "conflicts per run" || m.Cells[0] != want {
		t.Errorf("%s: got %+v, want %+v", m.Name, m.Cells[0], want)
	}
	low, above := history.Bucket(2e9)
	_, high := history.Bucket(4e9)
	if want := (plots.Forecast{Median: float64(low+above+1) / 2e6, Low: float64(low) / 1e6, High: float64(high) / 1e6, Measured: 3000}); c.Measures[1].Cells[0] != want {
		t.Errorf("%s: got %+v, want %+v", c.Measures[1].Name, c.Measures[1].Cells[0], want)
	}
	if want := (plots.Covered{Nominal: 0.5, Expected: 1, Inside: 1, Low: m.Coverage[0].Low, High: 1, Width: 2}); !reflect.DeepEqual(m.Coverage[0], want) {
		t.Errorf("got %+v, want %+v", m.Coverage[0], want)
	}
	if m.PIT.N != compare.Many || len(m.PIT.Bins) != 10 || m.PIT.BandHigh == 0 {
		t.Errorf("got %+v", m.PIT)
	}
}

func TestFewCellsAreNoCalibration(t *testing.T) {
	if c := Calibration(gridOf(compare.Many - 1)); c != nil {
		t.Errorf("got %+v", c)
	}
}
