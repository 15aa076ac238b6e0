package sim_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim"
	"locklab/sim/batch"
)

// records are those of a batch of runs with seed 1.
func records(t *testing.T, s *scenarios.Scenario, p *scenarios.Profile, runs int) []history.Record {
	t.Helper()
	var all []history.Record
	job := batch.Job{World: sim.NewWorld(s, p), Source: history.Source{World: history.Sim, Seed: 1}, Runs: runs}
	job.Each = func(r *history.Record) error { all = append(all, *r); return nil }
	if _, err := batch.Run(context.Background(), job); err != nil {
		t.Fatal(err)
	}
	return all
}

func conflicts(r *history.Record) int64 { return r.Conflicts }
func lostHolds(r *history.Record) int64 { return r.LostHolds }

// spread gives the mean, the least and the greatest of a count.
func spread(all []history.Record, count func(*history.Record) int64) (mean float64, least, most int64) {
	var sum int64
	least = count(&all[0])
	for i := range all {
		n := count(&all[i])
		sum += n
		least, most = min(least, n), max(most, n)
	}
	return float64(sum) / float64(len(all)), least, most
}

// The numbers to reach: conflicts of 80 entries, on average of 1000 runs under lab.
func TestNumbersOfTheLessonUnderLab(t *testing.T) {
	lab := scenarios.Lab()
	for _, test := range []struct {
		name     string
		from, to float64 // the mean
		exact    bool    // in every run
	}{
		{"lesson/a", 40, 46, false},
		{"lesson/b", 0, 0, true},
		{"lesson/c", 79, 79, true},
		{"lesson/d", 29, 32, false},
		{"lesson/e", 14, 16, false},
	} {
		all := records(t, builtin(t, test.name), &lab, 1000)
		mean, least, most := spread(all, conflicts)
		if mean < test.from || mean > test.to || test.exact && least != most {
			t.Errorf("%s: %.2f conflicts, from %d to %d; want %v to %v", test.name, mean, least, most, test.from, test.to)
		}
		for _, r := range all {
			if r.Entries != 80 || r.GaveUp != 0 || r.Bounded {
				t.Fatalf("%s, run %d: %d entries, gave up %d times", test.name, r.Run, r.Entries, r.GaveUp)
			}
			if rejects := test.name == "lesson/e"; rejects && r.RejectedWrites != r.Conflicts || !rejects && r.RejectedWrites != 0 {
				t.Fatalf("%s, run %d: %d conflicts, %d rejected writes", test.name, r.Run, r.Conflicts, r.RejectedWrites)
			}
		}
	}
}

func TestNumbersOfTheLessonUnderIdeal(t *testing.T) {
	ideal := scenarios.Ideal()
	for name, want := range map[string]int64{"lesson/a": 40, "lesson/b": 0, "lesson/c": 79, "lesson/d": 38, "lesson/e": 10} {
		if _, least, most := spread(records(t, builtin(t, name), &ideal, 200), conflicts); least != want || most != want {
			t.Errorf("%s: from %d to %d conflicts, want %d", name, least, most, want)
		}
	}
}

// Without a lock there are two pictures: in lockstep every second entry is a conflict, apart all but the first are.
func TestTwoModesWithoutALock(t *testing.T) {
	lab := scenarios.Lab()
	modes := make(map[int64]int)
	for _, r := range records(t, builtin(t, "lesson/a", "start.spread=50ms"), &lab, 1000) {
		modes[r.Conflicts]++
	}
	if modes[40] < 150 || modes[79] < 400 {
		t.Errorf("runs by their conflicts: %v; want two modes, 40 and 79", modes)
	}
	for n, runs := range modes {
		if n < 40 || n > 79 || n != 40 && n != 79 && runs > 50 {
			t.Errorf("%d runs have %d conflicts", runs, n)
		}
	}
}

// The lab's first mistake: the lock fails about 20 times, and nearly no conflict shows it.
func TestWorkTooShort(t *testing.T) {
	lab := scenarios.Lab()
	all := records(t, builtin(t, "lesson/work-too-short"), &lab, 1000)
	hidden, _, _ := spread(all, conflicts)
	lost, _, _ := spread(all, lostHolds)
	if hidden > 2 || lost < 18 || lost > 21 {
		t.Errorf("%.2f conflicts, %.2f lost holds", hidden, lost)
	}
}

// With a TTL shorter than the work, whoever waits is inside before the holder has left: all entries but the first are
// conflicts, and every hold is lost. One worker alone has nobody to conflict with.
func TestClosedForms(t *testing.T) {
	for _, profile := range []scenarios.Profile{scenarios.Lab(), scenarios.Ideal()} {
		for _, rounds := range []int64{1, 2, 7, 40} {
			set := fmt.Sprintf("rounds=%d", rounds)
			for _, r := range records(t, builtin(t, "lesson/c", set), &profile, 50) {
				if r.Conflicts != 2*rounds-1 || r.LostHolds != 2*rounds {
					t.Errorf("lesson/c under %s, %d rounds: %d conflicts, %d lost holds", profile.Name, rounds, r.Conflicts, r.LostHolds)
				}
			}
			for _, r := range records(t, builtin(t, "lesson/b", set, "workers=1"), &profile, 50) {
				if r.Conflicts != 0 || r.Refused != 0 || r.OverlapNS != 0 || r.Waits != rounds {
					t.Errorf("one worker alone under %s, %d rounds: %+v", profile.Name, rounds, r)
				}
			}
		}
	}
}

// A run allocates nothing once the space for it is there.
func TestRunDoesNotAllocate(t *testing.T) {
	lab := scenarios.Lab()
	for _, name := range scenarios.Names() {
		r := sim.NewWorld(builtin(t, name), &lab).NewRun()
		seed := uint64(0)
		if n := testing.AllocsPerRun(100, func() { seed++; r.Do(choice.RunSeed(1, seed)) }); n != 0 {
			t.Errorf("%s: %v allocations a run", name, n)
		}
	}
}

// The space of a run keeps nothing of the run before.
func TestRunAfterRun(t *testing.T) {
	lab := scenarios.Lab()
	for _, name := range scenarios.Names() {
		s := builtin(t, name)
		used := sim.NewWorld(s, &lab).NewRun()
		used.Do(99)
		for seed := range uint64(5) {
			_, fresh := run(s, &lab, seed)
			if used.Do(seed); used.Tally != fresh.Tally || used.Events != fresh.Events || used.Bounded {
				t.Errorf("%s, seed %d: %+v in used space, %+v in fresh", name, seed, used.Tally, fresh.Tally)
			}
		}
	}
}

// The reference cell's three cases, as two loops written by hand for just that work have them: conflicts of 80
// entries and events, on average.
func TestNumbersOfTheReferenceCell(t *testing.T) {
	for _, test := range []struct {
		name              string
		ttl, pause        int64
		conflicts, events float64
		within            float64 // of the conflicts
	}{
		{"a", 1000, 0, 0, 2948, 0},
		{"b", 200, 0, 79, 2144, 0},
		{"c", 1000, 1200, 2.47, 2632, 0.05},
	} {
		const runs = 20_000
		run := referenceCell(test.ttl, test.pause).NewRun()
		var conflicts, events, squares float64
		for i := range uint64(runs) {
			run.Do(choice.RunSeed(1, i))
			conflicts += float64(run.Tally.Conflicts)
			events += float64(run.Events)
			squares += float64(run.Events) * float64(run.Events)
		}
		conflicts, events = conflicts/runs, events/runs
		error3 := 3 * math.Sqrt((squares/runs-events*events)/runs)
		if math.Abs(conflicts-test.conflicts) > test.within || math.Abs(events-test.events) > error3+1 {
			t.Errorf("case %s: %.3f conflicts, want %v; %.1f ± %.1f events, want %v", test.name, conflicts, test.conflicts, events, error3, test.events)
		}
		t.Logf("case %s: %.3f conflicts, %.1f ± %.1f events", test.name, conflicts, events, error3)
	}
}
