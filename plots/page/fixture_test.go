package page_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"locklab/history"
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

// measured is a run as it would have been seen in the real world.
func measured(t *testing.T, name string, set ...string) page.Run {
	t.Helper()
	run := simulated(t, name, append(set, "start={spread: 3ms}")...)
	run.World, run.Name, run.Flights, run.Lease = history.Real, "measured, repetition 0", nil, 1000e6
	var seen []history.Event
	for _, e := range run.Events {
		if !e.Kind.IsTruth() {
			seen = append(seen, e)
		}
	}
	run.Events = seen
	return run
}

// html is a page as text.
func html(t *testing.T, p *page.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// written is the path of a file with a page.
func written(t *testing.T, p *page.Page) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(html(t, p)), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
