package worker_test

import (
	"testing"

	"locklab/internal/choice"
	"locklab/worker"
	"locklab/worker/lock"
)

// A client that is refused subscribes, tries once more, and waits for a message or the end of the lease.
func TestWakeUp(t *testing.T) {
	wake := func(change func(*worker.Plan)) func(*worker.Plan) {
		return func(p *worker.Plan) {
			p.Lock.Retry = lock.Retry{Wake: lock.ByMessage}
			if change != nil {
				change(p)
			}
		}
	}
	for _, test := range []struct {
		name   string
		change func(*worker.Plan)
		script string
	}{
		{"by a message", wake(nil), `
			0 begin       | start@0
			0 start       | (asked) SETNX-OR-LEFT A 1000
			1 nil 900     | (refused) SUBSCRIBE
			2 ok          | SETNX-OR-LEFT A 1000
			3 nil 898     | (refused) retry@901
			100 told      | no-retry SETNX-OR-LEFT A 1000
			101 ok        | (acquired 101) unsubscribe ENTER
			102 told      |
		`},
		{"by the end of the lease", wake(nil), `
			0 begin       | start@0
			0 start       | (asked) SETNX-OR-LEFT A 1000
			1 nil 900     | (refused) SUBSCRIBE
			2 ok          | SETNX-OR-LEFT A 1000
			3 nil 0       | (refused) retry@4
			4 retry       | SETNX-OR-LEFT A 1000
			5 ok          | (acquired 5) unsubscribe ENTER
		`},
		{"a message while a try is under way ends the wait after it", wake(nil), `
			0 begin       | start@0
			0 start       | (asked) SETNX-OR-LEFT A 1000
			1 nil 900     | (refused) SUBSCRIBE
			2 ok          | SETNX-OR-LEFT A 1000
			3 told        |
			4 nil 898     | (refused) SETNX-OR-LEFT A 1000
			5 nil 898     | (refused) retry@903
		`},
		{"a lost message is none", wake(func(p *worker.Plan) { p.Lock.Retry.Lost = 1 }), `
			0 begin       | start@0
			0 start       | (asked) SETNX-OR-LEFT A 1000
			1 nil 900     | (refused) SUBSCRIBE
			2 ok          | SETNX-OR-LEFT A 1000
			3 nil 898     | (refused) retry@901
			100 told      |
		`},
		{"not longer than the longest wait", wake(func(p *worker.Plan) { p.Lock.Retry.Longest = 50 * ms }), `
			0 begin       | start@0
			0 start       | (asked) SETNX-OR-LEFT A 1000
			1 nil 900     | (refused) SUBSCRIBE
			2 ok          | SETNX-OR-LEFT A 1000
			3 nil 898     | (refused) retry@50
			51 retry      | (gave-up 51) (finished) unsubscribe done
		`},
		{"once, if the thread sleeps until both have come", wake(func(p *worker.Plan) {
			p.Pauses = []worker.Pause{{Where: worker.At, Time: 50 * ms, For: choice.Const(1000 * ms), Thread: true}}
		}), `
			0 begin       | start@0 pause-at@50
			0 start       | (asked) SETNX-OR-LEFT A 1000
			1 nil 900     | (refused) SUBSCRIBE
			2 ok          | SETNX-OR-LEFT A 1000
			3 nil 898     | (refused) retry@901
			50 pause-at   | (thread-stopping acquire 1000) thread@1050
			800 told      |
			900 told      |
			901 retry     |
			1050 thread   | (thread-resumed) thread@1050
			1050 thread   | no-retry SETNX-OR-LEFT A 1000
			1051 ok       | (acquired 1051) unsubscribe ENTER
		`},
		{"in turn, and out of the queue when it gives up", wake(func(p *worker.Plan) {
			p.Lock.Retry = lock.Retry{Wake: lock.InTurn, Place: 300_000 * ms, Tries: 2}
		}), `
			0 begin       | start@0
			0 start       | (asked) IN-TURN A 1000 300000
			1 nil 900     | (refused) SUBSCRIBE A
			2 ok          | IN-TURN A 1000 300000
			3 nil 898     | (refused) (gave-up 3) unsubscribe LEAVE-QUEUE A
			4 ok          | (finished) done
		`},
	} {
		t.Run(test.name, func(t *testing.T) {
			play(t, simple(func(p *worker.Plan) { p.Think = choice.Law{}; test.change(p) }), test.script)
		})
	}
}
