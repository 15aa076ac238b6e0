package sim_test

import (
	"strconv"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim"
	"locklab/worker"
	"locklab/worker/lock"
)

// BenchmarkRun shows the time per run and per event of the built-in scenarios; a run must not allocate.
func BenchmarkRun(b *testing.B) {
	for _, name := range scenarios.Names() {
		b.Run(name, func(b *testing.B) {
			s, err := scenarios.Builtin(name)
			if err != nil {
				b.Fatal(err)
			}
			lab := scenarios.Lab()
			measure(b, sim.NewWorld(s, &lab).NewRun())
		})
	}
}

// referenceCell is the cell by which the simulator's speed is judged: two workers without think time, who retry every
// 20 ms ± 50 %; worker 0 is stopped for the given pause after every grant. Commands take 0.1 to 0.3 ms each way.
func referenceCell(ttl, pause int64) *sim.World { return crowd(2, 40, ttl, pause) }

// crowd is the reference cell with any number of workers and rounds.
func crowd(workers int, rounds int32, ttl, pause int64) *sim.World {
	const ms = 1_000_000
	s := &scenarios.Scenario{Workers: workers, Plan: worker.Plan{
		Rounds: rounds, Work: choice.Const(300 * ms),
		Lock: lock.Policy{Kind: lock.Single, TTL: ttl * ms, Retry: lock.Retry{
			Every: choice.Law{Kind: choice.Uniform, A: 10 * ms, B: 30 * ms},
		}},
	}}
	if pause > 0 {
		s.Pauses = []worker.Pause{{Where: worker.Before, Step: history.Enter, For: choice.Const(pause * ms), Every: 1, Workers: []int32{0}}}
	}
	each := choice.Law{Kind: choice.Uniform, A: ms / 10, B: 3 * ms / 10}
	return sim.NewWorld(s, &scenarios.Profile{Network: scenarios.Network{AfterSleep: each, AfterReply: each}})
}

// BenchmarkReferenceCell shows the time per run and per event of the reference cell's three cases.
func BenchmarkReferenceCell(b *testing.B) {
	for _, c := range []struct {
		name       string
		ttl, pause int64
	}{{"a", 1000, 0}, {"b", 200, 0}, {"c", 1000, 1200}} {
		b.Run(c.name, func(b *testing.B) {
			measure(b, referenceCell(c.ttl, c.pause).NewRun())
		})
	}
}

// BenchmarkWorkers shows how the time per event grows with the number of workers, in case a of the reference cell.
func BenchmarkWorkers(b *testing.B) {
	for _, workers := range []int{2, 10, 100, 1000} {
		b.Run(strconv.Itoa(workers), func(b *testing.B) {
			measure(b, crowd(workers, 4, 1000, 0).NewRun())
		})
	}
}

// BenchmarkMeasured shows lesson/d under a profile like a measured one.
func BenchmarkMeasured(b *testing.B) {
	s, err := scenarios.Builtin("lesson/d")
	if err != nil {
		b.Fatal(err)
	}
	p := measuredProfile()
	measure(b, sim.NewWorld(s, &p).NewRun())
}

// BenchmarkStepwise shows case a of the reference cell one event at a time, as a run that is observed takes place.
func BenchmarkStepwise(b *testing.B) {
	r := referenceCell(1000, 0).NewRun()
	r.Observe = func(*history.Event) {}
	measure(b, r)
}

// measure shows the time per run and per event; a run must not allocate.
func measure(b *testing.B, r *sim.Run) {
	b.ReportAllocs()
	var events int64
	for i := uint64(0); b.Loop(); i++ {
		r.Do(i)
		events += r.Events
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
}
