package page_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"locklab/internal/study"
	"locklab/plots/page"
	"locklab/scenarios"
)

// simulated is the first run of a scenario under the profile lab.
func simulated(t *testing.T, name string, set ...string) page.Run {
	t.Helper()
	e, err := study.NewExperiment(name, set, 1)
	if err != nil {
		t.Fatal(err)
	}
	lab := scenarios.Lab()
	return study.SimulatedRun(e, &lab, 1, 0, study.Trace(e, &lab, 1, 0))
}

// written is the path of a file with a page.
func written(t *testing.T, p *page.Page) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := p.Write(f); err != nil {
		t.Fatal(err)
	}
	return path
}

// size is the size of the window, in pixels.
func size(width, height int64) step {
	return call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1})
}

func TestPageStepsToTheFirstConflict(t *testing.T) {
	file := written(t, &page.Page{Title: "lesson/d", Runs: []page.Run{simulated(t, "lesson/d")}})
	w := open(t, file, "", size(1280, 900))
	w.shoot("d-1280")
}

func TestPageShowsEveryScenario(t *testing.T) {
	p := page.Page{Title: "all"}
	for _, name := range scenarios.Names() {
		p.Runs = append(p.Runs, simulated(t, name))
	}
	w := open(t, written(t, &p), "", size(1280, 900))
	w.shoot("all-1280")
}
