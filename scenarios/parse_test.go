package scenarios

import (
	"reflect"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker"
	"locklab/worker/lock"
)

// rest completes a scenario whose other lines a test gives: they begin at line 5.
const rest = "scenario: x\nworkers: 2\nrounds: 40\nwork: 300ms\n"

const single = "lock: {kind: single, ttl: 1s}\n"

func TestParseEverything(t *testing.T) {
	const ms = 1_000_000
	got, err := Parse("x.yaml", []byte(`
scenario: my/all
title: "Quoted: yes"
teaches: >
  Folded
  text.
workers: 3
rounds: 7
start: {spread: 2ms}
work: {cpu: {uniform: [100us, 0.3ms]}}
think: {exponential: 10ms}
lock:
  kind: single
  ttl: 1.5s
  acquire: set-nx-px
  release: compare
  retry: {every: {uniform: [50ms, 250ms]}, backoff: {factor: 1.5, most: 1s}, tries: 32, longest: 1m}
fencing: {token: inside, check: commit, reject: below-or-equal}
resource: {kind: none}
pauses:
  - {before: release, for: 1200ms, every: 4, workers: [2, 0]}
  - {during: work, for: {exponential: 1s}, fraction: 0.5, probability: 1e-3, workers: all}
  - {during: think, for: 1s}
  - {at: 1h, for: 1ns}
delay: {network: 1ms, timer: {exponential: 500us}}
published: {entries: 21, conflicts: 0, rejected_writes: 0}
`))
	if err != nil {
		t.Fatal(err)
	}
	none := int64(0)
	want := &Scenario{
		Name: "my/all", Title: "Quoted: yes", Teaches: "Folded text.", Workers: 3,
		Plan: worker.Plan{
			Rounds: 7, Start: 2 * ms,
			Work: choice.Law{Kind: choice.Uniform, A: ms / 10, B: 3 * ms / 10}, WorkCPU: true,
			Think: choice.Law{Kind: choice.Exponential, A: 10 * ms},
			Lock: lock.Policy{Kind: lock.Single, TTL: 1500 * ms, TokenInside: true, Retry: lock.Retry{
				Every:  choice.Law{Kind: choice.Uniform, A: 50 * ms, B: 250 * ms},
				Factor: 1.5, Most: 1000 * ms, Tries: 32, Longest: 60_000 * ms,
			}},
			Fencing: worker.Fencing{Token: worker.TokenInside, Check: worker.CheckCommit, OrEqual: true},
			Pauses: []worker.Pause{
				{Where: worker.Before, Step: history.Release, For: choice.Const(1200 * ms), Every: 4, Workers: []int32{0, 2}},
				{
					Where: worker.During, Step: history.Work, For: choice.Law{Kind: choice.Exponential, A: 1000 * ms},
					Fraction: 0.5, Probability: 0.001,
				},
				{Where: worker.During, Step: history.Think, For: choice.Const(1000 * ms), Fraction: -1, Every: 1},
				{Where: worker.At, Time: 3_600_000 * ms, For: choice.Const(1)},
			},
		},
		Delay:     Delay{Network: choice.Const(ms), Timer: choice.Law{Kind: choice.Exponential, A: ms / 2}},
		Published: &history.Counts{Entries: 21, RejectedWrites: &none},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestParseDefaults(t *testing.T) {
	for _, none := range []string{"", "lock: none\n", "lock: {kind: none}\n", "pauses: []\n", "start: {}\ndelay: {}\n", "fencing: {token: none}\n"} {
		got, err := Parse("x.yaml", []byte(rest+none))
		if err != nil {
			t.Fatal(err)
		}
		want := &Scenario{Name: "x", Workers: 2, Plan: worker.Plan{Rounds: 40, Work: choice.Const(300_000_000)}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v", none, got)
		}
	}
	got, err := Parse("x.yaml", []byte(rest+single))
	if err != nil || !reflect.DeepEqual(got.Lock.Retry, lock.Retry{Every: choice.Const(25_000_000)}) {
		t.Errorf("retry %+v, error %v; want every 25ms", got.Lock.Retry, err)
	}
}
