package study

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"locklab/compare"
	"locklab/history"
	"locklab/internal/choice"
	"locklab/realrun"
	"locklab/scenarios"
	"locklab/sim"
)

// quiet is a progress that nobody looks at.
type quiet struct{}

func (quiet) Begin(string, int)              {}
func (quiet) BeginFor(string, time.Duration) {}
func (quiet) Add(int)                        {}
func (quiet) End()                           {}

// simulated is a bench that measures by simulating: it says that it is the machine claimed, and is the machine is.
type simulated struct {
	claimed, is scenarios.Profile
	fails       string         // the scenario that cannot be measured
	disturbed   map[string]int // how many runs of a scenario are disturbed, the first ones
	measured    []string
}

func (b *simulated) calibrate(context.Context, int, func(string, time.Duration)) (*scenarios.Profile, error) {
	return &b.claimed, nil
}

func (b *simulated) store() history.Store { return history.Store{Product: "redis", Version: "0"} }

func (b *simulated) measure(_ context.Context, jobs []realrun.Job, done func(i int, o *realrun.Outcome, err error)) {
	for i, job := range jobs {
		if job.Scenario.Name == b.fails {
			done(i, nil, errors.New("the server is gone"))
			continue
		}
		b.measured = append(b.measured, job.Scenario.Name)
		run := sim.NewWorld(job.Scenario, &b.is).NewRun()
		run.Do(job.Seed)
		o := realrun.Outcome{Tally: run.Tally}
		if b.disturbed[job.Scenario.Name] > 0 {
			b.disturbed[job.Scenario.Name]--
			o.Watch.Suspended.NS = 1e9
		}
		done(i, &o, nil)
	}
}

// slower is lab with other latencies.
func slower(f float64) scenarios.Profile {
	p := scenarios.Lab()
	p.Network.AfterSleep, p.Network.AfterReply = p.Network.AfterSleep.Scaled(f), p.Network.AfterReply.Scaled(f)
	return p
}

// newTruth is a truth of n scenarios on a bench, with as many simulated runs as show that all is done; change changes it.
func newTruth(t *testing.T, dir string, n int, b bench, change func(*Truth)) *truth {
	t.Helper()
	run := &truth{bench: b, Truth: &Truth{
		Dir: dir, Seed: 1, Scenarios: n, Runs: 20, Longest: time.Second, Parallel: 4, Progress: quiet{},
	}}
	if change != nil {
		change(run.Truth)
	}
	if err := run.open(); err != nil {
		t.Fatal(err)
	}
	return run
}

// lockless are scenarios without a lock, in which latency decides how long two are inside.
func lockless(t *testing.T, n int) []candidate {
	var set []candidate
	for i := range n {
		yaml := fmt.Sprintf("scenario: lockless-%d\nworkers: 2\nrounds: 3\nwork: %dus\n", i, 5000+10*i)
		s, err := scenarios.Parse("lockless", []byte(yaml))
		if err != nil {
			t.Fatal(err)
		}
		set = append(set, candidate{
			Experiment: Experiment{s, s.Hash(), history.Params{Scale: 1}}, seed: choice.RunSeed(7, uint64(i)), spread: true,
		})
	}
	return set
}

// If the world is what the profile says, the predictions hold; if its latency is half as long again, they do not.
func TestTruthOfRightAndWrongProfiles(t *testing.T) {
	t.Parallel()
	lab := scenarios.Lab()
	set := lockless(t, compare.MinSpread)
	var cells []history.Cell
	for _, c := range []struct {
		name string
		is   scenarios.Profile
		want compare.Trust
	}{
		{"as calibrated", lab, compare.Holds},
		{"latency half as long again", slower(1.5), compare.DoesNotHold},
	} {
		run := newTruth(t, t.TempDir(), len(set), &simulated{claimed: lab, is: c.is}, func(t *Truth) { t.Runs = compare.MinRuns })
		run.set, run.profile, run.lines.Cells = set, &lab, cells
		if err := run.predictIdeal(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := run.predict(t.Context()); err != nil {
			t.Fatal(err)
		}
		cells = slices.Clone(run.lines.Cells)
		if err := run.measure(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := run.conclude(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r := run.report; r.Overlap.Verdict != c.want || r.Calibration.Overlap.WithSpread != len(set) {
			t.Errorf("%s: the prediction of overlap %s: %s", c.name, r.Overlap.Verdict, r.Overlap.Why)
		}
		checkReport(t, run)
	}
}

// checkReport checks that the report is written and drawn, and explains what is farthest off.
func checkReport(t *testing.T, run *truth) {
	t.Helper()
	for _, name := range []string{"report.md", "truth.json", "forecasts.svg", "transforms.png", "coverage.svg"} {
		if _, err := os.Stat(run.out.file(name)); err != nil {
			t.Error(err)
		}
	}
	var text strings.Builder
	if err := run.report.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	first := run.report.Calibration.Largest[0]
	for _, want := range []string{
		"the prediction  " + string(run.report.Verdict), "100 random ones of seed 1, 10000 runs of each", "100 of 100, once each, on redis 0",
		first.Cell + ": of what was calibrated, the mean of",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text.String()), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("the report lacks %q:\n%s", want, text.String())
		}
	}
	if len(run.report.Sensitivity) == 0 || run.report.Sensitivity[0].Cell != first.Cell {
		t.Errorf("sensitivity of %+v, want first that of %s", run.report.Sensitivity, first.Cell)
	}
}

// A truth writes all its files, and one that resumes measures nothing twice.
func TestTruthIsKeptAndResumed(t *testing.T) {
	t.Parallel()
	const n = 12
	dir := t.TempDir()
	b := &simulated{claimed: scenarios.Lab(), is: scenarios.Lab()}
	b.fails = chosen(t, n)[n-1].Scenario.Name
	first := newTruth(t, dir, n, b, nil)
	report, err := first.run(t.Context())
	if report == nil || err == nil || !strings.Contains(err.Error(), b.fails+": the server is gone") || !strings.Contains(err.Error(), "--resume goes on") {
		t.Fatalf("report %+v, error %v", report, err)
	}
	if report.Measured != len(b.measured) || report.Measured == 0 || report.Measured == n {
		t.Fatalf("%d measured, reported %d", len(b.measured), report.Measured)
	}
	before := b.measured
	b.fails, b.measured = "", nil
	var plan TruthPlan
	second := newTruth(t, dir, n, b, func(t *Truth) { t.Resume, t.Announce = true, func(p TruthPlan) { plan = p } })
	report, err = second.run(t.Context())
	if err != nil || report.Measured != n || report.Repeated != 0 || plan.Measured != len(before) || plan.Predict != 0 {
		t.Fatalf("report %+v, error %v, plan %+v", report, err, plan)
	}
	for _, name := range b.measured {
		if slices.Contains(before, name) {
			t.Errorf("%s was measured twice", name)
		}
	}
	files := []string{"report.md", "truth.json", "profile.yaml", "simulated.jsonl", "real.jsonl"}
	for i := range second.set {
		name := second.set[i].Scenario.Name
		files = append(files, "scenarios/"+name+".yaml", "histories/"+name+"-0.jsonl")
	}
	for _, name := range files {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// A run that was disturbed is repeated with another seed, and the report says so; if it is disturbed each time, the scenario
// does not count.
func TestTruthRepeatsWhatWasDisturbed(t *testing.T) {
	t.Parallel()
	const n = 4
	set := chosen(t, n)
	once, always := set[0].Scenario.Name, set[1].Scenario.Name
	b := &simulated{claimed: scenarios.Lab(), is: scenarios.Lab(), disturbed: map[string]int{once: 1, always: 100}}
	run := newTruth(t, t.TempDir(), n, b, nil)
	report, err := run.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if report.Measured != n-1 || report.Repeated != 1+2 || len(run.lines.Records) != n+3 {
		t.Errorf("%d measured, %d repeated, %d records", report.Measured, report.Repeated, len(run.lines.Records))
	}
	seeds := make(map[string]bool)
	for _, r := range run.lines.Records {
		seeds[fmt.Sprint(r.Scenario, r.Seed, r.Run)] = true
	}
	if len(seeds) != n+3 {
		t.Errorf("records of %v, want another run each time", seeds)
	}
	var text strings.Builder
	if err := report.WriteText(&text); err != nil || !strings.Contains(text.String(), "3 of 4, once each, on redis 0; 3 runs that did not count were repeated") {
		t.Errorf("error %v, report\n%s", err, text.String())
	}
}

// chosen is the set of n scenarios.
func chosen(t *testing.T, n int) []candidate {
	t.Helper()
	run := newTruth(t, t.TempDir(), n, nil, nil)
	if err := run.choose(t.Context()); err != nil {
		t.Fatal(err)
	}
	return run.set
}

// What was measured with another seed does not mix with what comes, and where nothing was measured nothing is resumed.
func TestTruthDoesNotResumeAnother(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := &simulated{claimed: scenarios.Lab(), is: scenarios.Lab()}
	if _, err := newTruth(t, dir, 3, b, nil).run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir, want string
		seed      uint64
	}{{dir, "another seed", 2}, {t.TempDir(), "no such file", 1}} {
		other := newTruth(t, c.dir, 3, b, func(t *Truth) { t.Resume, t.Seed = true, c.seed })
		_, err := other.run(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "leave out --resume to begin anew") {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// Of the scenarios, two of three have a spread, none takes too long, and their measured runs have seeds of their own.
func TestChoose(t *testing.T) {
	t.Parallel()
	const n = 30
	set := chosen(t, n)
	again := chosen(t, n)
	seeds := make(map[uint64]bool)
	spread := 0
	for i, c := range set {
		if c.hash != again[i].hash || c.Scenario.Name != again[i].Scenario.Name {
			t.Fatalf("scenario %d is %s, and then %s", i, c.Scenario.Name, again[i].Scenario.Name)
		}
		if c.end <= 0 || c.end > int64(time.Second) {
			t.Errorf("%s takes %v", c.Scenario.Name, time.Duration(c.end))
		}
		seeds[c.seed] = true
		if c.spread {
			spread++
		}
	}
	if len(set) != n || spread != 20 || len(seeds) != n {
		t.Errorf("%d scenarios, %d with a spread, %d seeds", len(set), spread, len(seeds))
	}
	short := newTruth(t, t.TempDir(), 3, nil, func(t *Truth) { t.Longest = time.Millisecond })
	if err := short.choose(t.Context()); err == nil || !strings.Contains(err.Error(), "--longest") {
		t.Errorf("error %v", err)
	}
}

// A wave holds scenarios of similar length, and never more workers than it may unless a single one has more.
func TestWaves(t *testing.T) {
	t.Parallel()
	set := chosen(t, 30)
	var all []*candidate
	for i := range set {
		all = append(all, &set[i])
	}
	for _, most := range []int{1, 4, 12, 1000} {
		count, last := 0, int64(0)
		for _, w := range wavesOf(all, most) {
			if w.workers() > most && len(w) > 1 {
				t.Errorf("at most %d: a wave of %d workers", most, w.workers())
			}
			for _, c := range w {
				if c.end < last {
					t.Errorf("at most %d: %s comes after a longer one", most, c.Scenario.Name)
				}
				count, last = count+1, c.end
			}
		}
		if count != len(set) {
			t.Errorf("at most %d: %d scenarios in waves, want %d", most, count, len(set))
		}
	}
	if waves := wavesOf(nil, 4); len(waves) != 0 || lengthOf(waves) != 0 {
		t.Errorf("waves of nothing: %v", waves)
	}
}
