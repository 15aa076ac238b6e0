package oracle

import (
	"context"
	"flag"
	"math"
	"runtime"
	"sync"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim"
	"locklab/sim/batch"
	"locklab/worker"
	"locklab/worker/lock"
)

const ms = 1_000_000

var agreeRuns = flag.Int("agree-runs", 0, "runs of each kind that are compared; 0 for 10,000, or 2000 with -short")

func runsToCompare() int {
	switch {
	case *agreeRuns > 0:
		return *agreeRuns
	case testing.Short():
		return 2000
	}
	return 10_000
}

// A sample is what came of many runs of one of the two implementations.
type sample struct {
	conflicts, rejected, events []int64
	ends                        []float64 // ms
}

func newSample(n int) sample {
	return sample{make([]int64, n), make([]int64, n), make([]int64, n), make([]float64, n)}
}

// plainSample runs the plain implementation.
func plainSample(c plainCase, runs int) sample {
	s := newSample(runs)
	var wg sync.WaitGroup
	processors := runtime.GOMAXPROCS(0)
	for p := range processors {
		wg.Go(func() {
			for i := p; i < runs; i += processors {
				r := plainly(c, uint64(i))
				s.conflicts[i], s.rejected[i], s.events[i], s.ends[i] = int64(r.conflicts), int64(r.rejected), int64(r.events), r.end
			}
		})
	}
	wg.Wait()
	return s
}

// simulatedSample runs the simulator.
func simulatedSample(t *testing.T, scenario *scenarios.Scenario, p *scenarios.Profile, runs int) sample {
	t.Helper()
	s := newSample(runs)
	job := batch.Job{World: sim.NewWorld(scenario, p), Source: history.Source{World: history.Sim, Seed: 1}, Runs: runs}
	job.Each = func(r *history.Record) error {
		s.conflicts[r.Run], s.rejected[r.Run], s.events[r.Run], s.ends[r.Run] = r.Conflicts, r.RejectedWrites, *r.Events, float64(r.EndNS)/ms
		return nil
	}
	if _, err := batch.Run(context.Background(), job); err != nil {
		t.Fatal(err)
	}
	return s
}

func builtin(t testing.TB, name string, set ...string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	if s, _, err = scenarios.SetAll(s, set); err != nil {
		t.Fatal(err)
	}
	return s
}

func plainLesson(change func(*plainCase)) plainCase {
	c := plainCase{locked: true, ttl: 1000, work: 300, think: 10, startWithin: 2, retryFrom: 25, retryTo: 25, lateOnAverage: 0.5}
	change(&c)
	return c
}

// The simulator and the plain implementation agree on the lesson under lab: conflicts and rejected writes (chi squared),
// ends of runs (Kolmogorov-Smirnov), both at 0.1 %, and the mean number of events within three standard errors.
func TestSimulatorAgreesWithAPlainOne(t *testing.T) {
	lab, runs := scenarios.Lab(), runsToCompare()
	for _, test := range []struct {
		name  string
		plain plainCase
	}{
		{"lesson/a", plainLesson(func(c *plainCase) { c.locked = false })},
		{"lesson/b", plainLesson(func(*plainCase) {})},
		{"lesson/c", plainLesson(func(c *plainCase) { c.ttl = 200 })},
		{"lesson/d", plainLesson(func(c *plainCase) { c.pauseFor, c.pauseEvery = 1200, 4 })},
		{"lesson/e", plainLesson(func(c *plainCase) { c.pauseFor, c.pauseEvery, c.fenced = 1200, 4, true })},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, want := simulatedSample(t, builtin(t, test.name), &lab, runs), plainSample(test.plain, runs)
			agree(t, got, want)
		})
	}
}

// agree fails unless two samples agree.
func agree(t *testing.T, got, want sample) {
	t.Helper()
	mean, _ := sampleMean(got.conflicts)
	plain, _ := sampleMean(want.conflicts)
	p, classes := chiSquare(got.conflicts, want.conflicts)
	rejected, _ := chiSquare(got.rejected, want.rejected)
	ends, events := kolmogorovSmirnov(got.ends, want.ends), standardErrors(got.events, want.events)
	meanEvents, _ := sampleMean(got.events)
	plainEvents, _ := sampleMean(want.events)
	t.Logf("%d runs: conflicts %.3f, plainly %.3f, p %.3f in %d classes; rejected writes p %.3f; ends p %.3f; events %.2f, plainly %.2f, %.1f standard errors apart",
		len(got.conflicts), mean, plain, p, classes, rejected, ends, meanEvents, plainEvents, events)
	if p < 0.001 || rejected < 0.001 || ends < 0.001 || events > 3 || math.IsNaN(events) {
		t.Error("they differ")
	}
	if classes == 1 && mean != plain {
		t.Errorf("conflicts: %v, plainly %v", mean, plain)
	}
}

// The comparison is able to fail: a plain implementation whose timers are late by a little more is another.
func TestAgreementCanFail(t *testing.T) {
	lab := scenarios.Lab()
	other := plainLesson(func(c *plainCase) { c.pauseFor, c.pauseEvery, c.lateOnAverage = 1200, 4, 0.45 })
	got, want := simulatedSample(t, builtin(t, "lesson/d"), &lab, 2000), plainSample(other, 2000)
	p, _ := chiSquare(got.conflicts, want.conflicts)
	if ends := kolmogorovSmirnov(got.ends, want.ends); p >= 0.001 && ends >= 0.001 {
		t.Errorf("timers that are late by 0.45 ms instead of 0.5 ms are taken for the same: conflicts p %v, ends p %v", p, ends)
	}
}

// reference is the cell of the hand-written baseline as a scenario: no think, a retry every 20 ms ± 50 %, and a pause of
// worker 0 after every grant.
func reference(ttl, pause int64) *scenarios.Scenario {
	s := &scenarios.Scenario{Workers: 2}
	s.Rounds, s.Work = 40, choice.Const(300*ms)
	s.Lock = lock.Policy{Kind: lock.Single, TTL: ttl * ms}
	s.Lock.Retry.Every = choice.Law{Kind: choice.Uniform, A: 10 * ms, B: 30 * ms}
	if pause > 0 {
		s.Pauses = []worker.Pause{{Where: worker.Before, Step: history.Enter, For: choice.Const(pause * ms), Every: 1, Workers: []int32{0}}}
	}
	return s
}

// The simulator gives what the hand-written baseline gives for its three cases: the means of 100,000 runs of it each.
//
// A lease lives exactly its TTL there, and here to the end of its last millisecond: half a millisecond longer on average. In
// case b a worker is granted its next round two leases after its last, so in 79 waits it waits a millisecond longer, in
// which it has three events (timer, arrival, reply) each 20.4 ms (a sleep of 20, and 0.4 there and back). In a no lease ends
// by itself. In c those of worker 0 do, but whoever waits longer for one waits as much less for the next, which begins when
// it did before.
func TestSimulatorAgreesWithTheBaseline(t *testing.T) {
	punctual := scenarios.Lab()
	punctual.Timers = nil
	for _, test := range []struct {
		name                      string
		ttl, pause                int64
		conflicts, conflictsError float64 // the baseline's mean, and its standard error
		events, eventsError       float64
		plain                     plainCase
	}{
		{"a", 1000, 0, 0, 0, 2946.44, 1.76, plainCase{}},
		{"b", 200, 0, 79, 0, 2132.61 + 79*3/20.4, 0.08, plainCase{}},
		{"c", 1000, 1200, 2.460, 0.006, 2630.90, 0.25, plainCase{pauseFor: 1200, pauseEvery: 1, onlyFirstIsPaused: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			plain := test.plain
			plain.locked, plain.ttl, plain.work, plain.retryFrom, plain.retryTo = true, float64(test.ttl), 300, 10, 30
			s := simulatedSample(t, reference(test.ttl, test.pause), &punctual, runsToCompare())
			agree(t, s, plainSample(plain, runsToCompare()))
			near(t, "conflicts", s.conflicts, test.conflicts, test.conflictsError)
			near(t, "events", s.events, test.events, test.eventsError)
		})
	}
}

// near fails unless a mean is within three standard errors of another whose standard error is known.
func near(t *testing.T, what string, sample []int64, want, wantError float64) {
	t.Helper()
	mean, squared := sampleMean(sample)
	t.Logf("%s: %.3f ± %.3f, baseline %.2f ± %.3f", what, mean, math.Sqrt(squared), want, wantError)
	if math.Abs(mean-want) > 3*math.Sqrt(squared+wantError*wantError) {
		t.Errorf("%s: mean %v, want %v", what, mean, want)
	}
}
