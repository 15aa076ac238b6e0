package sim_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim"
)

// told is a scenario of one wait: worker 1 asks 5 ms after worker 0, which holds the lock for 100 ms.
const told = "workers: 2\nrounds: 1\nstart: {apart: 5ms}\nwork: 100ms\nlock: {kind: single, ttl: 1s, retry: {wake: publish%s}}\n"

// waits are the waits of many runs, those for a lock that was free left out.
func waitsOf(s *scenarios.Scenario, p *scenarios.Profile, runs int) (bins []history.Bin, total int64) {
	r := sim.NewWorld(s, p).NewRun()
	r.Waits = new(history.Waits)
	var all history.Histogram
	for seed := range uint64(runs) {
		r.Waits.Reset()
		r.Do(seed)
		h := r.Waits.Histogram()
		all.Merge(&h)
	}
	const atOnce = 5 * ms
	bins = slices.DeleteFunc(slices.Clone(all.Bins()), func(b history.Bin) bool { return b.Value < atOnce })
	for _, b := range bins {
		total += b.N
	}
	return bins, total
}

// share is the share of the waits that are at least and at most so long, in ms.
func share(bins []history.Bin, total int64, least, most float64) float64 {
	var n int64
	for _, b := range bins {
		if at := float64(b.Value) / ms; at >= least && at <= most {
			n += b.N
		}
	}
	return float64(n) / float64(total)
}

// A wait is as long as the hold before it, and if its message is lost as the rest of the lease.
func TestLostMessagesMakeWaitsAsLongAsTheLease(t *testing.T) {
	t.Parallel()
	const runs = 40_000
	lab := scenarios.Lab()
	for _, lost := range []float64{0, 0.01, 0.3, 1} {
		bins, total := waitsOf(parse(t, fmt.Sprintf(told, fmt.Sprintf(", lost: %v", lost))), &lab, runs)
		if total != runs {
			t.Fatalf("%d waits in %d runs", total, runs)
		}
		short, long := share(bins, total, 93, 120), share(bins, total, 990, 1030)
		if math.Abs(short+long-1) > 1e-9 {
			t.Errorf("lost %v: %v of the waits are as long as the hold, %v as the lease, and the rest neither", lost, short, long)
		}
		if bound := 3 * math.Sqrt(lost*(1-lost)/runs); math.Abs(long-lost) > bound {
			t.Errorf("lost %v: %v of the waits are as long as the lease, want that within %v", lost, long, bound)
		}
	}
}

// A fixed sleep between tries shows in the waits, a varying one does not.
func TestRetriesShowInTheWaits(t *testing.T) {
	t.Parallel()
	const s = "workers: 2\nrounds: 1\nstart: {spread: 5ms}\nwork: {uniform: [200ms, 2200ms]}\nlock: {kind: single, ttl: 10s, retry: {every: %s}}\n"
	lab := scenarios.Lab()
	bins, total := waitsOf(parse(t, fmt.Sprintf(s, "500ms")), &lab, 10_000)
	near := 0.0
	for at := 500.0; at <= 2500; at += 500 { // each try is late by a timer and a round trip
		near += share(bins, total, at-1, at+20)
	}
	if near < 0.99 {
		t.Errorf("every 500 ms: %v of the waits are multiples of it", near)
	}
	bins, total = waitsOf(parse(t, fmt.Sprintf(s, "{uniform: [50ms, 249ms]}")), &lab, 10_000)
	for at := 500.0; at < 2000; at += 100 { // all as likely
		if got := share(bins, total, at, at+100); got < 0.03 || got > 0.07 {
			t.Errorf("every 50 to 249 ms: %v of the waits are from %v to %v ms, want 0.05", got, at, at+100)
		}
	}
}

// What happens to waits besides. Under ideal the end of a lease is told in whole milliseconds, and so may be missed by one.
func TestWakeUp(t *testing.T) {
	const head = "workers: 2\nrounds: 1\nstart: {apart: 10ms}\nwork: 100ms\nlock: {kind: single, ttl: 200ms, retry: {wake: "
	for _, test := range []struct{ name, scenario, want string }{
		{"a lease that ends by itself publishes nothing: the wait ends with it",
			head + "publish}}\ncrashes: [{before: enter, round: 0, workers: [0]}]",
			"refused 10, refused 10, refused 200, acquired after 191"},
		{"a message that comes while the process is stopped is handled when it runs again",
			head + "publish}}\npauses: [{at: 50ms, for: 80ms, workers: [1]}]",
			"refused 10, refused 10, acquired after 120"},
		{"a message that comes while the thread sleeps, too",
			head + "publish}}\npauses: [{at: 50ms, for: 80ms, workers: [1], thread: true}]",
			"refused 10, refused 10, acquired after 120"},
		{"a wait that is too long ends without a message or a try", head + "publish, longest: 50ms}}", "refused 10, refused 10, gave-up 60"},
		{"the first try is one of those that there may be", head + "publish, tries: 1}}", "refused 10, gave-up 10"},
		{"the same in a queue", head + "fifo, longest: 50ms}}", "refused 10, refused 10, gave-up 60"},
		{"who is the only one in the queue is woken", head + "fifo}}", "refused 10, refused 10, acquired after 90"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ideal := scenarios.Ideal()
			events, _ := run(parse(t, test.scenario), &ideal, 1)
			var got []string
			for _, e := range of(events, 1, history.Refused, history.Acquired, history.GaveUp) {
				if e.Kind == history.Acquired {
					got = append(got, fmt.Sprintf("acquired after %d", e.For/ms))
				} else {
					got = append(got, fmt.Sprintf("%v %d", e.Kind, e.At/ms))
				}
			}
			if text := strings.Join(got, ", "); text != test.want {
				t.Errorf("%s, want %s", text, test.want)
			}
		})
	}
}

// In a queue the lock is granted in the order of the first tries, as the store executes them.
func TestFirstInFirstOut(t *testing.T) {
	lab := scenarios.Lab()
	s := parse(t, `workers: 5
rounds: 30
start: {spread: 20ms}
work: {uniform: [1ms, 20ms]}
think: {exponential: 20ms}
lock: {kind: single, ttl: 10s, retry: {wake: fifo}}
`)
	for seed := range uint64(20) {
		r := sim.NewWorld(s, &lab).NewRun()
		var asked, granted []int32
		waits := make(map[int32]bool)
		r.Flights = func(f *history.Flight) {
			if f.Command == "acquire" && !waits[f.Worker] {
				asked, waits[f.Worker] = append(asked, f.Worker), true
			}
		}
		r.Observe = func(e *history.Event) {
			switch e.Kind {
			case history.Granted:
				granted = append(granted, e.Worker)
			case history.Freed:
				waits[e.Worker] = false
			}
		}
		r.Do(seed)
		if len(granted) != 150 || !slices.Equal(asked, granted) {
			t.Fatalf("seed %d: asked %v, granted %v", seed, asked, granted)
		}
	}
}

// Who has crashed keeps its place until its time is over, and everybody behind it waits; who gives up does not.
func TestPlacesOfThoseWhoAreGone(t *testing.T) {
	const s = `workers: 3
rounds: 1
start: {apart: %s}
work: 100ms
lock: {kind: single, ttl: 200ms, retry: {wake: fifo, queue_timeout: 400ms%s}}
`
	for _, test := range []struct {
		name, scenario string
		least, most    int64 // when worker 2 has the lock, ms
	}{
		{"crashed", fmt.Sprintf(s, "10ms", "") + "crashes: [{during: acquire, round: 0, workers: [1]}]\n", 600, 830},
		{"gave up", fmt.Sprintf(s, "45ms", ", longest: 50ms"), 100, 100},
		{"lives", fmt.Sprintf(s, "10ms", ""), 200, 200},
	} {
		ideal := scenarios.Ideal()
		events, _ := run(parse(t, test.scenario), &ideal, 1)
		got := of(events, 2, history.Acquired)
		if len(got) != 1 || got[0].At < test.least*ms || got[0].At > test.most*ms {
			t.Errorf("%s: worker 2 acquires at %v, want from %d to %d ms", test.name, got, test.least, test.most)
		}
	}
}

// Whatever happens, a run ends, leaves nobody waiting, is the same when it is repeated, and allocates nothing.
func TestWakeUpOfAnySort(t *testing.T) {
	lab := scenarios.Lab()
	for _, set := range [][]string{
		nil, {"lock.retry.lost=0.3"}, {"lock.renew={every: 40ms}"}, {"lock.retry.longest=150ms"}, {"lock.retry.tries=3"},
		{"delay.network={exponential: 10ms}"}, {"crashes=[{during: acquire, round: 3, workers: [1]}]"}, {"crashes=[{before: enter, round: 3, workers: [1]}]"},
		{"crashes=[{during: release, round: 3, workers: [1]}]"}, {"think=0ms"},
		{"pauses=[{during: acquire, for: {uniform: [10ms, 300ms]}, probability: 0.3}, {before: release, for: 200ms, every: 3}]"},
		{"pauses=[{during: acquire, for: {uniform: [10ms, 300ms]}, probability: 0.3, thread: true}]"},
	} {
		for _, wake := range []string{"publish", "fifo"} {
			s := parse(t, `workers: 4
rounds: 12
start: {spread: 5ms}
work: {uniform: [1ms, 120ms]}
think: {exponential: 20ms}
lock: {kind: single, ttl: 150ms, retry: {wake: `+wake+"}}\n")
			s, _, err := scenarios.SetAll(s, set)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(20) {
				events, r := run(s, &lab, seed)
				again, _ := run(s, &lab, seed)
				over := len(slices.DeleteFunc(slices.Clone(events), func(e history.Event) bool {
					return e.Kind != history.Finished && e.Kind != history.Removed
				}))
				if r.Bounded || over != 4 || !slices.Equal(events, again) {
					t.Fatalf("%s %v, seed %d: cut short %v, %d workers came to an end, or not the same again", wake, set, seed, r.Bounded, over)
				}
			}
			r := sim.NewWorld(s, &lab).NewRun()
			if n := testing.AllocsPerRun(5, func() { r.Do(1) }); n > 0 {
				t.Errorf("%s %v: %v allocations a run", wake, set, n)
			}
		}
	}
}

// A run that is copied at any time goes on as the one it was copied from, with the messages that are on their way.
func TestCopyOfARunWithMessages(t *testing.T) {
	lab := scenarios.Lab()
	for _, wake := range []string{"publish", "fifo"} {
		s := parse(t, "workers: 3\nrounds: 5\nwork: 10ms\nlock: {kind: single, ttl: 50ms, retry: {lost: 0.1, wake: "+wake+"}}\n")
		w := sim.NewWorld(s, &lab)
		for cut := range 120 {
			a, b := w.NewRun(), w.NewRun()
			a.Start(choice.Seeded(uint64(cut)))
			for range cut {
				a.Step()
			}
			b.CopyFrom(a)
			if a.Digest() != b.Digest() {
				t.Fatalf("%s: after %d events the copy has another digest", wake, cut)
			}
			for a.Step() {
			}
			for b.Step() {
			}
			if a.Tally != b.Tally || a.Digest() != b.Digest() {
				t.Fatalf("%s: after %d events the copy goes on otherwise", wake, cut)
			}
		}
	}
}
