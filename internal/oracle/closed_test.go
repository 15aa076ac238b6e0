package oracle

import (
	"fmt"
	"math"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim"
	"locklab/worker/lock"

	"pgregory.net/rapid"
)

// What follows is derived by hand for the ideal machine: no latency, timers to the point, and of what falls on one instant
// the lower worker's comes first, all of it. w is the work, R the rounds; times are in ms. A lease that is granted at t
// lives until t + TTL + ε with 0 < ε <= 1, as Redis has it; ε never matters below, because all tries fall on multiples
// of 5 ms after the grant.

// ideally carries out one run on the ideal machine.
func ideally(s *scenarios.Scenario, seed uint64) ([]history.Event, *sim.Run) {
	ideal := scenarios.Ideal()
	return observed(s, &ideal, seed)
}

// observed carries out one run and keeps its events.
func observed(s *scenarios.Scenario, p *scenarios.Profile, seed uint64) ([]history.Event, *sim.Run) {
	var events []history.Event
	r := sim.NewWorld(s, p).NewRun()
	r.Observe = func(e *history.Event) { events = append(events, *e) }
	r.Do(seed)
	return events, r
}

// apart is how far apart in time the two workers first enter.
func apart(events []history.Event) int64 {
	var first [2]int64
	for _, e := range events {
		if e.Kind == history.Entered && e.Round == 0 {
			first[e.Worker] = e.At
		}
	}
	return max(first[0]-first[1], first[1]-first[0])
}

// Without a lock, a worker is inside during [s + kP, s + kP + w) with P = w + think, k = 0 … R-1. Let the second start d
// after the first, d < w. Each entry of the second finds the first inside: R conflicts. The k-th entry of the first, k > 0,
// comes w + think - d after the (k-1)-th of the second, so it finds it inside if and only if think < d: R-1 more.
//
//	d < think (in lockstep): R        think < d < w: 2R - 1
//
// (d = think is a tie: the leave comes first if it is worker 0's.) Two uniform starts within S are less than think apart
// with probability 1 - (1 - think/S)². An entry, the work, a leave and the think (but for the last) are 6R - 1 events, and
// take R w + (R-1) think.
func TestClosedFormOfA(t *testing.T) {
	const work, think, runs = 300 * ms, 10 * ms, 2000
	for _, rounds := range []int64{1, 2, 7, 40} {
		for _, spread := range []int64{0, 2, 9, 50, 200} {
			s := builtin(t, "lesson/a", fmt.Sprintf("rounds=%d", rounds), fmt.Sprintf("start.spread=%dms", spread))
			lockstep := 0
			for seed := range uint64(runs) {
				events, r := ideally(s, choice.RunSeed(1, seed))
				d, want := apart(events), 2*rounds-1
				if d < think {
					lockstep++
					want = rounds
				}
				if d == think {
					continue
				}
				if r.Tally.Conflicts != want || r.Events != 2*(6*rounds-1) {
					t.Fatalf("%d rounds, %d ns apart: %d conflicts, want %d; %d events, want %d", rounds, d, r.Tally.Conflicts, want, r.Events, 2*(6*rounds-1))
				}
				if first := events[0].At; r.Tally.End != first+d+rounds*work+(rounds-1)*think {
					t.Fatalf("%d rounds, first at %d, %d apart: end at %d", rounds, first, d, r.Tally.End)
				}
			}
			p := 1.0
			if spread > 10 {
				p = 1 - math.Pow(1-10/float64(spread), 2)
			}
			if off := math.Abs(float64(lockstep) - p*runs); off > 4*math.Sqrt(runs*p*(1-p)) {
				t.Errorf("spread %d ms: %d of %d runs in lockstep, want %.0f", spread, lockstep, runs, p*runs)
			}
		}
	}
}

// With leases that outlive the work and nobody stopped, nobody enters while another is inside: 0.
func TestClosedFormOfB(t *testing.T) {
	for _, rounds := range []int64{1, 2, 7, 40} {
		for seed := range uint64(100) {
			_, r := ideally(builtin(t, "lesson/b", fmt.Sprintf("rounds=%d", rounds)), choice.RunSeed(1, seed))
			if r.Tally.Conflicts != 0 || r.Tally.LostHolds != 0 || r.Tally.Overlap != 0 {
				t.Errorf("%d rounds: %+v", rounds, r.Tally)
			}
		}
	}
}

// With TTL + 1 + retry < w and think < TTL the two take turns, and each enters while the other is inside. For let one be
// granted at t. The other, which asks since before (or, see below, from t + TTL at the latest), is granted at a t' with
//
//	t + TTL < t' <= t + TTL + 1 + retry < t + w,
//
// before the first leaves. The first leaves at t + w, finds its lease gone, and asks from t + w + think < t' + w on (because
// think < TTL < t' - t), so it is granted its next round while the second is still inside, at the latest one retry after
// the second's lease; and in turn. So of the 2R entries all but the first are conflicts, and every hold is lost.
//
// The first could ask only after the second's lease is over, if w + think > t' - t + TTL; then it is granted when it
// asks, which is still before t' + w.
func TestClosedFormOfC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ttl := rapid.Int64Range(2, 400).Draw(t, "ttl")
		retry := rapid.Int64Range(1, 60).Draw(t, "retry")
		s := &scenarios.Scenario{Workers: 2}
		s.Rounds = rapid.Int32Range(1, 50).Draw(t, "rounds")
		s.Work = choice.Const((ttl + 1 + retry + rapid.Int64Range(1, 500).Draw(t, "more work")) * ms)
		s.Think = choice.Const(rapid.Int64Range(0, ttl-1).Draw(t, "think") * ms)
		s.Start = rapid.Int64Range(0, ttl-1).Draw(t, "spread") * ms
		s.Lock = lock.Policy{Kind: lock.Single, TTL: ttl * ms, Retry: lock.Retry{Every: choice.Const(retry * ms)}}
		_, r := ideally(s, rapid.Uint64().Draw(t, "seed"))
		if want := 2*int64(s.Rounds) - 1; r.Tally.Conflicts != want || r.Tally.LostHolds != want+1 {
			t.Fatalf("%d conflicts, %d lost holds; want %d and %d", r.Tally.Conflicts, r.Tally.LostHolds, want, want+1)
		}
	})
}

// D, without spread: work 300, think 10, TTL 1000, retry 25, stopped for 1200 before it enters rounds 0, 4, 8, …
//
// Let worker X be granted a round at T and be stopped, and Y try from T + 5 on. Y's try at T + 1005 is the first after
// X's lease, and it enters. X wakes at T + 1200 and enters: conflict (i). Y leaves at T + 1305 and, with the lock free, enters
// its next round at T + 1315 while X is inside: conflict (ii). X leaves at T + 1500, finds its hold lost, and asks from
// T + 1510 on: refused up to T + 1610. Y leaves at T + 1615 and asks at T + 1625, before X's try at T + 1635. So Y has had two
// rounds and is granted the next: if that is one of 0, 4, 8, … it is stopped, at T' = T + 1625, and X tries from T' + 10 on.
//
// From there, with the roles changed: X enters its next round at T' + 1010; Y wakes at T' + 1200: conflict (iii). X leaves at
// T' + 1310, enters again at T' + 1320 while Y is inside: conflict (iv). Y leaves at T' + 1500 and asks from T' + 1510 on. X leaves
// at T' + 1620, and asks at T' + 1630, before Y's try at T' + 1635: X enters its third round since it was stopped, alone. It
// leaves at T' + 1930, and Y's try at T' + 1935 comes before X's at T' + 1940: Y enters a round, alone, until T' + 2235; X's try at
// T' + 2240 comes before Y's at T' + 2245. So X is granted its fourth round since, at T' + 2240, in which it is stopped; and Y
// tries from 5 after on: this is where we began, 3865 later. Both have had four rounds, with four conflicts.
//
// It begins in the midst: at 0 worker 0 is stopped in round 0, at 1025 (its try at 1000 is too early) worker 1 in round 0;
// worker 0 wakes at 1200, alone, leaves at 1500 and asks from 1510 on: granted at 2035 = 1025 + 1010. That is the second part with
// T' = 1025, X = worker 0: conflicts (iii) and (iv). So worker 0 is X throughout, stopped in round 4m at the head of period
// m > 0, and worker 1 is Y, in round 4m - 2. In period m
//
//	(i) is the entry of worker 0's round 4m        (ii) that of worker 1's round 4m - 1
//	(iii) that of worker 1's round 4m              (iv) that of worker 0's round 4m + 2
//
// and needs both to have come so far: (i) and (ii) come up if worker 0 has a round 4m; (iii) if it has a round 4m + 1, inside
// which it is found; (iv) if it has a round 4m + 2. A worker that is alone has no conflicts. The periods before the last are
// whole, so with R = 4n + j rounds, j = 1 … 4, there are 4n conflicts up to and with (ii) of period n, then none, one
// or two for j = 1, 2 and 3 or 4: R - 1, but R - 2 if 4 divides R. For 40 rounds: 38.
func TestClosedFormOfD(t *testing.T) {
	for rounds := int64(1); rounds <= 100; rounds++ {
		want := rounds - 1
		if rounds%4 == 0 {
			want--
		}
		s := builtin(t, "lesson/d", fmt.Sprintf("rounds=%d", rounds), "start.spread=0ms")
		for seed := range uint64(3) { // the phase of the server's clock is all that it decides
			if _, r := ideally(s, seed); r.Tally.Conflicts != want {
				t.Errorf("%d rounds: %d conflicts, want %d", rounds, r.Tally.Conflicts, want)
			}
		}
	}
}

// The instants of D's derivation, for the begin and the first period.
func TestScheduleOfD(t *testing.T) {
	events, _ := ideally(builtin(t, "lesson/d", "rounds=9", "start.spread=0ms"), 1)
	got := entriesOf(events, 6)
	const want = `
1200: worker 0, round 0
2035: worker 0, round 1
2225: worker 1, round 0, conflict
2345: worker 0, round 2, conflict
2655: worker 0, round 3
2960: worker 1, round 1
4270: worker 1, round 2
4465: worker 0, round 4, conflict
4580: worker 1, round 3, conflict
5900: worker 0, round 5
6090: worker 1, round 4, conflict
6210: worker 0, round 6, conflict
6520: worker 0, round 7
6825: worker 1, round 5
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
}

// entriesOf tells the entries into rounds of worker 0 below 8 and of worker 1 below the given one, in ms.
func entriesOf(events []history.Event, below int32) string {
	told := "\n"
	for _, e := range events {
		if e.Kind != history.Entered || e.Round >= [2]int32{8, below}[e.Worker] {
			continue
		}
		told += fmt.Sprintf("%d: worker %d, round %d", e.At/ms, e.Worker, e.Round)
		if e.Inside > 1 {
			told += ", conflict"
		}
		told += "\n"
	}
	return told
}

// E, without spread: D with a token drawn after the grant and checked before the work; whoever is refused leaves at once.
//
// Let both ask for their rounds 4m at T: worker 0 is granted its, by the tie, and stopped; worker 1 is granted its at T + 1025,
// with a higher token, and stopped. Worker 0 wakes at T + 1200, alone. Nothing was checked since its token was drawn, so it is
// accepted, works, leaves at T + 1500, finds its hold lost, asks from T + 1510 on, and is granted round 4m + 1 at T + 2035,
// after worker 1's lease, which ends by T + 2026. Its token is the highest now, and accepted. Worker 1 wakes at T + 2225 and
// enters: a conflict, its token is refused, and it leaves at once. It asks from T + 2235 on; its try at T + 2335 falls on
// the instant at which worker 0 leaves and releases, and comes after that: granted.
//
// From now on they take turns: worker 1 is inside during [t, t + 300), t = T + 2335. Worker 0, which left at t, asks at t + 10,
// t + 35, … t + 310; worker 1, which left at t + 300, asks at t + 310 too, and loses the tie. Worker 0 is inside during
// [t + 310, t + 610); worker 1's try at t + 610 falls on its leaving, and comes after: a turn of both takes 610. Worker 1 has its rounds 4m + 1, + 2, + 3 at t, t + 610, t + 1220, worker 0 its
// 4m + 2 and 4m + 3 between them; and at t + 1530 = T + 3865 both ask for their rounds 4m + 4, where we began.
//
// So there is one conflict, and one rejected write, for each m such that worker 0 has a round 4m + 1: (R + 2) / 4, rounded
// down. For 40 rounds: 10.
func TestClosedFormOfE(t *testing.T) {
	for rounds := int64(1); rounds <= 100; rounds++ {
		want := (rounds + 2) / 4
		s := builtin(t, "lesson/e", fmt.Sprintf("rounds=%d", rounds), "start.spread=0ms")
		for seed := range uint64(3) {
			if _, r := ideally(s, seed); r.Tally.Conflicts != want || r.Tally.RejectedWrites != want {
				t.Errorf("%d rounds: %d conflicts, %d rejected writes, want %d", rounds, r.Tally.Conflicts, r.Tally.RejectedWrites, want)
			}
		}
	}
}

// The instants of E's derivation, for one period.
func TestScheduleOfE(t *testing.T) {
	events, _ := ideally(builtin(t, "lesson/e", "rounds=5", "start.spread=0ms"), 1)
	got := entriesOf(events, 5)
	const want = `
1200: worker 0, round 0
2035: worker 0, round 1
2225: worker 1, round 0, conflict
2335: worker 1, round 1
2645: worker 0, round 2
2945: worker 1, round 2
3255: worker 0, round 3
3555: worker 1, round 3
5065: worker 0, round 4
6090: worker 1, round 4
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
}
