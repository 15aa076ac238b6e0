package plots

import (
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"locklab/history"
)

func TestPairsOfTheLesson(t *testing.T) {
	s := newScatter(experiments(lesson()))
	if s.profile != "machine" || len(s.points) != 5 {
		t.Fatalf("got %d points under profile %q, want 5 under machine", len(s.points), s.profile)
	}
	want := pair{name: "lesson/d", x: 28, xLo: 26, xHi: 31, y: 28, yLo: 27, yHi: 29}
	if got := s.points[3]; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if top, step := s.top(); top != 80 || step != 20 {
		t.Errorf("got axes up to %g by %g, want 80 by 20", top, step)
	}
}

func TestAPairNeedsTheProfileThatWasMeasured(t *testing.T) {
	l := history.Lines{
		Cells:   []history.Cell{cell(source("x", history.Sim, "lab", 0), 1)},
		Records: []history.Record{record(source("x", history.Real, "machine", 0), 0, 1)},
	}
	if _, err := Agreement(l); err == nil || !strings.Contains(err.Error(), "the profile that the measured ones name") {
		t.Errorf("got error %v, want what is needed", err)
	}
	l.Records[0].ProfileHash, l.Cells[0].ProfileHash = "", ""
	if _, err := Agreement(l); err == nil {
		t.Error("paired a measurement that names no profile")
	}
}

func TestSweepPointsAreNamedByTheirParameters(t *testing.T) {
	var l history.Lines
	for _, ttl := range []string{"200ms", "500ms"} {
		for _, world := range []history.World{history.Sim, history.Real} {
			src := source("x", world, "machine", 0)
			src.Params.Set = map[string]string{"lock.ttl": ttl}
			l.Records = append(l.Records, record(src, 0, 7))
		}
	}
	s := newScatter(experiments(l))
	if len(s.points) != 2 || s.points[0].name != "lock.ttl 200ms" || s.points[1].name != "lock.ttl 500ms" {
		t.Errorf("got %+v, want points named by their TTL", s.points)
	}
}

// Labels of points at one place overlap neither each other nor the diagonal.
func TestPlaceAvoidsCollisions(t *testing.T) {
	c := draw.NewCanvas(&recorder.Canvas{}, 400, 400)
	var taken []vg.Rectangle
	for range 4 {
		spot, ok := place(c, vg.Point{}, "lesson/b", taken)
		if !ok || !isFree(c, spot, taken) {
			t.Fatalf("got %v, %v with %v taken", spot, ok, taken)
		}
		taken = append(taken, spot)
	}
}
