package scenarios_test

import (
	"maps"
	"strings"
	"testing"

	"locklab/history"
	"locklab/scenarios"

	"pgregory.net/rapid"
)

func axesOf(t testing.TB, texts ...string) []history.Axis {
	t.Helper()
	var all []history.Axis
	for _, text := range texts {
		name, values, _ := strings.Cut(text, "=")
		axis, err := scenarios.ParseAxis(name, values)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, axis)
	}
	return all
}

// The cells of a grid are the scenarios that --set would make, in order, the last axis moving fastest; with their hash, and
// scaled afterwards.
func TestGridIsSetting(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		written, err := scenarios.Builtin("lesson/e")
		if err != nil {
			t.Fatal(err)
		}
		texts := rapid.Permutation([]string{
			"ttl=1s,2s,3s", "pause=0ms..3s/4", "workers=2,5", "retry=10ms", "pauses[0].every=1,2", "probability=0.5",
		}).Draw(rt, "axes")[:3]
		if strings.Contains(strings.Join(texts, " "), "every") && strings.Contains(strings.Join(texts, " "), "probability") {
			rt.Skip("they exclude each other")
		}
		scale := rapid.SampledFrom([]float64{1, 0.5, 2}).Draw(rt, "scale")
		axes := axesOf(t, texts...)
		grid, err := scenarios.NewGrid(written, axes, scale)
		if err != nil {
			rt.Fatal(err)
		}
		cell := 0
		for _, a := range axes[0].Values {
			for _, b := range axes[1].Values {
				for _, c := range axes[2].Values {
					set := []string{axes[0].Path + "=" + a, axes[1].Path + "=" + b, axes[2].Path + "=" + c}
					changed, _, err := scenarios.SetAll(written, set)
					if err != nil {
						rt.Fatal(err)
					}
					want, err := scenarios.Scaled(changed, scale)
					if err != nil {
						rt.Fatal(err)
					}
					got, hash, err := grid.Scenario(cell)
					if err != nil || string(got.YAML()) != string(want.YAML()) || hash != changed.Hash() {
						rt.Fatalf("cell %d, error %v:\n%s\nwant\n%s", cell, err, got.YAML(), want.YAML())
					}
					if values := grid.Values(cell); values[0] != a || values[1] != b || values[2] != c {
						rt.Fatalf("cell %d has values %v, want %v", cell, values, set)
					}
					cell++
				}
			}
		}
		if grid.Cells() != cell {
			rt.Fatalf("%d cells, want %d", grid.Cells(), cell)
		}
	})
}

func TestGridRefuses(t *testing.T) {
	for _, test := range []struct {
		scenario string
		axes     []string
		scale    float64
		want     string
	}{
		{"lesson/d", []string{"ttl=1s,2s", "lock.ttl=3s"}, 1, "two axes are along lock.ttl; want each parameter once"},
		{"lesson/d", []string{"pause=0ms,1s", "ttl=0ms,1s,2s"}, 1, "axis lock.ttl, value 0ms: lock.ttl is 0ms; want a whole number of milliseconds above 0"},
		{"lesson/d", []string{"workers=2,1001"}, 1, "axis workers, value 1001: workers is 1001, out of bounds; want a whole number from 1 to 1000"},
		{"lesson/d", []string{"ttl=1s,1001ms"}, 0.5, "axis lock.ttl, value 1001ms: scale 0.5: lesson/d: lock.ttl 1001ms would be 500500us, no whole number of milliseconds"},
		{"lesson/d", []string{"probability=0.5,2"}, 1, "axis pauses[0].probability, value 2: pauses[0].probability is 2, out of bounds; want a number from 0 to 1"},
		{"lesson/b", []string{"pause=1s"}, 1, "axis pauses[0].for, value 1s: pauses[0] has none of before, during, at"},
		{"lesson/a", []string{"ttl=1s"}, 1, `axis lock.ttl, value 1s: lock lacks "kind"`},
		{"lesson/d", []string{"pauses[7].for=1s"}, 1, "axis pauses[7].for: there is no pauses[7], and the next free number is 1"},
		{"lesson/d", []string{"pauses[0].every=1", "probability=0.5"}, 1, "axis pauses[0].every: another axis (pauses[0].probability) takes it away"},
		{"lesson/d", []string{"pauses[0].every=0", "workers=0"}, 1, "the first values of the axes (0, 0): workers is 0, out of bounds"},
		{"lesson/d", []string{"work=1s", "work.exponential=1s"}, 1, "axis work.exponential: what should have the part work.exponential is 1s"},
		{"lesson/d", []string{"ttl=1ms..24h:1s", "pause=0ms..24h:1s"}, 1, "the axes have more than 1000000000 combinations; want fewer values"},
	} {
		s, err := scenarios.Builtin(test.scenario)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := scenarios.NewGrid(s, axesOf(t, test.axes...), test.scale); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, axes %v: error %v, want %s", test.scenario, test.axes, err, test.want)
		}
	}
}

// Work that is time on the processor stays so along an axis.
func TestGridKeepsWorkOnTheProcessor(t *testing.T) {
	s, err := scenarios.Parse("s.yaml", []byte("scenario: s\nworkers: 1\nrounds: 1\nwork: {cpu: 1s}\n"))
	if err != nil {
		t.Fatal(err)
	}
	grid, err := scenarios.NewGrid(s, axesOf(t, "work=2s,3s"), 1)
	if err != nil {
		t.Fatal(err)
	}
	cell, _, err := grid.Scenario(1)
	if err != nil || !cell.WorkCPU || cell.Work.A != 3e9 || grid.Axes()[0].Path != "work.cpu" {
		t.Errorf("work %+v, on the processor %v, axis %s, error %v", cell.Work, cell.WorkCPU, grid.Axes()[0].Path, err)
	}
}

func TestDurations(t *testing.T) {
	s, err := scenarios.Parse("s.yaml", []byte(`
scenario: s
workers: 2
rounds: 3
start: {apart: 1ms}
work: {cpu: 300ms}
think: {uniform: [1ms, 2ms]}
lock: {kind: single, ttl: 1s, retry: {every: {exponential: 5ms}, backoff: {factor: 2, most: 80ms}}}
pauses: [{before: enter, for: 0ms}, {at: 3s, for: {exponential: 1s}}]
delay: {network: 2ms}
`))
	if err != nil {
		t.Fatal(err)
	}
	const ms = 1_000_000
	want := map[string]int64{
		"start.apart": ms, "work.cpu": 300 * ms, "lock.ttl": 1000 * ms, "lock.retry.backoff.most": 80 * ms, "pauses[0].for": 0,
		"pauses[1].at": 3000 * ms, "delay.network": 2 * ms,
	}
	if got := s.Durations(1); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := s.Durations(0.5)["work.cpu"]; got != 150*ms {
		t.Errorf("scaled by 0.5, work is %d", got)
	}
}
