package worker_test

import (
	"testing"

	"locklab/internal/choice"
	"locklab/worker"
	"locklab/worker/lock"
)

// The whole round, for what a lock and its fencing make of it. The last round ends without think.
func TestRound(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*worker.Plan)
		script string
	}{
		{"without a lock", func(p *worker.Plan) { p.Lock, p.Rounds = lock.Policy{}, 2 }, `
			0 begin     | start@0
			0 start     | ENTER
			1 ok 2      | (entered 2) (work-began) step@301
			301 step    | (work-ended) LEAVE
			302 ok 1    | (left 1) step@312
			312 step    | ENTER
			313 ok 1    | (entered 1) (work-began) step@613
			613 step    | (work-ended) LEAVE
			614 ok      | (left) (finished) done
		`},
		{"with a lock: a fresh owner value for each acquisition, the same for its tries", func(p *worker.Plan) { p.Rounds = 2 }, `
			0 begin     | start@0
			0 start     | (asked) SETNX A 1000
			1 nil       | (refused) retry@26
			26 retry    | SETNX A 1000
			27 ok       | (acquired 27) ENTER
			28 ok 1     | (entered 1) (work-began) step@328
			328 step    | (work-ended) LEAVE
			329 ok      | (left) (releasing) DEL A
			330 ok      | (released) step@340
			340 step    | (asked) SETNX B 1000
			341 ok      | (acquired 1) ENTER
			342 ok 1    | (entered 1) (work-began) step@642
			642 step    | (work-ended) LEAVE
			643 ok      | (left) (releasing) DEL B
			644 nil     | (lost) (finished) done
		`},
		{"token after the acquire, checked at the start", fencing(worker.TokenAfter, worker.CheckStart), `
			0 begin     | start@0
			0 start     | (asked) SETNX A 1000
			1 ok        | (acquired 1) INCR
			2 ok 7      | (token token 7) ENTER
			3 ok 1      | (entered 1) WRITE 7
			4 ok        | (accepted check token 7) (work-began) step@304
			304 step    | (work-ended) LEAVE
			305 ok      | (left) (releasing) DEL A
			306 ok      | (released) (finished) done
		`},
		{"rejected at the start: the work is skipped", fencing(worker.TokenAfter, worker.CheckStart), `
			0 begin     | start@0
			0 start     | (asked) SETNX A 1000
			1 ok        | (acquired 1) INCR
			2 ok 7      | (token token 7) ENTER
			3 ok 2      | (entered 2) WRITE 7
			4 nil       | (rejected check token 7) LEAVE
			5 ok 1      | (left 1) (releasing) DEL A
			6 nil       | (lost) (finished) done
		`},
		{"rejected at the start with both checks: the commit is skipped, too", fencing(worker.TokenInside, worker.CheckStart|worker.CheckCommit), `
			0 begin     | start@0
			0 start     | (asked) SETNX+INCR A 1000
			1 ok 7      | (acquired token 7 1) ENTER
			2 ok 2      | (entered 2) WRITE 7
			3 nil       | (rejected check token 7) LEAVE
			4 ok        | (left) (releasing) DEL A
			5 ok        | (released) (finished) done
		`},
		{"token before the acquire, drawn once for all its tries; rejected at the commit", fencing(worker.TokenBefore, worker.CheckCommit), `
			0 begin     | start@0
			0 start     | INCR
			1 ok 7      | (token token 7) (asked) SETNX A 1000
			2 nil       | (refused) retry@27
			27 retry    | SETNX A 1000
			28 ok       | (acquired 27) ENTER
			29 ok 1     | (entered 1) (work-began) step@329
			329 step    | (work-ended) WRITE 7
			330 nil     | (rejected commit token 7 301) LEAVE
			331 ok      | (left) (releasing) DEL A
			332 ok      | (released) (finished) done
		`},
		{"token inside the acquire's script, both checks; a new token each round", func(p *worker.Plan) {
			fencing(worker.TokenInside, worker.CheckStart|worker.CheckCommit)(p)
			p.Rounds, p.Think = 2, choice.Law{}
		}, `
			0 begin     | start@0
			0 start     | (asked) SETNX+INCR A 1000
			1 ok 7      | (acquired token 7 1) ENTER
			2 ok 1      | (entered 1) WRITE 7
			3 ok        | (accepted check token 7) (work-began) step@303
			303 step    | (work-ended) WRITE 7
			304 ok      | (accepted commit token 7) LEAVE
			305 ok      | (left) (releasing) DEL A
			306 ok      | (released) (asked) SETNX+INCR B 1000
			307 ok 9    | (acquired token 9 1) ENTER
			308 ok 1    | (entered 1) WRITE 9
		`},
		{"a resource that rejects an equal token, too", func(p *worker.Plan) {
			fencing(worker.TokenInside, worker.CheckCommit)(p)
			p.Fencing.OrEqual, p.Work = true, choice.Law{}
		}, `
			0 begin     | start@0
			0 start     | (asked) SETNX+INCR A 1000
			1 ok 7      | (acquired token 7 1) ENTER
			2 ok 1      | (entered 1) (work-began) (work-ended) WRITE-ABOVE 7
		`},
		{"giving up after the most tries: think, then the next round", func(p *worker.Plan) { p.Lock.Retry.Tries, p.Rounds = 2, 2 }, `
			0 begin     | start@0
			0 start     | (asked) SETNX A 1000
			1 nil       | (refused) retry@26
			26 retry    | SETNX A 1000
			27 nil      | (refused) (gave-up 27) step@37
			37 step     | (asked) SETNX B 1000
			38 nil      | (refused) retry@63
			63 retry    | SETNX B 1000
			64 nil      | (refused) (gave-up 27) (finished) done
		`},
		{"giving up rather than beginning a try after the longest wait", func(p *worker.Plan) { p.Lock.Retry.Longest = 52 * ms }, `
			0 begin     | start@0
			0 start     | (asked) SETNX A 1000
			1 nil       | (refused) retry@26
			26 retry    | SETNX A 1000
			27 nil      | (refused) retry@52
			52 retry    | SETNX A 1000
			53 nil      | (refused) (gave-up 53) (finished) done
		`},
	} {
		t.Run(test.name, func(t *testing.T) { play(t, simple(test.change), test.script) })
	}
}

func fencing(token worker.TokenAt, check worker.CheckAt) func(*worker.Plan) {
	return func(p *worker.Plan) {
		p.Fencing = worker.Fencing{Token: token, Check: check}
		p.Lock.TokenInside = token == worker.TokenInside
	}
}

// A round's commands for every token and every check: acquire, enter, leave and delete stand for themselves.
func TestCommandsOfARound(t *testing.T) {
	const (
		none  = worker.CheckAt(0)
		start = worker.CheckStart
		end   = worker.CheckCommit
	)
	for _, test := range []struct {
		token worker.TokenAt
		check worker.CheckAt
		want  string
	}{
		{worker.TokenNone, none, "SETNX ENTER LEAVE DEL"},
		{worker.TokenBefore, none, "INCR SETNX ENTER LEAVE DEL"},
		{worker.TokenBefore, start, "INCR SETNX ENTER WRITE LEAVE DEL"},
		{worker.TokenBefore, end, "INCR SETNX ENTER WRITE LEAVE DEL"},
		{worker.TokenBefore, start | end, "INCR SETNX ENTER WRITE WRITE LEAVE DEL"},
		{worker.TokenAfter, none, "SETNX INCR ENTER LEAVE DEL"},
		{worker.TokenAfter, start, "SETNX INCR ENTER WRITE LEAVE DEL"},
		{worker.TokenAfter, end, "SETNX INCR ENTER WRITE LEAVE DEL"},
		{worker.TokenAfter, start | end, "SETNX INCR ENTER WRITE WRITE LEAVE DEL"},
		{worker.TokenInside, none, "SETNX+INCR ENTER LEAVE DEL"},
		{worker.TokenInside, start, "SETNX+INCR ENTER WRITE LEAVE DEL"},
		{worker.TokenInside, end, "SETNX+INCR ENTER WRITE LEAVE DEL"},
		{worker.TokenInside, start | end, "SETNX+INCR ENTER WRITE WRITE LEAVE DEL"},
	} {
		plan := simple(func(p *worker.Plan) { fencing(test.token, test.check)(p); p.Rounds = 3 })
		l := newLife(plan, 1, 0, 1)
		l.live(func() bool { return true })
		if want := test.want + " " + test.want + " " + test.want; l.commands() != want {
			t.Errorf("token %d, check %d: got %s, want %s", test.token, test.check, l.commands(), want)
		}
	}
}

// The first step is taken at a uniform time within the spread of the start, one of its own for each worker.
func TestStartIsWithinTheSpread(t *testing.T) {
	seen := make(map[int64]bool)
	for id := range 20 {
		l := newLife(simple(func(p *worker.Plan) { p.Start = 2 * ms }), 20, id, 1)
		l.live(func() bool { return true })
		first := l.events[0].At
		if first < 0 || first > 2*ms || seen[first] {
			t.Errorf("worker %d begins at %d", id, first)
		}
		seen[first] = true
	}
}
