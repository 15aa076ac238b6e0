package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"locklab/history"
	"locklab/scenarios"
)

// truths tells the events that only the simulator can see, with the writes and beliefs beside them, in ms: kind, worker,
// time, and the number of the hold. The end of a lease depends on the phase of the server's clock: END stands for it.
func truths(events []history.Event) string {
	ends := make(map[string]string)
	var all []string
	for _, e := range events {
		if !e.Kind.IsTruth() && e.Kind != history.Accepted && e.Kind != history.Rejected {
			continue
		}
		at := fmt.Sprint(float64(e.At) / ms)
		if e.Kind == history.Granted && e.For > 0 || e.Kind == history.Prolonged {
			ends[fmt.Sprint(float64(e.At+e.For)/ms)] = "END"
		}
		if end, ok := ends[at]; ok {
			at = end
		}
		line := fmt.Sprintf("%s %d at %s", e.Kind, e.Worker, at)
		if e.Order != 0 {
			line += fmt.Sprintf(" hold %d", e.Order)
		}
		all = append(all, line)
	}
	return strings.Join(all, "\n")
}

// Worker 0 is granted the lock at 0 and is stopped at some step until its lease, of 200 ms, is over; worker 1 is granted
// it at 225, by its try after the end, and works for 100 ms.
func TestTruth(t *testing.T) {
	const s = "workers: 2\nrounds: 1\nwork: 100ms\nlock: {kind: single, ttl: 200ms, retry: {every: 25ms}}\n"
	for _, test := range []struct{ name, extra, want string }{
		{"released in time: nothing but grants and ends", "", `
			granted 0 at 0 hold 1
			freed 0 at 100 hold 1
			granted 1 at 100 hold 2
			freed 1 at 200 hold 2`},
		{"a stale write, rejected by its token", `
fencing: {token: inside, check: commit}
pauses: [{before: commit, for: 300ms, workers: [0]}]`, `
			granted 0 at 0 hold 1
			expired 0 at END hold 1
			granted 1 at 225 hold 2
			accepted 1 at 325
			freed 1 at 325 hold 2
			late-write 0 at 400 hold 1
			stale-write 0 at 400 hold 1
			rejected 0 at 400
			false-belief 0 at 400 hold 1`},
		{"a stale write, accepted, because its token was drawn after the lease had ended", `
fencing: {token: after, check: commit}
pauses: [{before: token, for: 300ms, workers: [0]}]`, `
			granted 0 at 0 hold 1
			expired 0 at END hold 1
			granted 1 at 225 hold 2
			token-disorder 0 at 300 hold 1
			accepted 1 at 325
			freed 1 at 325 hold 2
			late-write 0 at 400 hold 1
			stale-write 0 at 400 hold 1
			stale-accepted 0 at 400 hold 1
			accepted 0 at 400
			false-belief 0 at 400 hold 1`},
		{"a late write that is not stale: nobody has written since", `
fencing: {token: inside, check: commit}
pauses: [{before: commit, for: 200ms, workers: [0]}]`, `
			granted 0 at 0 hold 1
			expired 0 at END hold 1
			granted 1 at 225 hold 2
			late-write 0 at 300 hold 1
			accepted 0 at 300
			false-belief 0 at 300 hold 1
			accepted 1 at 325
			freed 1 at 325 hold 2`},
		{"what was rejected makes no later write stale", `
fencing: {token: after, check: both}
pauses: [{before: token, for: 226ms, workers: [0]}, {before: check, for: 15ms, workers: [1]}]`, `
			granted 0 at 0 hold 1
			expired 0 at END hold 1
			granted 1 at 225 hold 2
			token-disorder 0 at 226 hold 1
			late-write 0 at 226 hold 1
			accepted 0 at 226
			rejected 1 at 240
			freed 1 at 240 hold 2
			late-write 0 at 326 hold 1
			accepted 0 at 326
			false-belief 0 at 326 hold 1`},
		{"with nobody waiting, the end of a lease is found by its own release", `
workers: 1
pauses: [{before: leave, for: 300ms}]`, `
			granted 0 at 0 hold 1
			false-belief 0 at 400 hold 1
			expired 0 at END hold 1`},
	} {
		scenario := s
		if strings.Contains(test.extra, "workers: 1") {
			scenario = strings.Replace(s, "workers: 2\n", "", 1)
		}
		ideal := scenarios.Ideal()
		for seed := range uint64(20) {
			events, _ := run(parse(t, scenario+test.extra), &ideal, seed)
			want := strings.ReplaceAll(strings.TrimSpace(test.want), "\t", "")
			if got := truths(events); got != want {
				t.Fatalf("%s, seed %d: got\n%s\nwant\n%s", test.name, seed, got, want)
			}
		}
	}
}

// A belief is false from the end of the hold, or from its own beginning if that is later, to the release.
func TestLengthOfFalseBelief(t *testing.T) {
	const s = "workers: 1\nrounds: 1\nwork: 100ms\nlock: {kind: single, ttl: 200ms}\n"
	for _, test := range []struct {
		pause string
		want  func(lease int64) int64
	}{
		{"{before: enter, for: 300ms}", func(lease int64) int64 { return 400*ms - lease }},
		{"{during: acquire, for: 300ms}", func(int64) int64 { return 100 * ms }}, // it learned of the grant at 300
		{"{before: enter, for: 50ms}", func(int64) int64 { return 0 }},
	} {
		ideal := scenarios.Ideal()
		for seed := range uint64(20) {
			events, r := run(parse(t, s+"pauses: ["+test.pause+"]\n"), &ideal, seed)
			lease := of(events, 0, history.Granted)[0].For
			if lease <= 200*ms || lease > 201*ms {
				t.Errorf("a lease of 200 ms lasts %d", lease)
			}
			if got, want := r.Tally.FalseBelief, test.want(lease); got != want {
				t.Errorf("%s: wrong for %d, want %d", test.pause, got, want)
			}
		}
	}
}

// Without a lock there is nothing to be wrong about.
func TestNoTruthWithoutALock(t *testing.T) {
	lab := scenarios.Lab()
	events, _ := run(builtin(t, "lesson/a", "fencing={token: after, check: both}"), &lab, 1)
	for _, e := range events {
		if e.Kind.IsTruth() {
			t.Fatalf("found %+v", e)
		}
	}
}
