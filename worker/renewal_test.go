package worker_test

import (
	"fmt"
	"strings"
	"testing"

	"locklab/history"
	"locklab/worker"
	"locklab/worker/lock"
)

// The commands of the forms of acquire and release, one after the other's reply. What a GET replies is never the owner value here.
func TestForms(t *testing.T) {
	for _, test := range []struct {
		acquire lock.AcquireForm
		release lock.ReleaseForm
		script  string
	}{
		{lock.SetPX, lock.PlainDelete, `
			0 begin   | start@0
			0 start   | (asked) SET A 1000
			1 ok      | (acquired 1) ENTER
			2 ok 1    | (entered 1) (work-began) step@302
			302 step  | (work-ended) LEAVE
			303 ok    | (left) (releasing) PLAIN-DEL
			304 ok 1  | (released) (finished) done
		`},
		{lock.SetNX, lock.PlainDelete, `
			0 begin   | start@0
			0 start   | (asked) SET A 0
			1 nil     | (refused) retry@26
			26 retry  | SET A 0
			27 ok     | (acquired 27) ENTER
			28 ok 1   | (entered 1) (work-began) step@328
			328 step  | (work-ended) LEAVE
			329 ok    | (left) (releasing) PLAIN-DEL
			330 ok 0  | (lost) (finished) done
		`},
		{lock.SetNXExpire, lock.GetDelete, `
			0 begin   | start@0
			0 start   | (asked) SET A 0
			1 ok      | PEXPIRE 1000
			2 ok 1    | (acquired 2) ENTER
			3 ok 1    | (entered 1) (work-began) step@303
			303 step  | (work-ended) LEAVE
			304 ok    | (left) (releasing) GET
			305 ok 7  | (lost) (finished) done
		`},
	} {
		play(t, simple(func(p *worker.Plan) { p.Lock.Acquire, p.Lock.Release = test.acquire, test.release }), test.script)
	}
}

// A release that finds the lock not its own may be tried again, and a lease may have to last for some time.
func TestReleaseMore(t *testing.T) {
	const begun = `
			0 begin   | start@0
			0 start   | (asked) SETNX A 1000
			1 ok      | (acquired 1) ENTER
			2 ok 1    | (entered 1) (work-began) step@302
			302 step  | (work-ended) LEAVE`
	for _, test := range []struct {
		change func(*lock.Policy)
		script string
	}{
		{func(p *lock.Policy) { p.ReleaseTries = 2 }, `
			303 ok    | (left) (releasing) DEL A
			304 nil   | retry@329
			329 retry | DEL A
			330 nil   | (lost) (finished) done
		`},
		{func(p *lock.Policy) { p.ReleaseTries = 3 }, `
			303 ok    | (left) (releasing) DEL A
			304 nil   | retry@329
			329 retry | DEL A
			330 ok    | (released) (finished) done
		`},
		{func(p *lock.Policy) { p.MinHold = 502*ms - 1 }, `
			303 ok    | (left) (releasing) RENEW A 200
			304 ok    | (released) (finished) done
		`},
		{func(p *lock.Policy) { p.MinHold, p.Release = 502*ms, lock.PlainDelete }, `
			303 ok    | (left) (releasing) SET A 200
			304 nil   | (lost) (finished) done
		`},
		{func(p *lock.Policy) { p.MinHold, p.Release = 302*ms, lock.PlainDelete }, `
			303 ok    | (left) (releasing) PLAIN-DEL
			304 ok 1  | (released) (finished) done
		`},
	} {
		play(t, simple(func(p *worker.Plan) { test.change(&p.Lock) }), begun+test.script)
	}
}

// A holder renews beside its round, until it releases, or finds that there is nothing left to renew.
func TestRenewal(t *testing.T) {
	const begun = `
			0 begin   | start@0
			0 start   | (asked) SETNX A 1000
			1 ok      | (acquired 1) renew@101 ENTER
			2 ok 1    | (entered 1) (work-began) step@302
			101 renew | RENEW A 1000%s
	`
	for _, test := range []struct {
		name   string
		renew  lock.Renew
		script string
	}{
		{"the period counts from the reply; a reply after the release has been sent makes no difference", lock.Renew{}, `
			103 ok    | (renewed) renew@203
			203 renew | RENEW A 1000
			302 step  | (work-ended) LEAVE
			303 ok    | (renewed) renew@403
			304 ok    | (left) (releasing) no-renew DEL A
			305 ok    | (released) (finished) done
		`},
		{"lost: counted once, with the release", lock.Renew{}, `
			103 nil   | (renewal-lost)
			302 step  | (work-ended) LEAVE
			303 ok    | (left) (releasing) no-renew DEL A
			304 nil   | (lost-again) (finished) done
		`},
		{"no reply in time: another at once, and the late reply makes no difference", lock.Renew{Timeout: 20 * ms, OnError: lock.RetryAtOnce}, `
			121 renew | (renewal-failed) RENEW A 1000 renew@141
			130 nil   |
			135 ok    | (renewed) renew@235
			235 renew | RENEW A 1000 renew@255
		`},
		{"no more than two under way", lock.Renew{Timeout: 20 * ms, OnError: lock.RetryAtOnce}, `
			121 renew | (renewal-failed) RENEW A 1000 renew@141
			141 renew | (renewal-failed) renew@241
			241 renew | renew@341
			250 ok    |
			341 renew | RENEW A 1000 renew@361
		`},
		{"no reply in time: the next after the period", lock.Renew{Timeout: 20 * ms}, `
			121 renew | (renewal-failed) renew@221
			130 ok    |
			221 renew | RENEW A 1000 renew@241
		`},
		{"no reply in time: none", lock.Renew{Timeout: 20 * ms, OnError: lock.StopRenewing}, `
			121 renew | (renewal-failed)
			130 ok    |
			302 step  | (work-ended) LEAVE
		`},
		{"not longer than so long after the grant", lock.Renew{AtMost: 150 * ms}, `
			103 ok    | (renewed) no-renew
			302 step  | (work-ended) LEAVE
		`},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.renew.Every = 100 * ms
			limit := ""
			if test.renew.Timeout > 0 {
				limit = " renew@121"
			}
			play(t, simple(func(p *worker.Plan) { p.Lock.Renew = test.renew }), strings.TrimRight(fmt.Sprintf(begun, limit), "\n\t")+test.script)
		})
	}
}

// A holder learns of a loss, or of what it takes for one, and stops its work or goes on.
func TestLearning(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*worker.Plan)
		script string
	}{
		{"by a deadline, from the try that was granted, and never while it is stopped", func(p *worker.Plan) {
			p.Lock.Loss = lock.Loss{Learn: lock.LearnByDeadline, Stops: true}
			p.Pauses = []worker.Pause{before(history.Enter, 1200)}
		}, `
			0 begin       | start@0
			0 start       | (asked) SETNX A 1000
			1 nil         | (refused) retry@26
			26 retry      | SETNX A 1000
			27 ok         | (acquired 27) (stopping enter 1200) learn@1026 STOP 1200
			1227 resumed  | (resumed) ENTER
			1227 learn    | (learned)
			1228 ok 2     | (entered 2) LEAVE
			1229 ok       | (left) (releasing) no-learn DEL A
			1230 nil      | (lost) (finished) done
		`},
		{"a renewal moves the deadline; it is in the midst of its work", func(p *worker.Plan) {
			p.Lock.TTL, p.Lock.Renew = 150*ms, lock.Renew{Every: 100 * ms, AtMost: 150 * ms}
			p.Lock.Loss = lock.Loss{Learn: lock.LearnByDeadline, Stops: true}
			p.Fencing = worker.Fencing{Token: worker.TokenInside, Check: worker.CheckCommit}
			p.Lock.TokenInside = true
		}, `
			0 begin       | start@0
			0 start       | (asked) SETNX+INCR A 150
			1 ok 5        | (acquired token 5 1) renew@101 learn@150 ENTER
			2 ok 1        | (entered 1) (work-began) step@302
			101 renew     | RENEW A 150
			102 ok        | (renewed) no-renew learn@251
			251 learn     | (learned) (work-ended) no-step LEAVE
			252 ok        | (left) (releasing) no-renew no-learn DEL A
			253 ok        | (released) (finished) done
		`},
		{"by polling, and it goes on", func(p *worker.Plan) {
			p.Lock.TTL, p.Lock.Loss = 150*ms, lock.Loss{Learn: lock.LearnByPolling, Every: 100 * ms}
		}, `
			0 begin       | start@0
			0 start       | (asked) SETNX A 150
			1 ok          | (acquired 1) learn@101 ENTER
			2 ok 1        | (entered 1) (work-began) step@302
			101 learn     | learn@201
			201 learn     | (learned)
			302 step      | (work-ended) LEAVE
		`},
		{"by a renewal that found the lock lost, with a latency", func(p *worker.Plan) {
			p.Lock.Renew, p.Lock.Loss = lock.Renew{Every: 100 * ms}, lock.Loss{Learn: lock.LearnByCancel, Latency: 5 * ms, Stops: true}
		}, `
			0 begin       | start@0
			0 start       | (asked) SETNX A 1000
			1 ok          | (acquired 1) renew@101 ENTER
			2 ok 1        | (entered 1) (work-began) step@302
			101 renew     | RENEW A 1000
			103 nil       | (renewal-lost) learn@108
			108 learn     | (learned) (work-ended) no-step LEAVE
		`},
		{"with nothing inside yet, it releases at once", func(p *worker.Plan) {
			p.Lock.TTL, p.Lock.Loss = 5*ms, lock.Loss{Learn: lock.LearnByDeadline, Stops: true}
			p.Fencing = worker.Fencing{Token: worker.TokenAfter}
		}, `
			0 begin       | start@0
			0 start       | (asked) SETNX A 5
			1 ok          | (acquired 1) learn@5 INCR
			5 learn       | (learned)
			6 ok 3        | (token token 3) (releasing) no-learn DEL A
		`},
	} {
		t.Run(test.name, func(t *testing.T) { play(t, simple(test.change), test.script) })
	}
}

// While a thread sleeps its process renews on; what comes for the thread is handled when it wakes, in the order in which it came.
func TestThreadSleeps(t *testing.T) {
	sleeping := func(p worker.Pause) worker.Pause { p.Thread = true; return p }
	for _, test := range []struct {
		name   string
		change func(*worker.Plan)
		script string
	}{
		{"before a step", func(p *worker.Plan) {
			p.Lock.Renew = lock.Renew{Every: 100 * ms}
			p.Pauses = []worker.Pause{sleeping(before(history.Enter, 250))}
		}, `
			0 begin       | start@0
			0 start       | (asked) SETNX A 1000
			1 ok          | (acquired 1) (thread-stopping enter 250) renew@101 thread@251
			101 renew     | RENEW A 1000
			102 ok        | (renewed) renew@202
			202 renew     | RENEW A 1000
			251 thread    | (thread-resumed) ENTER
			252 ok        | (renewed) renew@352
			253 ok 1      | (entered 1) (work-began) step@553
		`},
		{"right after a command: its reply waits", func(p *worker.Plan) {
			p.Pauses = []worker.Pause{sleeping(during(history.Enter, 100, 0))}
		}, `
			0 begin       | start@0
			0 start       | (asked) SETNX A 1000
			1 ok          | (acquired 1) (thread-stopping enter 100) ENTER thread@101
			2 ok 1        |
			101 thread    | (thread-resumed) thread@101
			101 thread    | (entered 1) (work-began) step@401
		`},
		{"at its work, whose time passes meanwhile; then it learns of the deadline that has passed, too", func(p *worker.Plan) {
			p.Lock.Loss = lock.Loss{Learn: lock.LearnByDeadline}
			p.Pauses = []worker.Pause{sleeping(during(history.Work, 2000, 0.5))}
		}, `
			0 begin       | start@0
			0 start       | (asked) SETNX A 1000
			1 ok          | (acquired 1) learn@1000 ENTER
			2 ok 1        | (entered 1) (work-began) step@302 pause@152
			152 pause     | (thread-stopping work 2000) thread@2152
			302 step      |
			1000 learn    |
			2152 thread   | (thread-resumed) thread@2152
			2152 thread   | (work-ended) no-pause LEAVE thread@2152
			2152 thread   | (learned)
		`},
		{"work that is time on the processor is prolonged", func(p *worker.Plan) {
			p.WorkCPU = true
			p.Pauses = []worker.Pause{sleeping(during(history.Work, 2000, 0.5))}
		}, `
			0 begin       | start@0
			0 start       | (asked) SETNX A 1000
			1 ok          | (acquired 1) ENTER
			2 ok 1        | (entered 1) (work-began) step@302 pause@152
			152 pause     | (thread-stopping work 2000) thread@2152
			302 step      |
			2152 thread   | (thread-resumed) step@2302
		`},
	} {
		t.Run(test.name, func(t *testing.T) { play(t, simple(test.change), test.script) })
	}
}
