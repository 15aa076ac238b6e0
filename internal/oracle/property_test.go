package oracle

import (
	"slices"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/worker"
	"locklab/worker/lock"

	"pgregory.net/rapid"
)

// law draws a law; the exponential and the lognormal one are without a bound.
func law(t *rapid.T, what string, most int64) choice.Law {
	a := rapid.Int64Range(0, most).Draw(t, what+" from")
	b := rapid.Int64Range(a, most).Draw(t, what+" to")
	return rapid.SampledFrom([]choice.Law{
		choice.Const(a), {Kind: choice.Uniform, A: a, B: b}, {Kind: choice.Exponential, A: a},
		{Kind: choice.Empirical, Samples: []int64{a, a, b}}, choice.InSequence([]int64{b, a, a}),
		{Kind: choice.Lognormal, A: a + 1, B: min(b, 4*a) + 1},
	}).Draw(t, what)
}

// troubled draws a scenario in which everything goes wrong: short leases, pauses, crashes, delays.
func troubled(t *rapid.T) *scenarios.Scenario {
	s := &scenarios.Scenario{Workers: rapid.IntRange(1, 5).Draw(t, "workers")}
	s.Rounds = rapid.Int32Range(1, 12).Draw(t, "rounds")
	s.Start = rapid.Int64Range(0, 30*ms).Draw(t, "spread")
	s.Work, s.Think = law(t, "work", 100*ms), law(t, "think", 50*ms)
	s.WorkCPU = rapid.Bool().Draw(t, "cpu")
	s.Resource = rapid.SampledFrom([]worker.Resource{
		{}, {Kind: worker.Job}, {Kind: worker.Job, Update: worker.Idempotent}, {Kind: worker.Job, Update: worker.Transaction},
		{Kind: worker.Balance, Amount: 1}, {Kind: worker.Balance, Amount: 3, Update: worker.Optimistic},
		{Kind: worker.Balance, Amount: 2, Update: worker.Versioned},
	}).Draw(t, "resource")
	s.Lock = lock.Policy{Kind: lock.Single, TTL: rapid.Int64Range(1, 200).Draw(t, "ttl") * ms}
	s.Lock.Retry = lock.Retry{
		Every: choice.Law{Kind: choice.Uniform, A: ms, B: ms + rapid.Int64Range(0, 30*ms).Draw(t, "retry")},
		Tries: rapid.Int64Range(0, 30).Draw(t, "tries"), Longest: rapid.SampledFrom([]int64{0, 70 * ms}).Draw(t, "longest"),
	}
	if rapid.Bool().Draw(t, "backoff") {
		s.Lock.Retry.Factor, s.Lock.Retry.Most = 1.5, 40*ms
	}
	s.Delay = scenarios.Delay{Network: law(t, "network", ms), Timer: law(t, "timer", ms)}
	for range rapid.IntRange(0, 4).Draw(t, "pauses") {
		s.Pauses = append(s.Pauses, worker.Pause{
			Where: rapid.SampledFrom([]worker.Where{worker.Before, worker.During, worker.At}).Draw(t, "where"),
			Step:  history.Step(rapid.IntRange(int(history.Acquire), int(history.Think)).Draw(t, "step")),
			Time:  rapid.Int64Range(0, 1000*ms).Draw(t, "time"), For: law(t, "for", 300*ms),
			Fraction: rapid.Float64Range(-1, 1).Draw(t, "fraction"), Probability: 0.3,
		})
	}
	for range rapid.IntRange(0, 2).Draw(t, "crashes") {
		s.Pauses = append(s.Pauses, worker.Pause{
			Crash: true, Where: rapid.SampledFrom([]worker.Where{worker.Before, worker.During}).Draw(t, "crash"),
			Step: history.Step(rapid.IntRange(int(history.Acquire), int(history.Think)).Draw(t, "crash step")),
			When: worker.InRound, Round: rapid.Int32Range(0, s.Rounds-1).Draw(t, "crash round"), Fraction: -1,
			Workers: []int32{rapid.Int32Range(0, int32(s.Workers)-1).Draw(t, "who")},
		})
	}
	return s
}

func fence(t *rapid.T, s *scenarios.Scenario) {
	s.Fencing.Token = rapid.SampledFrom([]worker.TokenAt{
		worker.TokenNone, worker.TokenBefore, worker.TokenAfter, worker.TokenInside,
	}).Draw(t, "token")
	s.Lock.TokenInside = s.Fencing.Token == worker.TokenInside
	if s.Fencing.Token != worker.TokenNone {
		s.Fencing.Check = worker.CheckAt(rapid.IntRange(0, 3).Draw(t, "check"))
	}
	makeRoom(s)
}

// makeRoom takes away a resource whose commit has no room for the check that there is.
func makeRoom(s *scenarios.Scenario) {
	if s.Fencing.Check&worker.CheckCommit != 0 && !s.Resource.Fenced() {
		s.Resource = worker.Resource{}
	}
}

func machine(t *rapid.T) *scenarios.Profile {
	return &scenarios.Profile{
		Network: scenarios.Network{
			AfterSleep: law(t, "latency after a sleep", 3*ms), AfterReply: law(t, "latency after a reply", 3*ms),
			RoundTrip: rapid.Bool().Draw(t, "round trip"),
		},
		Timers: []scenarios.TimerLateness{{Sleep: ms, Late: law(t, "lateness", 3*ms)}, {Sleep: 50 * ms, Late: law(t, "lateness of long sleeps", 9*ms)}},
		Start:  law(t, "start", ms), Stop: law(t, "stop", ms), Continue: law(t, "continue", ms),
	}
}

// With the token inside the acquire's script and a check at the commit, no stale write is accepted, whatever the pauses,
// the crashes and the delays, and however short the leases; and tokens follow the order of grants.
func TestNoStaleWriteIsAccepted(t *testing.T) {
	var stale, crashes int64
	rapid.Check(t, func(t *rapid.T) {
		s, p := troubled(t), machine(t)
		s.Fencing = worker.Fencing{Token: worker.TokenInside, Check: worker.CheckCommit, OrEqual: rapid.Bool().Draw(t, "or equal")}
		if !s.Fencing.OrEqual && rapid.Bool().Draw(t, "both checks") {
			s.Fencing.Check |= worker.CheckStart
		}
		s.Lock.TokenInside = true
		makeRoom(s)
		seed := rapid.Uint64().Draw(t, "seed")
		for i := range uint64(10) {
			events, r := observed(s, p, choice.RunSeed(seed, i))
			if r.Tally.StaleAccepted != 0 || r.Tally.TokenDisorder != 0 {
				t.Fatalf("%+v", r.Tally)
			}
			stale += r.Tally.StaleWrites
			crashes += int64(count(events, history.Crashed))
		}
	})
	t.Logf("%d stale writes, %d crashes", stale, crashes)
	if !testing.Short() && (stale < 30 || crashes < 100) {
		t.Errorf("only %d stale writes and %d crashes came up", stale, crashes)
	}
}

func count(events []history.Event, kinds ...history.Kind) int {
	n := 0
	for _, e := range events {
		if slices.Contains(kinds, e.Kind) {
			n++
		}
	}
	return n
}

// The tally of a history, which forgets every event as soon as it is counted, is what a plain reading of the whole history
// finds, which takes a time that grows with its square.
//
// A worker that dies after the referee has counted it in or out, and before it learns of that, takes this to its grave: of what
// the others saw of it the history has no explanation. In such runs conflicts and overlap are not compared.
func TestTallyIsWhatAPlainReadingFinds(t *testing.T) {
	runs, gaps := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s, p := troubled(t), machine(t)
		fence(t, s)
		if rapid.IntRange(0, 9).Draw(t, "unlocked") == 0 && s.Fencing.Token != worker.TokenInside {
			s.Lock = lock.Policy{}
		}
		events, r := observed(s, p, rapid.Uint64().Draw(t, "seed"))
		want := reading(events)
		runs++
		if hasGap(events) {
			want.Conflicts, want.Overlap = r.Tally.Conflicts, r.Tally.Overlap
			gaps++
		}
		if want.AtEnd = r.Tally.AtEnd; r.Tally != want {
			t.Fatalf("tally   %+v\nreading %+v", r.Tally, want)
		}
	})
	t.Logf("%d of %d runs have a gap", gaps, runs)
	if 3*gaps > runs {
		t.Error("too many to say much")
	}
}

// hasGap reports whether the referee counted something that nobody tells of.
func hasGap(events []history.Event) bool {
	var most int64
	for _, e := range events {
		if isReferees(e.Kind) {
			most = max(most, e.Order)
		}
	}
	return int(most) != count(events, history.Entered, history.Left, history.Removed)
}

// reading counts what a history says about a run, by its definitions.
func reading(events []history.Event) history.Tally {
	var y history.Tally
	for i, e := range events {
		y.End = max(y.End, e.At)
		switch e.Kind {
		case history.Entered:
			y.Entries++
			if len(insideAt(events, e.Order))-1 > 0 {
				y.Conflicts++
			}
		case history.Acquired:
			wait := e.At - last(events[:i], e.Worker, history.Asked).At
			y.Waits++
			y.Wait += wait
			y.WaitMax = max(y.WaitMax, wait)
		case history.Committed:
			y.Waits++
			y.Wait += e.For
			y.WaitMax = max(y.WaitMax, e.For)
		case history.Releasing:
			acquired, hold := last(events[:i], e.Worker, history.Acquired), last(events[:i], e.Worker, history.Granted)
			y.FalseBelief += max(0, e.At-max(acquired.At, hold.At+hold.For))
		case history.Lost:
			hold := last(events[:i], e.Worker, history.Granted)
			if count(ofHold(events, hold.Order), history.Freed) == 0 {
				y.LostHolds++
			}
		}
	}
	y.Overlap = overlapOf(events)
	y.Refused, y.GaveUp = int64(count(events, history.Refused)), int64(count(events, history.GaveUp))
	y.AcceptedWrites, y.RejectedWrites = int64(count(events, history.Accepted, history.Committed)), int64(count(events, history.Rejected))
	y.Updates = int64(countIf(events, func(e history.Event) bool {
		return (e.Kind == history.Accepted || e.Kind == history.Committed) && e.Step == history.Commit
	}))
	y.LostUpdates, y.DoneTwice, y.Retries = lostUpdates(events), int64(count(events, history.DoneTwice)), int64(count(events, history.Retried))
	for _, e := range events {
		if e.Kind == history.Rejected || e.Kind == history.Retried || e.Kind == history.DoneTwice || e.Kind == history.Skipped {
			y.Wasted += e.For
		}
	}
	y.LateWrites, y.StaleWrites = int64(count(events, history.LateWrite)), int64(count(events, history.StaleWrite))
	y.StaleAccepted, y.TokenDisorder = int64(count(events, history.StaleAccepted)), int64(count(events, history.TokenDisorder))
	return y
}

// lostUpdates counts writes of a balance that came from another value than the one before them, in the order of what each made of it.
// A worker that read, and noted by how many writes it was late, was.
func lostUpdates(events []history.Event) (n int64) {
	for _, e := range events {
		if e.Kind == history.LostUpdate && e.Value > 0 {
			n++
		}
	}
	return n
}

func countIf(events []history.Event, holds func(history.Event) bool) (n int) {
	for _, e := range events {
		if holds(e) {
			n++
		}
	}
	return n
}

// last is the last event of one kind of a worker.
func last(events []history.Event, worker int32, k history.Kind) history.Event {
	for _, e := range slices.Backward(events) {
		if e.Worker == worker && e.Kind == k {
			return e
		}
	}
	panic("no event " + k.String())
}

// ofHold are the events of a hold at the store.
func ofHold(events []history.Event, order int64) (some []history.Event) {
	for _, e := range events {
		if e.Order == order && (e.Kind == history.Granted || e.Kind == history.Freed || e.Kind == history.Expired) {
			some = append(some, e)
		}
	}
	return some
}

// insideAt are the workers who are inside after the referee's command of the given number, that one included.
func insideAt(events []history.Event, order int64) map[int32]bool {
	latest := make(map[int32]history.Event)
	for _, e := range events {
		if isReferees(e.Kind) && e.Order <= order && e.Order > latest[e.Worker].Order {
			latest[e.Worker] = e
		}
	}
	inside := make(map[int32]bool)
	for w, e := range latest {
		if e.Kind == history.Entered {
			inside[w] = true
		}
	}
	return inside
}

func isReferees(k history.Kind) bool {
	return k == history.Entered || k == history.Left || k == history.Removed
}

// overlapOf is the time with two or more inside by the referee's clock, in ns.
func overlapOf(events []history.Event) (sum int64) {
	byOrder := make(map[int64]history.Event)
	for _, e := range events {
		if isReferees(e.Kind) {
			byOrder[e.Order] = e
		}
	}
	for order, e := range byOrder {
		if next, ok := byOrder[order+1]; ok && len(insideAt(events, order)) > 1 {
			sum += 1000 * (next.ServerUS - e.ServerUS)
		}
	}
	return sum
}

// At a single store whose clock only moves forward, no two holds overlap: they are numbered as they begin, each has one end,
// by release or by the end of its lease (which, of the last, nobody may find out), and the next begins no earlier.
func TestHoldsNeverOverlap(t *testing.T) {
	expired := 0
	rapid.Check(t, func(t *rapid.T) {
		s, p := troubled(t), machine(t)
		fence(t, s)
		events, _ := observed(s, p, rapid.Uint64().Draw(t, "seed"))
		var before int64
		for order := int64(1); order <= int64(count(events, history.Granted)); order++ {
			hold := ofHold(events, order)
			if last := int64(count(events, history.Granted)) == order; last && len(hold) == 1 {
				continue // nobody has asked for the lock since
			}
			if len(hold) != 2 || hold[0].Kind != history.Granted || hold[1].Worker != hold[0].Worker {
				t.Fatalf("hold %d: %+v", order, hold)
			}
			begin, over := hold[0], hold[1]
			lease := begin.At + begin.For
			if begin.At < before || over.At < begin.At || over.At > lease || over.Kind == history.Expired && over.At != lease {
				t.Fatalf("after %d: hold %d: %+v", before, order, hold)
			}
			if rest := begin.For - s.Lock.TTL; rest <= 0 || rest > ms {
				t.Fatalf("a lease of %d ns for a TTL of %d ns", begin.For, s.Lock.TTL)
			}
			before = over.At
			if over.Kind == history.Expired {
				expired++
			}
		}
	})
	t.Logf("%d leases ended by themselves", expired)
	if !testing.Short() && expired < 40 {
		t.Errorf("only %d leases ended by themselves", expired)
	}
}

// A run ends: every worker finishes or dies, once; a dead one says nothing more, is taken out by the referee, and at the
// end nobody is inside; who was stopped goes on; and the time of what is observed never goes back.
func TestRunsEndWithCrashes(t *testing.T) {
	crashes := 0
	rapid.Check(t, func(t *rapid.T) {
		s, p := troubled(t), machine(t)
		fence(t, s)
		crashes += ends(t, s, p)
	})
	t.Logf("%d crashes", crashes)
	if !testing.Short() && crashes < 15 {
		t.Errorf("only %d crashes came up", crashes)
	}
}

// checkLife checks what a worker tells of its own life.
func checkLife(t *rapid.T, own []history.Event) {
	finished, crashed, removed := count(own, history.Finished), count(own, history.Crashed), count(own, history.Removed)
	stops, wakes := count(own, history.Stopping), count(own, history.Resumed)
	if finished+crashed != 1 || removed != crashed || stops != wakes {
		t.Fatalf("finished %d times, crashed %d, removed %d, stopped %d, woke %d", finished, crashed, removed, stops, wakes)
	}
	end := own[len(own)-1].Kind
	if crashed > 0 && (end != history.Removed || !diesBeforeRemoval(own)) || crashed == 0 && end != history.Finished {
		t.Fatalf("after its end: %+v", own[max(0, len(own)-4):])
	}
}

// diesBeforeRemoval reports whether between its crash and its removal a worker's life has at most what the command that was
// under way did.
func diesBeforeRemoval(own []history.Event) bool {
	own = own[:len(own)-1]
	if last := own[len(own)-1].Kind; last == history.LostUpdate || last == history.DoneTwice {
		own = own[:len(own)-1] // goes with the write
	}
	last := own[len(own)-1].Kind
	switch last {
	case history.Entered, history.Left, history.Accepted, history.Rejected:
		last = own[len(own)-2].Kind
	}
	return last == history.Crashed
}

// ends fails unless a run of the scenario ends as it should, and counts the workers that died.
func ends(t *rapid.T, s *scenarios.Scenario, p *scenarios.Profile) (crashes int) {
	events, r := observed(s, p, rapid.Uint64().Draw(t, "seed"))
	if r.Bounded {
		t.Fatal("the run was cut short")
	}
	for id := range int32(s.Workers) {
		var own []history.Event
		for _, e := range events {
			if e.Worker == id && !e.Kind.IsTruth() {
				own = append(own, e)
			}
		}
		checkLife(t, own)
		crashes += count(own, history.Crashed)
	}
	var now, order int64
	for _, e := range events {
		order = max(order, e.Order*int64(count([]history.Event{e}, history.Entered, history.Left, history.Removed)))
		if e.Kind.IsTruth() {
			continue // some of it is found later
		}
		if e.At < now {
			t.Fatalf("at %d, after %d: %+v", e.At, now, e)
		}
		now = e.At
	}
	if inside := insideAt(events, order); len(inside) > 0 {
		t.Fatalf("at the end %v are inside", inside)
	}
	return crashes
}
