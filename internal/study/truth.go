package study

import (
	"context"
	"fmt"
	"os"
	"time"

	"locklab/compare"
	"locklab/history"
	"locklab/realrun"
	"locklab/scenarios"
)

// A Truth asks how far predictions can be trusted: random scenarios are predicted for this machine and measured once each.
type Truth struct {
	Dir       string        // where everything goes
	Redis     string        // realrun.Auto or a URL
	Seed      uint64        // of the scenarios and all runs
	Scenarios int           // above 0
	Longest   time.Duration // no run is to take longer
	Runs      int           // simulated runs of each scenario under each profile
	Parallel  int           // as many worker processes at once as so many runs of two workers have; above 0
	Resume    bool          // go on with what is in Dir
	Progress  Progress
	Announce  func(TruthPlan) // called before the long work begins
}

// A TruthPlan is what a Truth is going to do.
type TruthPlan struct {
	Scenarios int
	Spread    int // of them, how many have a spread in their conflicts under lab
	Workers   int // of all
	Waves     int // of scenarios that are measured side by side
	AtOnce    int // the most workers of a wave
	Measured  int // scenarios that were measured already
	Predict   time.Duration
	Measure   time.Duration // both about
}

// truth is a Truth under way.
type truth struct {
	*Truth
	out     *folder
	bench   bench
	set     []candidate
	profile *scenarios.Profile
	lines   history.Lines // all cells and records
	spent   time.Duration // on trying out the set
	report  TruthReport
}

// Run carries the truth out. If something was measured, there is a report, also with an error: then of what was measured
// until that, and it is kept in Dir for a Truth that resumes.
func (t *Truth) Run(ctx context.Context) (report *TruthReport, err error) {
	run := truth{Truth: t}
	if err := run.open(); err != nil {
		return nil, err
	}
	session, err := realrun.Open(ctx, t.Redis)
	if err != nil {
		return nil, err
	}
	run.bench = redisBench{session}
	defer func() {
		if gone := session.Close(); err == nil {
			err = gone
		}
	}()
	return run.run(ctx)
}

func (t *truth) open() (err error) {
	if t.out, err = newFolder(t.Dir, historiesIn, scenariosIn); err != nil || t.Resume {
		return err
	}
	return t.out.forget(truthFiles...)
}

// run does everything on the bench.
func (t *truth) run(ctx context.Context) (*TruthReport, error) {
	defer t.Progress.End()
	for _, stage := range []func(context.Context) error{t.choose, t.calibrate, t.kept, t.predict} {
		if err := stage(ctx); err != nil {
			return nil, err
		}
	}
	failed := t.measure(ctx)
	if len(t.lines.Records) == 0 {
		return nil, failed
	}
	if err := t.conclude(ctx); failed == nil && err != nil {
		return nil, err
	}
	return &t.report, failed
}

// calibrate measures the machine under the load of the measurement, or reads what was measured of it.
func (t *truth) calibrate(ctx context.Context) (err error) {
	if t.Resume {
		t.profile, err = scenarios.LoadProfile(t.out.file(profileFile))
		if err != nil {
			return fmt.Errorf("resume %s: %w; leave out --resume to begin anew", t.Dir, err)
		}
		return nil
	}
	t.Progress.BeginFor("measure this machine", calibrateTime)
	if t.profile, err = t.bench.calibrate(ctx, t.Parallel); err != nil {
		return err
	}
	return t.out.write(profileFile, t.profile.YAML())
}

// kept takes what an earlier truth has left in the folder, if this one resumes it, and announces what is left to do.
func (t *truth) kept(context.Context) error {
	if t.Resume {
		if err := t.readKept(); err != nil {
			return fmt.Errorf("resume %s: %w; leave out --resume to begin anew", t.Dir, err)
		}
	}
	if t.Announce != nil {
		t.Announce(t.plan())
	}
	return nil
}

// readKept reads the cells and records that belong to this truth. Cells of others are computed anew; a record that belongs to
// none of the scenarios, or to another profile or store, is an error.
func (t *truth) readKept() error {
	scenario := make(map[string]bool)
	for i := range t.set {
		scenario[t.set[i].hash] = true
	}
	ideal := scenarios.Ideal()
	cells, err := t.out.readLines(simulatedFile)
	if err != nil {
		return err
	}
	for _, c := range cells.Cells {
		known := c.ProfileHash == t.profile.Hash() || c.ProfileHash == ideal.Hash()
		if known && scenario[c.ScenarioHash] && c.Seed == t.Seed && c.Runs == int64(t.Runs) {
			t.lines.Cells = append(t.lines.Cells, c)
		}
	}
	records, err := t.out.readLines(realFile)
	if err != nil {
		return err
	}
	for _, r := range records.Records {
		if !scenario[r.ScenarioHash] || r.ProfileHash != t.profile.Hash() || r.Store != t.bench.store() {
			return fmt.Errorf("%s: %s was measured with another seed or profile, or on another store", realFile, r.Scenario)
		}
	}
	t.lines.Records = records.Records
	return nil
}

// predict simulates every scenario under the machine's profile and under ideal.
func (t *truth) predict(ctx context.Context) error {
	ideal := scenarios.Ideal()
	done := make(map[[2]string]bool)
	for i := range t.lines.Cells {
		c := &t.lines.Cells[i]
		done[[2]string{c.ScenarioHash, c.ProfileHash}] = true
	}
	t.Progress.Begin("simulate", (2*len(t.set)-len(done))*t.Runs)
	for _, p := range []*scenarios.Profile{t.profile, &ideal} {
		prediction := Prediction{Profile: p, Seed: t.Seed, Runs: t.Runs, Done: t.Progress.Add}
		for i := range t.set {
			if done[[2]string{t.set[i].hash, p.Hash()}] {
				continue
			}
			cell, err := prediction.Predict(ctx, &t.set[i].Experiment)
			if err != nil {
				return err
			}
			t.lines.Cells = append(t.lines.Cells, *cell)
		}
	}
	return t.out.writeLines(simulatedFile, func(put func(any) error) error {
		for i := range t.lines.Cells {
			if err := put(&t.lines.Cells[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// usable reports whether a record is a measurement that compare counts.
func usable(r *history.Record) bool { return !r.Bounded }

// left are the scenarios without a usable measurement, and how often each was measured.
func (t *truth) left() (left []*candidate, reps map[string]int) {
	reps = make(map[string]int)
	has := make(map[string]bool)
	for i := range t.lines.Records {
		r := &t.lines.Records[i]
		reps[r.ScenarioHash]++
		has[r.ScenarioHash] = has[r.ScenarioHash] || usable(r)
	}
	for i := range t.set {
		if !has[t.set[i].hash] {
			left = append(left, &t.set[i])
		}
	}
	return left, reps
}

// mostReps is how often a scenario is measured at most, until a measurement is usable.
const mostReps = 3

// measure measures what is left, wave by wave, and keeps the runs of a wave as soon as it has ended.
func (t *truth) measure(ctx context.Context) error {
	records, err := os.OpenFile(t.out.file(realFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer records.Close()
	for range mostReps {
		left, reps := t.left()
		waves := wavesOf(left, 2*t.Parallel)
		t.Progress.Begin("measure on real Redis", int(lengthOf(waves)/time.Millisecond))
		for _, w := range waves {
			if err := t.play(ctx, w, reps, records); err != nil {
				return fmt.Errorf("measured %d of %d scenarios, kept in %s; --resume goes on: %w", len(t.set)-t.leftOver(), len(t.set), t.Dir, err)
			}
			t.Progress.Add(int(w.length() / time.Millisecond))
		}
	}
	return nil
}

func (t *truth) leftOver() int {
	left, _ := t.left()
	return len(left)
}

// conclude judges, explains and draws.
func (t *truth) conclude(ctx context.Context) error {
	calibration := compare.Calibrate(t.lines)
	t.report = t.newReport(&calibration)
	if ctx.Err() == nil {
		if err := t.explain(ctx, &calibration); err != nil {
			return err
		}
	}
	t.Progress.Begin("draw", 0)
	return t.keepReport()
}
