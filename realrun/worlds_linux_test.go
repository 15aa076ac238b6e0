package realrun_test

import (
	"fmt"
	"slices"
	"testing"

	"locklab/history"
	"locklab/realrun"
	"locklab/scenarios"
	"locklab/sim"
	"locklab/worker"
)

// variants are scenarios of one worker that between them have every step, place of a pause and kind of token.
var variants = [][]string{
	{"lock=none", "pauses=null"},
	{"lock=none", "pauses=[{during: work, for: 20ms}]", "work={cpu: 50ms}"},
	{"fencing={token: before, check: both}"},
	{"fencing={token: after, check: commit, reject: below-or-equal}", "pauses[0].before=token"},
	{"fencing={token: inside, check: start, reject: below-or-equal}"},
	{"fencing={token: inside, check: commit}", "pauses=[{during: commit, for: 30ms, every: 2}]"},
	{"fencing={token: after}", "pauses=[{during: token, for: 30ms}, {before: enter, for: 10ms}]"},
	{"pauses=[{before: think, for: 30ms}, {before: acquire, for: 20ms, every: 3}, {before: work, for: 5ms}]"},
	{"pauses=[{before: enter, for: 10ms}, {before: enter, for: 20ms, every: 2}]"},
	{"pauses=[{during: acquire, for: 30ms}, {during: enter, for: 30ms}]"},
	{"pauses=[{during: leave, for: 20ms}, {during: release, for: 20ms, probability: 0.5}]"},
	{"pauses=[{during: work, for: 60ms, fraction: 0.3}, {during: work, for: 10ms, fraction: 0.6}]"},
	{"pauses=[{during: work, for: {uniform: [10ms, 50ms]}, probability: 0.7}]", "work={uniform: [30ms, 60ms]}"},
	{"pauses=[{during: work, for: 60ms, fraction: 0.3}]", "work={cpu: 40ms}"},
	{"pauses=[{during: think, for: 20ms, fraction: 0.5}, {before: release, for: {exponential: 20ms}}]", "think=30ms"},
	{"pauses=[{at: 500ms, for: 50ms}]", "work=1s", "rounds=2", "lock.ttl=5s"},
	{"pauses=[{at: 1s, for: 50ms}, {at: 500ms, for: 50ms}]", "work={cpu: 1500ms}", "rounds=1", "lock.ttl=5s"},
	{"delay={network: {uniform: [1ms, 2ms]}, timer: 3ms}"},
	{"think=0ms", "work=0ms"},
	{"start={spread: 50ms}"},
	{"start={apart: 50ms}"},
	{"fencing={token: inside, check: start}", "resource={kind: job}", "pauses=null"},
	{"pauses=[{before: work, for: 10ms, round: 3}]"},
	{"lock.acquire=set-px"},
	{"lock={kind: single, acquire: set-nx}"},
	{"lock.acquire=setnx-expire", "pauses=[{during: acquire, for: 30ms}, {before: enter, for: 2100ms, round: 1}]"},
	{"lock.retry={wake: publish}", "fencing={token: inside, check: start}"},
	{"lock.retry={wake: fifo}"},
	{"lock.release=plain"},
	{"lock.release=get-del", "pauses=[{during: release, for: 30ms}, {before: release, for: 2100ms, round: 1}]"},
	{"lock.renew={every: 70ms}", "work=100ms", "pauses=[{before: enter, for: 2100ms, every: 3}]"},
	{"lock.renew={every: 70ms, extend: touch-or-set}", "work=100ms", "pauses=[{before: enter, for: 2100ms, every: 3}]"},
	{"lock.renew={every: 70ms, extend: set-xx, at_most: 100ms}", "work=200ms"},
	{"lock.renew={every: 800ms}", "pauses=[{before: enter, for: 2100ms, every: 3, thread: true}, {during: work, for: 20ms, thread: true}]"},
	{"pauses=[{during: enter, for: 30ms, thread: true}, {during: acquire, for: 30ms, thread: true}, {during: work, fraction: 0.5, for: 20ms, thread: true}]", "work={cpu: 40ms}"},
	{"lock.loss={learn: deadline, then: stop}", "pauses=[{during: work, for: 2100ms, fraction: 0.5}, {before: enter, for: 2100ms, round: 2}]"},
	{"lock.loss={learn: poll, every: 50ms, then: stop}", "work=120ms", "pauses=[{before: enter, for: 2100ms, every: 3}]"},
	{"lock.renew={every: 50ms}", "lock.loss={learn: cancel, latency: 10ms, then: stop}", "work=180ms", "pauses=[{before: enter, for: 2100ms, every: 3}]"},
	{"lock.release_tries=3", "pauses=[{before: release, for: 2100ms, round: 1}]"},
	{"lock.min_hold=300ms", "lock.retry.every=400ms", "pauses=null", "rounds=2"},
	{"lock.acquire=set-nx-pxat", "lock.clock={behind: 2s}", "pauses=null"},
	{"lock.acquire=set-nx-pxat", "lock.clock={ahead: 10s}"},
	{"lock.acquire=set-nx-pxat", "lock.clock={behind: 1s}", "lock.renew={every: 70ms}", "work=100ms", "pauses=[{before: enter, for: 1100ms, every: 3}]"},
	{"lock.kind=quorum", "lock.stores=3", "lock.renew={every: 70ms}", "lock.loss={learn: cancel, then: stop}", "work=100ms", "pauses=[{before: enter, for: 2100ms, every: 3}]"},
	{"lock.kind=quorum", "lock.stores=2", "lock.renew={every: 70ms, extend: touch-or-set}", "work=100ms", "pauses=[{before: enter, for: 2100ms, every: 3}]"},
	{"lock.kind=quorum", "lock.stores=3", "lock.acquire=set-nx-pxat", "lock.clock={behind: 3s}", "pauses=null"},
	{"crashes=[{before: acquire, round: 1}]"},
	{"crashes=[{during: acquire, round: 1}]"},
	{"crashes=[{before: enter, round: 0}]"},
	{"crashes=[{during: enter, round: 1}]"},
	{"crashes=[{during: work, fraction: 0.5, round: 2}]"},
	{"crashes=[{during: leave, round: 1}]"},
	{"crashes=[{during: release, round: 0}]"},
	{"crashes=[{before: think, round: 3}]"},
	{"fencing={token: after, check: both}", "crashes=[{during: check, round: 1}]"},
	{"fencing={token: after, check: both}", "crashes=[{during: commit, round: 2}]"},
}

// One worker, two worlds: without anybody to contend with, a worker does the same things in the same order in the
// simulator and for real, down to tokens, and to which rounds its pauses hit and how long they are.
func TestOneWorkerTwoWorlds(t *testing.T) {
	t.Parallel()
	s := open(t, realrun.Auto)
	lab := scenarios.Lab()
	for i, set := range variants {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			base := []string{"workers=1", "rounds=5", "work=40ms", "lock.ttl=2s", "pauses[0].for=2100ms"}
			sc := scenario(t, "lesson/d", 1, append(base, set...)...)
			o := measure(t, s, sc)
			wellFormed(t, o)
			want, got := story(simulate(sc, &lab, 1)), story(o.Events)
			least := 4 * int(sc.Rounds)
			if slices.ContainsFunc(sc.Pauses, func(p worker.Pause) bool { return p.Crash }) {
				least = 6 // it dies before its rounds are over
			}
			if len(want) < least {
				t.Errorf("only %d events: not much of a test", len(want))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v\nreal:      %v\nsimulated: %v", set, got, want)
			}
		})
	}
}

func simulate(sc *scenarios.Scenario, p *scenarios.Profile, seed uint64) []history.Event {
	run := sim.NewWorld(sc, p).NewRun()
	var events []history.Event
	run.Observe = func(e *history.Event) { events = append(events, *e) }
	run.Do(seed)
	return events
}

// story is what does not depend on the machine.
func story(events []history.Event) []string {
	var told []string
	for _, e := range events {
		if e.Kind.IsTruth() {
			continue
		}
		line := fmt.Sprintf("%d %v", e.Round, e.Kind)
		switch e.Kind {
		case history.Stopping:
			line += fmt.Sprintf(" at %v for %d", e.Step, e.For)
		case history.TokenDrawn, history.Acquired, history.Accepted, history.Rejected:
			line += fmt.Sprintf(" token %d %v", e.Token, e.Step)
		case history.Entered, history.Left:
			line += fmt.Sprintf(" order %d inside %d", e.Order, e.Inside)
		}
		told = append(told, line)
	}
	return told
}
