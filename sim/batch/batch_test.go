package batch_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim"
	"locklab/sim/batch"
)

// job is a batch of short runs of lesson/d.
func job(t testing.TB, seed uint64, runs int) batch.Job {
	t.Helper()
	s, err := scenarios.Builtin("lesson/d")
	if err != nil {
		t.Fatal(err)
	}
	if s, err = scenarios.Set(s, "rounds", "8"); err != nil {
		t.Fatal(err)
	}
	lab := scenarios.Lab()
	source := history.Source{Scenario: "lesson/d", World: history.Sim, Seed: seed}
	return batch.Job{World: sim.NewWorld(s, &lab), Source: source, Runs: runs}
}

// outcome carries a job out, and gives its records and its cell as JSON.
func outcome(t testing.TB, j batch.Job) (records []string, cell string) {
	t.Helper()
	j.Each = func(r *history.Record) error {
		records = append(records, marshal(t, r))
		return nil
	}
	c, err := batch.Run(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	return records, marshal(t, c)
}

func marshal(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The same job gives the same bytes, however many processors take part; with records or without.
func TestParallelismChangesNothing(t *testing.T) {
	const runs = 1000
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	records, cell := outcome(t, job(t, 1, runs))
	for _, n := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(n)
		again, c := outcome(t, job(t, 1, runs))
		if c != cell || !slices.Equal(again, records) {
			t.Errorf("GOMAXPROCS=%d: another result than with 1", n)
		}
		alone, err := batch.Run(context.Background(), job(t, 1, runs))
		if err != nil || marshal(t, alone) != cell {
			t.Errorf("GOMAXPROCS=%d: another cell without records, or error %v", n, err)
		}
	}
}

// A run is the same whatever the size of its batch: also one that is no multiple of a block.
func TestRunDoesNotDependOnTheBatch(t *testing.T) {
	all, _ := outcome(t, job(t, 1, 1000))
	for _, runs := range []int{1, 10, 63, 64, 65, 100, 129} {
		if some, _ := outcome(t, job(t, 1, runs)); !slices.Equal(some, all[:runs]) {
			t.Errorf("the records of %d runs are not the first of 1000", runs)
		}
	}
}

// The records come in order, and the cell is their sum; each run is the simulator's with the seed of its number.
func TestRecordsAndCellAreTheRuns(t *testing.T) {
	j := job(t, 5, 130)
	sum := history.NewCell(j.Source)
	single := j.World.NewRun()
	single.Waits = &history.Waits{}
	next := 0
	j.Each = func(r *history.Record) error {
		var hash history.Hash
		single.Observe = hash.Add
		single.Do(choice.RunSeed(5, uint64(next)))
		sum.Add(&single.Tally, single.Events, single.Bounded)
		if want := history.NewRecord(j.Source, next, &single.Tally, hash.Sum(), single.Events); marshal(t, r) != marshal(t, want) {
			t.Errorf("record %d is %s, want %s", next, marshal(t, r), marshal(t, want))
		}
		next++
		return nil
	}
	cell, err := batch.Run(context.Background(), j)
	sum.AddWaits(single.Waits)
	if err != nil || next != 130 || marshal(t, cell) != marshal(t, sum) {
		t.Errorf("error %v, %d records, cell %s, want %s", err, next, marshal(t, cell), marshal(t, sum))
	}
}

func TestSeedsDiffer(t *testing.T) {
	seen := make(map[string]bool)
	for seed := range uint64(5) {
		records, _ := outcome(t, job(t, seed, 2))
		for _, r := range records {
			var record history.Record
			if err := json.Unmarshal([]byte(r), &record); err != nil || seen[record.HistoryHash] {
				t.Errorf("seed %d, error %v: history %s came up before", seed, err, record.HistoryHash)
			}
			seen[record.HistoryHash] = true
		}
	}
}

func TestNoRuns(t *testing.T) {
	if records, cell := outcome(t, job(t, 1, 0)); len(records) != 0 || cell != marshal(t, history.NewCell(job(t, 1, 0).Source)) {
		t.Errorf("%d records, cell %s", len(records), cell)
	}
}

func TestDoneIsToldOfEveryRun(t *testing.T) {
	var done atomic.Int64
	j := job(t, 1, 130)
	j.Done = func(runs int) { done.Add(int64(runs)) }
	if outcome(t, j); done.Load() != 130 {
		t.Errorf("told of %d runs", done.Load())
	}
}

// An error of Each ends the batch, and no record comes after it.
func TestErrorOfEachEndsTheBatch(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	full := errors.New("the disk is full")
	j := job(t, 1, 1_000_000)
	calls := 0
	j.Each = func(r *history.Record) error {
		if calls++; r.Run == 200 {
			time.Sleep(5 * time.Millisecond) // until others wait for their turn
			return full
		}
		return nil
	}
	if cell, err := batch.Run(context.Background(), j); !errors.Is(err, full) || cell != nil || calls != 201 {
		t.Errorf("error %v, %d records, cell %v", err, calls, cell)
	}
}

// A context that ends, ends the batch with its cause: at once or in the midst, with records or without.
func TestContextEndsTheBatch(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	stop := errors.New("interrupted")
	for _, after := range []int64{0, 200} {
		for _, withRecords := range []bool{false, true} {
			ctx, cancel := context.WithCancelCause(context.Background())
			if after == 0 {
				cancel(stop)
			}
			j := job(t, 1, 1_000_000)
			var done atomic.Int64
			j.Done = func(runs int) {
				if done.Add(int64(runs)) > after {
					cancel(stop)
				}
			}
			if withRecords {
				j.Each = func(*history.Record) error { return nil }
			}
			if cell, err := batch.Run(ctx, j); !errors.Is(err, stop) || cell != nil || done.Load() > after+1000 {
				t.Errorf("after %d, records %v: error %v, %d runs done, cell %v", after, withRecords, err, done.Load(), cell)
			}
		}
	}
}
