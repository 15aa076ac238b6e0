package batch_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"locklab/history"
	"locklab/scenarios"
	"locklab/sim"
	"locklab/sim/batch"

	"pgregory.net/rapid"
)

// worlds are those of a few cells: short runs of lesson/d with different TTLs.
func worlds(t testing.TB, cells int) []*sim.World {
	t.Helper()
	s, err := scenarios.Builtin("lesson/d")
	if err != nil {
		t.Fatal(err)
	}
	lab := scenarios.Lab()
	var all []*sim.World
	for i := range cells {
		changed, _, err := scenarios.SetAll(s, []string{"rounds=5", fmt.Sprintf("lock.ttl=%dms", 400+200*i)})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sim.NewWorld(changed, &lab))
	}
	return all
}

func source(cell int) history.Source {
	return history.Source{Scenario: fmt.Sprintf("cell %d", cell), World: history.Sim, Seed: 3}
}

// gridOf is a grid of the worlds that does not pass on anything yet.
func gridOf(all []*sim.World, rule batch.Rule, records bool) *batch.Grid {
	return &batch.Grid{
		Cells: len(all), Rule: rule, Records: records,
		Cell: func(i int) (*sim.World, history.Source, error) { return all[i], source(i), nil },
	}
}

// put carries a grid out, and gives what it passes on, as JSON.
func put(t testing.TB, g *batch.Grid) (lines []string) {
	t.Helper()
	g.Put = func(p *batch.Part) error {
		for i := range p.Records {
			lines = append(lines, marshal(t, p.Records[i]))
		}
		if p.Cell != nil {
			lines = append(lines, marshal(t, p.Cell))
		}
		return nil
	}
	if err := g.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return lines
}

// A grid gives what its cells give one by one, each with the same seeds, in order, however many processors take part.
func TestGridIsItsCells(t *testing.T) {
	all := worlds(t, 7)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rapid.Check(t, func(rt *rapid.T) {
		runtime.GOMAXPROCS(rapid.IntRange(1, 5).Draw(rt, "processors"))
		some := all[:rapid.IntRange(0, 7).Draw(rt, "cells")]
		rule := batch.Rule{Runs: rapid.Int64Range(0, 150).Draw(rt, "runs")}
		records := rapid.Bool().Draw(rt, "records")
		got := put(t, gridOf(some, rule, records))
		var want []string
		for i, world := range some {
			job := batch.Job{World: world, Source: source(i), Runs: int(rule.Runs)}
			lines, cell := outcome(t, job)
			if records {
				want = append(want, lines...)
			}
			want = append(want, cell)
		}
		if !slices.Equal(got, want) {
			rt.Fatalf("%d cells with %d runs, records %v: other lines than cell by cell", len(some), rule.Runs, records)
		}
	})
}

// With a precision a cell has the first batches that make its interval narrow enough, and no more, whatever cells are beside it
// and however many processors look ahead.
func TestPrecision(t *testing.T) {
	all := worlds(t, 6)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, rule := range []batch.Rule{
		{Precision: 0.02, MostRuns: 100_000}, {Precision: 0.01, MostRuns: 700}, {Precision: 0.02, MostRuns: 650}, {Precision: 0.99, MostRuns: 1},
	} {
		var want []string
		for i, world := range all {
			want = append(want, precise(t, world, source(i), rule))
		}
		for _, processors := range []int{1, 2, 7} {
			runtime.GOMAXPROCS(processors)
			if got := put(t, gridOf(all, rule, false)); !slices.Equal(got, want) {
				t.Errorf("%+v, %d processors:\n%s\nwant\n%s", rule, processors, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			for i := range all { // alone
				if got := put(t, gridOf(all[i:i+1], rule, false)); !strings.Contains(got[0], fmt.Sprintf(`"runs":%d,`, runsOf(t, want[i]))) {
					t.Errorf("%+v, %d processors: cell %d alone has other runs", rule, processors, i)
				}
			}
		}
	}
}

func runsOf(t *testing.T, cell string) int64 {
	t.Helper()
	lines, err := history.ReadLines(strings.NewReader(cell))
	if err != nil {
		t.Fatal(err)
	}
	return lines.Cells[0].Runs
}

// precise is the cell of a rule with a precision, batch by batch with nothing clever.
func precise(t *testing.T, world *sim.World, source history.Source, rule batch.Rule) string {
	t.Helper()
	most := max(rule.MostRuns, 100)
	for runs := int64(100); ; runs += 100 {
		cell, err := batch.Run(context.Background(), batch.Job{World: world, Source: source, Runs: int(min(runs, most))})
		if err != nil {
			t.Fatal(err)
		}
		if runs >= most || cell.ConflictRate().Width() <= rule.Precision {
			return marshal(t, cell)
		}
	}
}

// The records of batches that were tried and not needed are not passed on.
func TestPrecisionWithRecords(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(7))
	lines := put(t, gridOf(worlds(t, 2), batch.Rule{Precision: 0.02, MostRuns: 100_000}, true))
	records := int64(0)
	for _, line := range lines {
		if strings.HasPrefix(line, `{"kind":"run"`) {
			records++
			continue
		}
		if runs := runsOf(t, line); runs != records {
			t.Errorf("%d records before a cell of %d runs", records, runs)
		}
		records = 0
	}
}

// Without hashes the records are the same but for them.
func TestRecordsWithoutHash(t *testing.T) {
	all, rule := worlds(t, 2), batch.Rule{Runs: 30}
	hash := regexp.MustCompile(`"history_hash":"[0-9a-f]*"`)
	var want []string
	for _, line := range put(t, gridOf(all, rule, true)) {
		want = append(want, hash.ReplaceAllString(line, `"history_hash":""`))
	}
	g := gridOf(all, rule, true)
	g.NoHash = true
	if got := put(t, g); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got[0], want[0])
	}
}

// What a grid passes on until it ends early are the first of its lines.
func TestGridEndsEarly(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	all := worlds(t, 12)
	rule := batch.Rule{Runs: 130}
	want := put(t, gridOf(all, rule, true))
	failed := errors.New("failed")
	for what, spoil := range map[string]func(g *batch.Grid, cancel context.CancelCauseFunc){
		"a cell that cannot be made": func(g *batch.Grid, _ context.CancelCauseFunc) {
			make := g.Cell
			g.Cell = func(i int) (*sim.World, history.Source, error) {
				if i == 9 {
					return nil, history.Source{}, failed
				}
				return make(i)
			}
		},
		"a part that cannot be encoded": func(g *batch.Grid, _ context.CancelCauseFunc) {
			var parts atomic.Int64
			g.Encode = func(*batch.Part) error {
				if parts.Add(1) == 7 {
					return failed
				}
				return nil
			}
		},
		"the end of the context": func(g *batch.Grid, cancel context.CancelCauseFunc) {
			var runs atomic.Int64
			g.Done = func(n int) {
				if runs.Add(int64(n)) > 500 {
					cancel(failed)
				}
			}
		},
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		g := gridOf(all, rule, true)
		var got []string
		g.Put = func(p *batch.Part) error {
			for i := range p.Records {
				got = append(got, marshal(t, p.Records[i]))
			}
			if p.Cell != nil {
				got = append(got, marshal(t, p.Cell))
			}
			return nil
		}
		spoil(g, cancel)
		if err := g.Run(ctx); !errors.Is(err, failed) || len(got) >= len(want) || !slices.Equal(got, want[:len(got)]) {
			t.Errorf("%s: error %v, %d lines, which are not the first of %d", what, err, len(got), len(want))
		}
	}
}

// While a slow reader keeps the first part, few cells are opened: a grid needs little memory, however large it is.
func TestGridWaitsForASlowReader(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	world := worlds(t, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		var opened atomic.Int64
		slow, stop := make(chan bool), errors.New("stop")
		g := &batch.Grid{
			Cells: 1_000_000, Rule: batch.Rule{Runs: 1},
			Cell: func(i int) (*sim.World, history.Source, error) {
				opened.Add(1)
				return world, source(i), nil
			},
			Put: func(*batch.Part) error {
				<-slow
				return stop
			},
		}
		ended := make(chan error)
		go func() { ended <- g.Run(context.Background()) }()
		synctest.Wait() // all goroutines wait for the reader, or for each other
		if n := opened.Load(); n < 2 || n > 100 {
			t.Errorf("%d cells were opened before the first was passed on", n)
		}
		close(slow)
		if err := <-ended; !errors.Is(err, stop) {
			t.Errorf("error %v", err)
		}
	})
}

// A first cell that is late holds up the others as soon as their parts are large, and then goes on alone, block by block.
func TestGridHoldsFewLargeParts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	all := worlds(t, 30)
	want := put(t, gridOf(all, batch.Rule{Runs: 3}, false))
	synctest.Test(t, func(t *testing.T) {
		var opened atomic.Int64
		cells := 0
		late := make(chan bool)
		g := gridOf(all, batch.Rule{Runs: 3}, true)
		made := g.Cell
		g.Cell = func(i int) (*sim.World, history.Source, error) {
			if opened.Add(1); i == 0 {
				<-late
			}
			return made(i)
		}
		g.Encode = func(p *batch.Part) error {
			p.Text = make([]byte, 8<<20)
			return nil
		}
		g.Put = func(p *batch.Part) error {
			if p.Cell != nil {
				if got := marshal(t, p.Cell); got != want[cells] {
					t.Errorf("cell %d is %s, want %s", cells, got, want[cells])
				}
				cells++
			}
			return nil
		}
		ended := make(chan error)
		go func() { ended <- g.Run(context.Background()) }()
		synctest.Wait()
		if n := opened.Load(); n < 2 || n > 5 {
			t.Errorf("%d cells of 16 MiB were opened while the first was late", n)
		}
		close(late)
		if err := <-ended; err != nil || cells != len(all) {
			t.Errorf("%d cells, error %v", cells, err)
		}
	})
}
