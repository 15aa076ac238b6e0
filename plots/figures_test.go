package plots

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locklab/history"
)

// everything is a file of all that can be drawn.
func everything(t *testing.T) []Figure {
	t.Helper()
	l := lesson()
	l.Events = zombieRun(true)
	figures, err := Figures(l, Options{Title: "Told by <D & E>"})
	if err != nil {
		t.Fatal(err)
	}
	return figures
}

func saved(t *testing.T, f Figure, ext string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), f.Name+ext)
	if err := Save(f, path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFiguresHaveTheirWords(t *testing.T) {
	words := map[string][]string{
		"conflicts": {"published", "simulated, lab", "simulated, machine", "measured", "lesson/e", "conflict rate: conflicts / entries (%)"},
		"agreement": {"conflicts per run, simulated (profile machine)", "conflicts per run, measured", "measured = simulated", "28.0 (26–31)"},
		"timeline": {"Told by &lt;D &amp; E&gt;", "lock held by", "lease expires", "paused 1200 ms", "ZOMBIE", "enters: conflict",
			"write rejected", "worker 1", "time since the start of the run (ms)"},
	}
	for _, f := range everything(t) {
		svg := string(saved(t, f, ".svg"))
		for _, w := range words[f.Name] {
			if !strings.Contains(svg, ">"+w) {
				t.Errorf("%s does not say %q", f.Name, w)
			}
		}
		if strings.Contains(svg, "NaN") || !strings.Contains(svg, "Arial") {
			t.Errorf("%s: has no place for something, or names no font that others have", f.Name)
		}
		delete(words, f.Name)
	}
	if len(words) > 0 {
		t.Errorf("not drawn: %v", words)
	}
}

func TestSameInputGivesSameBytes(t *testing.T) {
	again := everything(t)
	for i, f := range everything(t) {
		if !bytes.Equal(saved(t, f, ".svg"), saved(t, again[i], ".svg")) {
			t.Errorf("%s.svg differs from one time to the next", f.Name)
		}
	}
	if !bytes.Equal(saved(t, everything(t)[0], ".png"), saved(t, again[0], ".png")) {
		t.Error("conflicts.png differs from one time to the next")
	}
}

func TestPNGIsASlide(t *testing.T) {
	config, err := png.DecodeConfig(bytes.NewReader(saved(t, everything(t)[0], ".png")))
	if err != nil || config.Width != 1920 || config.Height != 1080 {
		t.Errorf("got %d by %d, %v; want 1920 by 1080", config.Width, config.Height, err)
	}
}

func TestTimelineOfTheRealWorldHasNoTruth(t *testing.T) {
	figures, err := Figures(history.Lines{Events: observable(zombieRun(false))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	svg := string(saved(t, figures[0], ".svg"))
	if strings.Contains(svg, "lock held by") || !strings.Contains(svg, "enters: conflict") {
		t.Error("want conflicts, and no holder in truth")
	}
}

func TestTimelineOfManyWorkersInAnyWindow(t *testing.T) {
	var events []history.Event
	for w := range int32(40) {
		for _, e := range zombieRun(true) {
			e.Worker, e.Order = e.Worker+2*w, e.Order+int64(w)*2
			events = append(events, e)
		}
	}
	for _, opts := range []TimelineOptions{{}, {From: 1100 * ms, To: 1100*ms + 1}, {From: 5000 * ms}, {To: 100_000 * ms}} {
		f, err := Timeline(events, opts)
		if err != nil {
			t.Errorf("%+v: %v", opts, err)
			continue
		}
		saved(t, f, ".svg")
	}
}

func TestNothingToDrawIsAnError(t *testing.T) {
	if _, err := Figures(history.Lines{}, Options{}); err == nil || !strings.Contains(err.Error(), "need records, cells or the events") {
		t.Errorf("got error %v, want what is needed", err)
	}
	if _, err := Timeline([]history.Event{{Worker: -1}}, TimelineOptions{}); err == nil {
		t.Error("drew no events")
	}
	if _, err := Timeline(zombieRun(false), TimelineOptions{From: 5, To: 5}); err == nil {
		t.Error("drew an empty window")
	}
}

func TestSaveRefusesUnknownFormats(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figure.gif")
	if err := Save(everything(t)[0], path); err == nil || !strings.Contains(err.Error(), ".svg, .png or .pdf") {
		t.Errorf("got error %v, want the formats that are allowed", err)
	}
}

func TestSaveLeavesNothingBehindWhenItFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "figure.svg")
	if err := os.Mkdir(path, 0o755); err != nil { // a folder of that name cannot be replaced
		t.Fatal(err)
	}
	if err := Save(everything(t)[0], path); err == nil {
		t.Error("got no error")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}
