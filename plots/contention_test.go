package plots

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"locklab/history"
)

// among is a cell or record as of so many workers.
func among(workers int, src *history.Source) {
	src.Params.Set = map[string]string{"workers": strconv.Itoa(workers)}
}

// crowds are runs of lesson/open, which loses more the more workers there are, and of lesson/safe, where they wait.
func crowds() history.Lines {
	var l history.Lines
	for _, workers := range []int{16, 2, 4, 8} {
		open, safe := simulatedAs("lesson/open", ran(int64(workers)/2, 20)), simulatedAs("lesson/safe", ran(0, 20), ran(0, 40))
		var waits history.Waits
		for n := range int64(100) {
			waits.Add(n * int64(workers) * 1e6)
		}
		safe.AddWaits(&waits)
		measured := measuredAs("lesson/open", ran(int64(workers)/2, 20))
		for _, src := range []*history.Source{&open.Source, &safe.Source, &measured.Source} {
			among(workers, src)
		}
		l.Cells, l.Records = append(l.Cells, open, safe), append(l.Records, measured)
	}
	return l
}

func contentionOf(t *testing.T, l history.Lines, scenarios ...string) *contention {
	t.Helper()
	c, err := newContention(experiments(l), scenarios)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func means(rates []rate) []float64 {
	var all []float64
	for _, r := range rates {
		all = append(all, math.Round(100*r.mean)/100)
	}
	return all
}

func TestContentionGoesUpWithTheWorkers(t *testing.T) {
	c := contentionOf(t, crowds(), "lesson/open", "lesson/safe")
	for i, want := range [][2][]float64{
		{{10, 20, 40, 80}, {0, 0, 0, 0}},
		{{10, 10, 10, 10}, {10, 10, 10, 10}},
		{{2, 2, 2, 2}, {3, 3, 3, 3}},
		{{0, 0, 0, 0}, {196, 392, 784, 1568}},
	} {
		for k := range want {
			for n, got := range means(c.panels[i].lines[k]) {
				if math.Abs(got-want[k][n]) > 0.01*want[k][n] { // waits are in buckets of 1 %
					t.Errorf("%s of %s: got %v, want %v", c.panels[i].title, c.growths[k].name, means(c.panels[i].lines[k]), want[k])
				}
			}
		}
	}
	if got := means(c.panels[0].marks[0]); !slices.Equal(got, []float64{10, 20, 40, 80}) {
		t.Errorf("got measured damage %v", got)
	}
	if !slices.Equal(c.panels[0].spared, []bool{false, true}) || !slices.Equal(c.panels[3].spared, []bool{true, false}) {
		t.Errorf("got spared %v of damage and %v of waits", c.panels[0].spared, c.panels[3].spared)
	}
}

// Records do not know each wait: that is not the same as no wait.
func TestWaitsOfRecordsAreNotZero(t *testing.T) {
	tally := ran(0, 20)
	tally.WaitMax = 5e6
	r := history.NewRecord(source("lesson/safe", history.Sim, "lab", 0), 0, tally, 1, 0)
	among(2, &r.Source)
	c := contentionOf(t, history.Lines{Records: []history.Record{r}}, "lesson/safe")
	if w := c.panels[3]; !math.IsNaN(w.lines[0][0].mean) || w.spared[0] {
		t.Errorf("got a wait of %g, spared %t; want none", w.lines[0][0].mean, w.spared[0])
	}
}

func TestContentionTakesTheProfileThatWasMeasured(t *testing.T) {
	l := crowds()
	other := simulatedAs("lesson/open", ran(9, 20))
	other.Profile, other.ProfileHash = "zebra", "z"
	among(2, &other.Source)
	l.Cells = append(l.Cells, other)
	c := contentionOf(t, l, "lesson/open")
	if c.profile != "machine" || c.panels[0].lines[0][0].mean != 10 {
		t.Errorf("got profile %s with %v", c.profile, means(c.panels[0].lines[0]))
	}
}

func TestContentionRefusesWhatCannotBeTold(t *testing.T) {
	twice := crowds()
	again := simulatedAs("lesson/open", ran(1, 20))
	again.Params.Set = map[string]string{"workers": "2", "work": "1s"}
	twice.Cells = append(twice.Cells, again)
	for _, test := range []struct {
		lines     history.Lines
		scenarios []string
		want      string
	}{
		{crowds(), strings.Split("abcdefghij", ""), "9 at most"},
		{updates(), []string{"lesson/open"}, "--axis workers=2,4,8"},
		{twice, []string{"lesson/open"}, "lesson/open with 2 workers is there in two versions"},
	} {
		if _, err := Contention(test.lines, test.scenarios, ""); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want one with %q", err, test.want)
		}
	}
}

func TestBundlesAreWhatIsNear(t *testing.T) {
	at := func(y vg.Length, scenario int) dab { return dab{vg.Point{Y: y}, scenario} }
	got := bundles([]dab{at(10, 0), at(5, 1), at(4, 2), at(3, 0), at(20, 1)}, 2)
	want := [][]dab{{at(3, 0), at(5, 1), at(4, 2)}, {at(10, 0)}, {at(20, 1)}}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestContentionHasItsWords(t *testing.T) {
	scenarios := []string{"lesson/open", "lesson/safe"}
	unmeasured, unsimulated, gap := crowds(), crowds(), crowds()
	unmeasured.Records, unsimulated.Cells = nil, nil
	gap.Cells = slices.DeleteFunc(gap.Cells, func(c history.Cell) bool { return c.Params.Set["workers"] == "4" })
	for _, test := range []struct {
		lines history.Lines
		words []string
	}{
		{crowds(), []string{"Line: mean of the simulated runs, profile machine.  Mark: one measured run.", "damage per 100 rounds", "updates per second",
			"Redis commands per update", "wait, 99th percentile (ms)", "open", "0 throughout: safe", "0 throughout: open", "workers", "16"}},
		{unmeasured, []string{"Line with marks: mean of the simulated runs"}},
		{unsimulated, []string{"Mark: one measured run."}},
		{gap, []string{"Line: mean"}},
	} {
		f, err := Contention(test.lines, scenarios, "")
		if err != nil {
			t.Fatal(err)
		}
		svg := string(saved(t, f, ".svg"))
		for _, w := range test.words {
			if !strings.Contains(svg, ">"+w) {
				t.Errorf("contention does not say %q", w)
			}
		}
		if f.Name != "contention" || strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") || svg != string(saved(t, f, ".svg")) {
			t.Errorf("%s: has no place for something, or differs from one time to the next", f.Name)
		}
	}
}
