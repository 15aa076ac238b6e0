package lock_test

import (
	"slices"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker/lock"
	"locklab/worker/wire"
)

const ms = 1_000_000

func newMachine(p *lock.Policy) lock.Machine {
	return lock.New(p, 3, choice.Seeded(1).Stream(choice.NameOf("worker", 3, "retry"), choice.Fixed), choice.Seeded(1).Stream(choice.NameOf("worker", 3, "owner"), choice.Fixed))
}

// sleeps are the sleeps, in nanoseconds, between the tries of one acquire that is always refused, at once: at most n, fewer if it gives
// up.
func sleeps(m *lock.Machine, n int) (all []int64, outcome lock.Outcome) {
	var out wire.Wishes
	now := int64(5 * ms)
	m.Acquire(now, 0, &out)
	for len(all) < n {
		out.Reset()
		outcome = m.Replied(now, lock.TagAcquire, &wire.Reply{Status: wire.Nil}, &out)
		if outcome != lock.Waiting {
			break
		}
		timer := out.All()[0]
		all = append(all, timer.At-now)
		now = timer.At
		m.Retry(now, &out)
	}
	return all, outcome
}

func TestRetry(t *testing.T) {
	every := choice.Const(25 * ms)
	for _, test := range []struct {
		name  string
		retry lock.Retry
		want  []int64 // of at most 6 sleeps, in ms
	}{
		{"fixed", lock.Retry{Every: every}, []int64{25, 25, 25, 25, 25, 25}},
		{"a factor of 1 is fixed", lock.Retry{Every: every, Factor: 1}, []int64{25, 25, 25, 25, 25, 25}},
		{"growing", lock.Retry{Every: every, Factor: 2}, []int64{25, 50, 100, 200, 400, 800}},
		{"growing up to the longest sleep", lock.Retry{Every: every, Factor: 3, Most: 100 * ms}, []int64{25, 75, 100, 100, 100, 100}},
		{"never longer than the longest sleep", lock.Retry{Every: every, Most: 20 * ms}, []int64{20, 20, 20, 20, 20, 20}},
		{"one try", lock.Retry{Every: every, Tries: 1}, nil},
		{"three tries", lock.Retry{Every: every, Tries: 3}, []int64{25, 25}},
		{"a try at the longest wait, none after", lock.Retry{Every: every, Longest: 75 * ms}, []int64{25, 25, 25}},
		{"no try after the longest wait", lock.Retry{Every: every, Longest: 74 * ms}, []int64{25, 25}},
		{"longest wait and growth", lock.Retry{Every: every, Factor: 2, Longest: 100 * ms}, []int64{25, 50}},
		{"growth ends at a day", lock.Retry{Every: choice.Const(3600_000 * ms), Factor: 1000}, []int64{3600_000, 86400_000, 86400_000, 86400_000, 86400_000, 86400_000}},
	} {
		m := newMachine(&lock.Policy{Kind: lock.Single, TTL: 1000 * ms, Retry: test.retry})
		for acquire := range 2 { // growth and counts begin anew with each acquire
			got, outcome := sleeps(&m, 6)
			for i := range got {
				got[i] /= ms
			}
			if !slices.Equal(got, test.want) || (outcome == lock.GaveUp) != (len(got) < 6) {
				t.Errorf("%s, acquire %d: sleeps of %v ms, outcome %d; want %v", test.name, acquire, got, outcome, test.want)
			}
		}
	}
}

// Jitter is drawn anew for each sleep, and grows with the backoff.
func TestRetryWithJitter(t *testing.T) {
	jitter := choice.Law{Kind: choice.Uniform, A: 10 * ms, B: 20 * ms}
	for _, factor := range []float64{1, 2} {
		m := newMachine(&lock.Policy{Kind: lock.Single, TTL: ms, Retry: lock.Retry{Every: jitter, Factor: factor}})
		all, _ := sleeps(&m, 8)
		grown := 1.0
		var drawn []int64
		for i, d := range all {
			share := int64(float64(d) / grown)
			if share < jitter.A-1 || share > jitter.B {
				t.Errorf("factor %v: sleep %d is %d", factor, i, d)
			}
			drawn = append(drawn, share)
			grown *= factor
		}
		slices.Sort(drawn)
		if len(slices.Compact(drawn)) != len(all) {
			t.Errorf("factor %v: a draw came up twice in %v", factor, all)
		}
	}
}

// An acquisition has a fresh owner value, which all its tries and its release share; no two workers have the same.
func TestOwnerValue(t *testing.T) {
	policy := &lock.Policy{Kind: lock.Single, TTL: 1500 * ms}
	m := newMachine(policy)
	other := lock.New(policy, 4, choice.Stream{}, choice.Seeded(1).Stream(choice.NameOf("worker", 4, "owner"), choice.Fixed))
	seen := make(map[int64]bool)
	for round := range int32(3) {
		for _, machine := range []*lock.Machine{&m, &other} {
			var out wire.Wishes
			machine.Acquire(0, round, &out)
			machine.Retry(0, &out)
			machine.Retry(0, &out)
			machine.Release(0, &out)
			var values []int64
			for _, wish := range out.All() {
				if wish.Kind == wire.Send {
					values = append(values, wish.Command.Value)
				}
			}
			if len(values) != 4 || len(slices.Compact(values)) != 1 || values[0] < 0 || seen[values[0]] {
				t.Errorf("round %d: values %v", round, values)
			}
			seen[values[0]] = true
		}
	}
}

// What the machine sends, and what it makes of every answer.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		name    string
		inside  bool
		tag     wire.Tag
		reply   wire.Reply
		outcome lock.Outcome
		event   history.Event
		token   int64
	}{
		{"granted", false, lock.TagAcquire, wire.Reply{Status: wire.OK}, lock.Acquired, history.Event{Kind: history.Acquired, For: 4}, 0},
		{"granted with a token", true, lock.TagAcquire, wire.Reply{Status: wire.OK, Value: 9}, lock.Acquired, history.Event{Kind: history.Acquired, For: 4, Token: 9}, 9},
		{"refused", true, lock.TagAcquire, wire.Reply{Status: wire.Nil}, lock.Waiting, history.Event{Kind: history.Refused}, 0},
		{"released", false, lock.TagRelease, wire.Reply{Status: wire.OK}, lock.Released, history.Event{Kind: history.Released}, 0},
		{"lost", false, lock.TagRelease, wire.Reply{Status: wire.Nil}, lock.Released, history.Event{Kind: history.Lost}, 0},
	} {
		m := newMachine(&lock.Policy{Kind: lock.Single, TTL: 1500 * ms, TokenInside: test.inside, Retry: lock.Retry{Every: choice.Const(1)}})
		var out wire.Wishes
		m.Acquire(10, 7, &out)
		sent := out.All()[0].Command
		if want := (wire.Command{Op: wire.SetNX, Key: wire.KeyLock, Worker: 3, Value: sent.Value, TTL: 1500}); !test.inside && sent != want {
			t.Errorf("%s: sent %+v, want %+v", test.name, sent, want)
		}
		if test.inside != (sent.Op == wire.SetNXToken) {
			t.Errorf("%s: sent %+v", test.name, sent)
		}
		out.Reset()
		test.event.Worker, test.event.Round = 3, 7
		outcome := m.Replied(14, test.tag, &test.reply, &out)
		if event := out.Notes()[0]; outcome != test.outcome || event != test.event || m.Token() != test.token {
			t.Errorf("%s: outcome %d, event %+v, token %d", test.name, outcome, event, m.Token())
		}
	}
}
