package study

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locklab/compare"
	"locklab/history"
	"locklab/realrun"
	"locklab/scenarios"
)

// The page of the whole lesson, of runs that were simulated a second time in the place of measured ones: every section with its
// table and its figure, nothing unexpected, and an answer for every way.
func TestPageOfTheWholeLesson(t *testing.T) {
	lab := scenarios.Lab()
	l := lesson{
		Lesson: &Lesson{Dir: t.TempDir(), All: true, Seed: 1, Runs: 30, Reps: 3, Scale: 1}, lab: &lab, session: new(realrun.Session),
		result: LessonResult{Profile: &lab},
	}
	var err error
	if l.out, err = newFolder(l.Dir, historiesIn); err != nil {
		t.Fatal(err)
	}
	if l.experiments, err = NewExperiments(l.names(), nil, 1); err != nil {
		t.Fatal(err)
	}
	crowds, err := contention([]int{2, 4}, 1)
	if err != nil {
		t.Fatal(err)
	}
	runTwice(t, l.experiments, &lab, 30, 3, &l.lines)
	runTwice(t, crowds, &lab, 5, 1, &l.contended)
	l.result.Rows = compare.Rows(l.lines, compare.Options{})
	if err := l.writePage(); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(l.Dir, "lesson.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sections {
		if _, err := os.Stat(filepath.Join(l.Dir, "section-"+s.figure+".svg")); err != nil || !strings.Contains(string(page), "## "+s.title) {
			t.Errorf("section %q: %v", s.title, err)
		}
	}
	for _, want := range []string{
		"| `lesson/balance-fenced` |", "| one atomic command (`lesson/atomic`) | 0.0 → 0.0 |", "no: damage in 100 % of the simulated runs", "no: somebody has to look",
		"| `lesson/optimistic` | 4 |", "![Damage, updates per second",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q on the page", want)
		}
	}
	if strings.Contains(string(page), "NO: ") || strings.Contains(string(page), "not measured") {
		t.Errorf("something is not as expected:\n%s", page)
	}
}

// runTwice simulates experiments into cells, and some runs with another seed into records as if they had been measured.
func runTwice(t *testing.T, experiments []*Experiment, p *scenarios.Profile, runs, reps int, lines *history.Lines) {
	t.Helper()
	simulated := Prediction{Profile: p, Seed: 1, Runs: runs}
	measured := Prediction{Profile: p, Seed: 2, Runs: reps, Each: func(r *history.Record) error {
		r.World = history.Real
		lines.Records = append(lines.Records, *r)
		return nil
	}}
	cells, err := simulated.PredictAll(context.Background(), experiments)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cells {
		lines.Cells = append(lines.Cells, *c)
	}
	if _, err := measured.PredictAll(context.Background(), experiments); err != nil {
		t.Fatal(err)
	}
}
