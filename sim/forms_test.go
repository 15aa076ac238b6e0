package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"locklab/history"
	"locklab/scenarios"
)

// The scenarios in which a part of the lock is missing show the bug that belongs to it, in every run under lab.
func TestWhatAMissingPartDoes(t *testing.T) {
	type outcome struct{ entries, conflicts, lostHolds, never int64 }
	lab := scenarios.Lab()
	for _, test := range []struct {
		name        string
		set         string // the correct lock in its place
		least, most outcome
	}{
		{"lesson/no-nx", "", outcome{20, 19, 19, 0}, outcome{20, 19, 19, 0}},
		{"lesson/no-nx", "lock.acquire=set-nx-px", outcome{20, 0, 0, 0}, outcome{20, 0, 0, 0}},
		{"lesson/no-ttl", "", outcome{2, 0, 0, 2}, outcome{30, 0, 0, 2}},
		{"lesson/no-ttl", "lock={kind: single, ttl: 1s}", outcome{22, 0, 0, 0}, outcome{22, 0, 0, 0}},
		// Of the releases that delete the next holder's lease, no worker is told.
		{"lesson/release-without-owner", "", outcome{18, 15, 0, 0}, outcome{18, 17, 2, 0}},
		{"lesson/release-without-owner", "lock.release=compare", outcome{18, 1, 1, 0}, outcome{18, 2, 1, 0}},
		{"lesson/release-in-two-steps", "", outcome{12, 1, 1, 0}, outcome{12, 1, 1, 0}},
		{"lesson/release-in-two-steps", "lock.release=compare", outcome{12, 0, 0, 0}, outcome{12, 0, 0, 0}},
		{"lesson/setnx-then-expire", "", outcome{2, 0, 0, 2}, outcome{2, 0, 0, 2}},
		{"lesson/setnx-then-expire", "lock.acquire=set-nx-px", outcome{8, 0, 0, 0}, outcome{8, 0, 0, 0}},
		// Not a part, but the watchdog: missing, or stopped with its process, or not.
		{"lesson/watchdog-work", "", outcome{80, 0, 0, 0}, outcome{80, 0, 0, 0}},
		{"lesson/watchdog-work", "lock.renew=null", outcome{80, 79, 80, 0}, outcome{80, 79, 80, 0}},
		{"lesson/watchdog-pause", "", outcome{80, 15, 20, 0}, outcome{80, 40, 20, 0}},
		{"lesson/watchdog-thread", "", outcome{80, 0, 0, 0}, outcome{80, 0, 0, 0}},
		{"lesson/watchdog-thread", "lock.renew=null", outcome{80, 15, 20, 0}, outcome{80, 40, 20, 0}},
	} {
		var set []string
		if test.set != "" {
			set = append(set, test.set)
		}
		all := records(t, builtin(t, test.name, set...), &lab, 300)
		for _, c := range []struct {
			what        string
			count       func(*history.Record) int64
			least, most int64
		}{
			{"entries", func(r *history.Record) int64 { return r.Entries }, test.least.entries, test.most.entries},
			{"conflicts", conflicts, test.least.conflicts, test.most.conflicts},
			{"lost holds", lostHolds, test.least.lostHolds, test.most.lostHolds},
			{"never", func(r *history.Record) int64 { return r.Never }, test.least.never, test.most.never},
		} {
			if _, least, most := spread(all, c.count); least < c.least || most > c.most {
				t.Errorf("%s %s: %d to %d %s, want %d to %d", test.name, test.set, least, most, c.what, c.least, c.most)
			}
		}
	}
}

// What happens to holds under the other forms. Under ideal every tie goes to worker 0, and a lease is taken at 0.
func TestTruthOfForms(t *testing.T) {
	const s = "workers: 2\nrounds: 1\nstart: {apart: 10ms}\nwork: 100ms\nlock: {kind: single, retry: {every: 25ms}, "
	for _, test := range []struct{ name, scenario, want string }{
		{"an overwritten hold ends when it is overwritten", s + "ttl: 1s, acquire: set-px}\nstart: {apart: 40ms}", `
			granted 0 at 0 hold 1
			overwritten 0 at 40 hold 1
			granted 1 at 40 hold 2
			false-belief 0 at 100 hold 1
			freed 1 at 140 hold 2`},
		{"a lease without a deadline outlives any pause", s + "acquire: set-nx}\npauses: [{before: enter, for: 60s, workers: [0]}]", `
			granted 0 at 0 hold 1
			freed 0 at 60100 hold 1
			granted 1 at 60110 hold 2
			freed 1 at 60210 hold 2`},
		{"PEXPIRE gives the hold its end", s + "ttl: 200ms, acquire: setnx-expire}\npauses: [{before: enter, for: 300ms, workers: [0]}]", `
			granted 0 at 0 hold 1
			prolonged 0 at 0 hold 1
			expired 0 at END hold 1
			granted 1 at 210 hold 2
			prolonged 1 at 210 hold 2
			freed 1 at 310 hold 2
			false-belief 0 at 400 hold 1`},
		{"who is stopped between SETNX and PEXPIRE holds on", s + "ttl: 200ms, acquire: setnx-expire}\npauses: [{during: acquire, for: 300ms, workers: [0]}]", `
			granted 0 at 0 hold 1
			prolonged 0 at 300 hold 1
			freed 0 at 400 hold 1
			granted 1 at 410 hold 2
			prolonged 1 at 410 hold 2
			freed 1 at 510 hold 2`},
		{"DEL by another ends the holder's hold", s + "ttl: 200ms, release: plain}\npauses: [{before: enter, for: 150ms, workers: [0]}]", `
			granted 0 at 0 hold 1
			expired 0 at END hold 1
			granted 1 at 210 hold 2
			false-belief 0 at 250 hold 1
			freed-by-other 0 at 250 hold 2
			false-belief 1 at 310 hold 2`},
		{"between GET and DEL the lock has become another's", s + "ttl: 200ms, release: get-del}\npauses: [{during: release, for: 150ms, workers: [0]}]", `
			granted 0 at 0 hold 1
			expired 0 at END hold 1
			granted 1 at 210 hold 2
			freed-by-other 0 at 250 hold 2
			false-belief 1 at 310 hold 2`},
		{"who is behind by more than the TTL is granted a lease that has ended", s + "ttl: 200ms, acquire: set-nx-pxat, clock: {behind: 300ms, workers: [0]}}", `
			granted 0 at 0 hold 1
			expired 0 at 0 hold 1
			granted 1 at 10 hold 2
			false-belief 0 at 100 hold 1
			freed 1 at 110 hold 2`},
		{"who is ahead keeps the lease longer", s + "ttl: 200ms, acquire: set-nx-pxat, clock: {ahead: 200ms}}\npauses: [{before: enter, for: 250ms, workers: [0]}]", `
			granted 0 at 0 hold 1
			freed 0 at 350 hold 1
			granted 1 at 360 hold 2
			freed 1 at 460 hold 2`},
		{"a renewal goes by the same clock", s + "ttl: 200ms, acquire: set-nx-pxat, clock: {ahead: 100ms, workers: [0]}, renew: {every: 60ms}}", `
			granted 0 at 0 hold 1
			prolonged 0 at 60 hold 1
			freed 0 at 100 hold 1
			granted 1 at 110 hold 2
			prolonged 1 at 170 hold 2
			freed 1 at 210 hold 2`},
		{"GET finds another's value, and nothing is deleted", s + "ttl: 200ms, release: get-del}\npauses: [{before: enter, for: 150ms, workers: [0]}]", `
			granted 0 at 0 hold 1
			expired 0 at END hold 1
			granted 1 at 210 hold 2
			false-belief 0 at 250 hold 1
			freed 1 at 310 hold 2`},
	} {
		ideal := scenarios.Ideal()
		scenario := test.scenario
		if strings.Count(scenario, "start:") > 1 {
			scenario = strings.Replace(scenario, "start: {apart: 10ms}\n", "", 1)
		}
		for seed := range uint64(20) {
			events, _ := run(parse(t, scenario), &ideal, seed)
			want := strings.ReplaceAll(strings.TrimSpace(test.want), "\t", "")
			if got := truths(events); got != want {
				t.Fatalf("%s, seed %d: got\n%s\nwant\n%s", test.name, seed, got, want)
			}
		}
	}
}

// A wait that can never end is told when nobody is left who could end it: not while somebody works who may, by a release that
// does not ask, delete the lease of the dead, and not of those who give up by themselves.
func TestNever(t *testing.T) {
	const s = "workers: 3\nrounds: 2\nstart: {apart: 10ms}\nwork: 100ms\nlock: {kind: single, retry: {every: 25ms%s}, %s}\n%s"
	for _, test := range []struct {
		name, limit, form, faults string
		want                      string
	}{
		{"the holder dies", "", "acquire: set-nx", "crashes: [{before: enter, round: 0, workers: [0]}]",
			"crashed 0 at 0, never 1 at 20, never 2 at 20"},
		{"not before the last has come to wait", "", "acquire: set-nx", "pauses: [{before: acquire, for: 1s, round: 0, workers: [2]}]\ncrashes: [{before: enter, round: 0, workers: [0]}]",
			"crashed 0 at 0, never 1 at 1020, never 2 at 1020"},
		{"not while one who waits is stopped", "", "acquire: set-nx", "pauses: [{at: 15ms, for: 1s, workers: [1]}]\ncrashes: [{before: enter, round: 0, workers: [0]}]",
			"crashed 0 at 0, never 1 at 1015, never 2 at 1015"},
		{"who gives up does not wait for ever", ", tries: 3", "acquire: set-nx", "crashes: [{before: enter, round: 0, workers: [0]}]",
			"crashed 0 at 0, finished 1 at 110, finished 2 at 120"},
		{"a lease with a deadline ends", "", "ttl: 300ms", "crashes: [{before: enter, round: 0, workers: [0]}]",
			"crashed 0 at 0, finished 1 at 510, finished 2 at 720"},
		{"a late release that does not ask whose the lock is ends the wait", "", "ttl: 50ms, acquire: setnx-expire, release: plain",
			"crashes: [{during: acquire, round: 0, workers: [1]}]\npauses: [{before: acquire, for: 50ms, round: 0, workers: [1]}]",
			"crashed 1 at 60, finished 0 at 200, finished 2 at 370"},
	} {
		ideal := scenarios.Ideal()
		events, r := run(parse(t, fmt.Sprintf(s, test.limit, test.form, test.faults)), &ideal, 1)
		var all []string
		for _, e := range events {
			switch e.Kind {
			case history.Crashed, history.Never, history.Finished:
				all = append(all, fmt.Sprintf("%s %d at %d", e.Kind, e.Worker, e.At/ms))
			}
		}
		if got := strings.Join(all, ", "); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
		if r.Bounded {
			t.Errorf("%s: the run was cut short", test.name)
		}
	}
}
