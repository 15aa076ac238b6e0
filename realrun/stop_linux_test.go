package realrun_test

import (
	"fmt"
	"strings"
	"testing"

	"locklab/history"
	"locklab/realrun"
)

// A worker that is stopped for longer than any usual time-out while a reply is pending takes the reply when it wakes:
// no error, and the command was executed once, when it was sent.
func TestStoppedWithReplyPending(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		step string
		ttl  string
		end  history.Kind // how the release ends if the command was executed before the stop
	}{
		{"acquire", "3s", history.Lost},
		{"enter", "10s", history.Released},
		{"release", "3s", history.Released},
	} {
		t.Run(test.step, func(t *testing.T) {
			t.Parallel()
			u := startUsers(t)
			s := open(t, u.URL())
			sc := scenario(t, "lesson/b", 1, "workers=1", "rounds=1", "work=1ms", "lock.ttl="+test.ttl,
				"pauses=[{during: "+test.step+", for: 3500ms}]")
			u.do(t, "CONFIG", "RESETSTAT")
			o := measure(t, s, sc)
			wellFormed(t, o)
			equal(t, "stops", int64(count(o.Events, history.Stopping)), 1)
			equal(t, test.end.String(), int64(count(o.Events, test.end)), 1)
			stay := between(o.Events, history.Entered, history.Left)
			if stood := stay >= 3_500_000; stood != (test.step == "enter") {
				t.Errorf("inside for %d µs", stay)
			}
			// Two SETs prepare the run's keys; enter, leave and release are scripts.
			equal(t, "SET", calls(t, &u, "set"), 3)
			equal(t, "EVALSHA", calls(t, &u, "evalsha"), 3)
		})
	}
}

// between is the time from the referee being told one thing to its being told another, in microseconds.
func between(events []history.Event, from, to history.Kind) int64 {
	var d int64
	for _, e := range events {
		switch e.Kind {
		case from:
			d -= e.ServerUS
		case to:
			d += e.ServerUS
		}
	}
	return d
}

// calls is how often the server has executed a command.
func calls(t *testing.T, u *users, command string) int64 {
	t.Helper()
	_, rest, _ := strings.Cut(u.do(t, "INFO", "commandstats").(string), "cmdstat_"+command+":calls=")
	var n int64
	_, _ = fmt.Sscanf(rest, "%d", &n)
	return n
}

// However busy the processors, a stop during a step comes after its command: all leases end while their holders stand.
func TestCommandIsSentBeforeTheStop(t *testing.T) {
	t.Parallel()
	s := open(t, realrun.Auto)
	sc := scenario(t, "lesson/b", 1, "workers=1", "rounds=20", "work=0ms", "lock.ttl=20ms",
		"pauses=[{during: acquire, for: 30ms}]")
	jobs := make([]realrun.Job, 8)
	for i := range jobs {
		jobs[i] = realrun.Job{Scenario: sc, Seed: 1}
	}
	for _, r := range measureAll(t.Context(), s, jobs...) {
		if r.err != nil {
			t.Fatal(r.err)
		}
		equal(t, "lost holds", r.Tally.LostHolds, 20)
	}
}
