package study

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"locklab/compare"
	"locklab/history"
	"locklab/plots"
	"locklab/plots/page"
	"locklab/realrun"
	"locklab/realrun/calibrate"
	"locklab/scenarios"
)

// lessonNames are the experiments of the lesson, if it is not the whole.
var lessonNames = []string{"lesson/a", "lesson/b", "lesson/c", "lesson/d", "lesson/e"}

// A Lesson is the main job: the five experiments predicted, measured, compared and drawn.
type Lesson struct {
	Dir      string // where everything goes
	All      bool   // all sections of the lesson, not the five experiments alone
	Redis    string // realrun.Auto or a URL
	Seed     uint64
	Runs     int // simulated runs of each experiment under each profile
	Reps     int // measured repetitions of each experiment
	Parallel int // measured runs side by side; 0 for all
	Scale    float64
	Progress Progress
}

// Progress is told how far a long job has come.
type Progress interface {
	// Begin begins a stage of the given number of parts; the stage before has ended.
	Begin(stage string, parts int)
	// BeginFor begins a stage that will take about so long.
	BeginFor(stage string, d time.Duration)
	// Add says that so many parts are done. It may be called from any goroutine.
	Add(parts int)
	// End ends the last stage.
	End()
}

// LessonResult is what came of a lesson.
type LessonResult struct {
	Rows        []compare.Row
	Missing     []Missing // runs that could not be measured
	Experiments int
	Profile     *scenarios.Profile
}

// lesson is a Lesson under way.
type lesson struct {
	*Lesson
	out         *folder
	experiments []*Experiment
	session     *realrun.Session
	result      LessonResult
	lines       history.Lines // all cells and records
	contended   history.Lines // of the contention, if there is one
	sections    []plots.Figure
	lab         *scenarios.Profile
	measured    []page.Run
}

// Run carries the lesson out. Whatever was measured before an error or the end of ctx is kept in Dir.
func (l *Lesson) Run(ctx context.Context) (result *LessonResult, err error) {
	defer l.Progress.End()
	lab := scenarios.Lab()
	run := lesson{Lesson: l, lab: &lab}
	if run.out, err = newFolder(l.Dir, historiesIn); err != nil {
		return nil, err
	}
	if err := run.out.forget(historiesIn + "/lesson-*.jsonl"); err != nil {
		return nil, err
	}
	if run.experiments, err = NewExperiments(l.names(), nil, l.Scale); err != nil {
		return nil, err
	}
	if run.session, err = realrun.Open(ctx, l.Redis); err != nil {
		return nil, err
	}
	run.result.Experiments = len(run.experiments)
	defer func() {
		if gone := run.session.Close(); err == nil {
			err = gone
		}
	}()
	parts := []func(context.Context) error{run.calibrate, run.predict, run.measure}
	if l.All {
		parts = append(parts, run.contend)
	}
	for _, part := range parts {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	l.Progress.Begin("draw", 0)
	return &run.result, run.conclude()
}

// names are the scenarios of the lesson.
func (l *Lesson) names() []string {
	if !l.All {
		return lessonNames
	}
	var names []string
	for _, x := range lessonScenarios() {
		names = append(names, x.name)
	}
	return names
}

// calibrateTime is about how long a calibration takes.
const calibrateTime = 4 * time.Second

func (l *lesson) calibrate(ctx context.Context) (err error) {
	l.Progress.BeginFor("measure this machine", calibrateTime)
	stores := 1
	for _, e := range l.experiments {
		stores = max(stores, e.Scenario.Lock.Stores())
	}
	if err := l.session.Provide(ctx, stores); err != nil {
		return err
	}
	if l.result.Profile, err = calibrate.Machine(ctx, l.session, l.measurement().Side(len(l.experiments))); err != nil {
		return err
	}
	return l.out.write("profile.yaml", l.result.Profile.YAML())
}

// predict simulates under the lab's profile what was published, and everything under the machine's.
func (l *lesson) predict(ctx context.Context) error {
	published := slices.DeleteFunc(slices.Clone(l.experiments), func(e *Experiment) bool { return e.Scenario.Published == nil })
	l.Progress.Begin("simulate", (len(published)+len(l.experiments))*l.Runs)
	for _, under := range []struct {
		profile     *scenarios.Profile
		experiments []*Experiment
	}{{l.lab, published}, {l.result.Profile, l.experiments}} {
		prediction := Prediction{Profile: under.profile, Seed: l.Seed, Runs: l.Runs, Done: l.Progress.Add}
		cells, err := prediction.PredictAll(ctx, under.experiments)
		if err != nil {
			return err
		}
		for _, c := range cells {
			l.lines.Cells = append(l.lines.Cells, *c)
		}
	}
	return l.out.writeLines("simulated.jsonl", func(put func(any) error) error {
		return putAll(put, &history.Lines{Cells: l.lines.Cells})
	})
}

// manySide is how many runs of the whole lesson go side by side if nobody says: as many as there are long scenarios, so that one
// repetition of all of them is a wave, and none of them is measured beside fewer than the others.
const manySide = 12

// measurement is the measurement of the experiments, but for what becomes of its runs.
func (l *lesson) measurement() *Measurement {
	parallel := l.Parallel
	if l.All && parallel == 0 {
		parallel = manySide
	}
	return &Measurement{Profile: l.result.Profile, Seed: l.Seed, Reps: l.Reps, Parallel: parallel, Repeats: 1}
}

// measure replays the experiments on real Redis, and keeps the runs of a wave as soon as it has ended.
func (l *lesson) measure(ctx context.Context) error {
	m := l.measurement()
	m.Stage = l.Progress.BeginFor
	records, err := l.out.create("real.jsonl")
	if err != nil {
		return err
	}
	defer records.Close()
	measured := 0
	m.Each = func(run Measured) error {
		l.lines.Records = append(l.lines.Records, run.Record)
		l.measured = append(l.measured, measuredRun(l.experiments[run.Experiment], &run))
		if !run.Record.Disturbed {
			measured++
		}
		if err := history.WriteLine(records, &run.Record); err != nil {
			return err
		}
		return l.out.writeHistory(&run)
	}
	l.result.Missing, err = m.Measure(ctx, l.session, l.experiments)
	if err != nil {
		return fmt.Errorf("measured %d of %d runs, kept in %s: %w", measured, l.Reps*len(l.experiments), records.Name(), err)
	}
	return nil
}

// conclude compares and draws.
func (l *lesson) conclude() error {
	l.result.Rows = compare.Rows(l.lines, compare.Options{Wanted: l.Reps})
	if err := l.out.writeRows(l.result.Rows); err != nil {
		return err
	}
	figures, err := l.draw()
	if err != nil {
		return err
	}
	for _, name := range []string{"lesson/d", "lesson/e"} {
		if err := l.timeline(name); err != nil {
			return err
		}
	}
	return l.report(figures)
}

// draw draws the figures: of the whole lesson, with so many scenarios, one for each section, on a page of their own.
func (l *lesson) draw() ([]plots.Figure, error) {
	if l.All {
		err := l.writePage()
		return l.sections, err
	}
	figures, err := plots.Figures(l.lines, plots.Options{Captions: captions(l.experiments)})
	if err != nil {
		return nil, err
	}
	for _, f := range figures {
		if err := l.out.draw(f, f.Name); err != nil {
			return nil, err
		}
	}
	return figures, nil
}

// report writes the page.
func (l *lesson) report(figures []plots.Figure) error {
	p := ComparisonPage("The lesson, predicted and measured", l.result.Rows, figures, l.runs())
	return l.out.writePage(ReportFile, p)
}

// runs are those of the page: of each experiment one under the lab's profile, the measured ones, and one under the machine's.
func (l *lesson) runs() []page.Run {
	var runs []page.Run
	for _, e := range l.experiments {
		under := func(p *scenarios.Profile) page.Run { return SimulatedRun(e, p, l.Seed, 0, Trace(e, p, l.Seed, 0)) }
		runs = append(runs, under(l.lab))
		for _, m := range l.measured {
			if m.Scenario == e.Scenario.Name {
				runs = append(runs, m)
			}
		}
		runs = append(runs, under(l.result.Profile))
	}
	return InTurn(runs)
}

// timeline draws the first zombie of an experiment's first run under the lab's profile.
func (l *lesson) timeline(name string) error {
	e := l.experiments[slices.Index(l.names(), name)]
	traced := Trace(e, l.lab, l.Seed, 0)
	figures, err := plots.Figures(history.Lines{Events: traced.Events}, plots.Options{Title: name + ": " + e.Scenario.Title})
	if err != nil {
		return err
	}
	return l.out.draw(figures[0], "timeline-"+filepath.Base(name))
}
