package worker_test

import (
	"reflect"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker"
	"locklab/worker/lock"
	"locklab/worker/wire"

	"pgregory.net/rapid"
)

func anyLaw(t *rapid.T, what string, least int64) choice.Law {
	a := rapid.Int64Range(least, 40).Draw(t, what) * ms
	kind := rapid.SampledFrom([]choice.Kind{choice.Constant, choice.Uniform, choice.Exponential}).Draw(t, what+" law")
	return choice.Law{Kind: kind, A: a, B: 2 * a}
}

// anyPlan draws a plan for a few rounds with short times and many pauses.
func anyPlan(t *rapid.T) worker.Plan {
	p := worker.Plan{
		Rounds: rapid.Int32Range(1, 4).Draw(t, "rounds"), Start: rapid.Int64Range(0, 2*ms).Draw(t, "start"),
		Work: anyLaw(t, "work", 0), WorkCPU: rapid.Bool().Draw(t, "cpu"), Think: anyLaw(t, "think", 0),
	}
	if rapid.Bool().Draw(t, "locked") {
		p.Lock = lock.Policy{Kind: lock.Single, TTL: rapid.Int64Range(1, 100).Draw(t, "ttl") * ms}
		p.Lock.Retry = lock.Retry{Every: anyLaw(t, "retry", 1), Tries: rapid.Int64Range(0, 3).Draw(t, "tries")}
	}
	tokens := []worker.TokenAt{worker.TokenNone, worker.TokenBefore, worker.TokenAfter, worker.TokenInside}
	fencing(rapid.SampledFrom(tokens).Draw(t, "token"), worker.CheckAt(rapid.IntRange(0, 3).Draw(t, "check")))(&p)
	for range rapid.IntRange(0, 5).Draw(t, "pauses") {
		p.Pauses = append(p.Pauses, anyPause(t, &p))
	}
	return p
}

func anyPause(t *rapid.T, p *worker.Plan) worker.Pause {
	pause := worker.Pause{
		Where: rapid.SampledFrom([]worker.Where{worker.Before, worker.During, worker.At}).Draw(t, "where"),
		Step:  rapid.SampledFrom(p.Steps()).Draw(t, "step"), Time: rapid.Int64Range(0, 100).Draw(t, "time") * ms,
		For: anyLaw(t, "for", 0), Fraction: rapid.Float64Range(-1, 1).Draw(t, "fraction"),
	}
	if pause.Where != worker.At {
		pause.Every = rapid.Int32Range(0, 2).Draw(t, "every")
		pause.Probability = 0.5
	}
	return pause
}

func anyLife(t *rapid.T) *life {
	l := newLife(anyPlan(t), 2, rapid.IntRange(0, 1).Draw(t, "worker"), rapid.Uint64().Draw(t, "seed"))
	answers := choice.Seeded(rapid.Uint64().Draw(t, "answers")).Stream(0, choice.Fixed)
	l.live(func() bool { return answers.Next()%4 != 0 })
	return l
}

// Whatever the plan and the answers: a worker comes to its end, never wishes for more than a list of wishes can hold,
// stops and resumes by turns, leaves as often as it enters, and accounts for every round.
func TestLife(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLife(t)
		count := func(k history.Kind) int { return len(l.of(k)) }
		if !l.done || count(history.Finished) != 1 || l.most > wire.MaxWishes {
			t.Fatalf("done is %v after %d steps, with up to %d wishes at once", l.done, len(l.inputs), l.most)
		}
		rounds := int(l.worker.Round()) + 1
		if count(history.Entered) != count(history.Left) || count(history.Entered)+count(history.GaveUp) != rounds {
			t.Fatalf("%d rounds, entered %d, left %d, gave up %d", rounds, count(history.Entered), count(history.Left), count(history.GaveUp))
		}
		if count(history.Stopping) != count(history.Resumed) {
			t.Fatalf("stopped %d times, resumed %d times", count(history.Stopping), count(history.Resumed))
		}
		if held := count(history.Released) + count(history.Lost); held != count(history.Acquired) || held != count(history.Releasing) {
			t.Fatalf("acquired %d times, releases answered %d times", count(history.Acquired), held)
		}
	})
}

// A worker is plain data: a copy, taken at any time, goes on as the original does.
func TestCopyGoesOnAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, plan := rapid.Uint64().Draw(t, "seed"), anyPlan(t)
		original := newLife(plan, 1, 0, seed)
		answers := choice.Seeded(seed).Stream(0, choice.Fixed)
		original.live(func() bool { return answers.Next()%4 != 0 })

		again := worker.New(worker.NewProgram(plan, 1), 0, choice.Seeded(seed))
		branch := rapid.IntRange(0, len(original.inputs)-1).Draw(t, "branch")
		var copied worker.Worker
		for i, m := range original.inputs {
			if i == branch {
				copied = again
			}
			checkStep(t, &again, m, original.wishes[i])
		}
		for i := branch; i < len(original.inputs); i++ {
			checkStep(t, &copied, original.inputs[i], original.wishes[i])
		}
	})
}

func checkStep(t *rapid.T, w *worker.Worker, m moment, want []wire.Wish) {
	var out wire.Wishes
	w.Step(m.at, &m.in, &out)
	if got := out.All(); len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
		t.Fatalf("at %d, after %+v: got %+v, want %+v", m.at, m.in, got, want)
	}
}

// Another pause, a longer law elsewhere or more rounds shift no draw of what they do not concern.
func TestDrawsDoNotShift(t *testing.T) {
	base := simple(func(p *worker.Plan) {
		p.Rounds = 3
		p.Work = choice.Law{Kind: choice.Uniform, A: 100 * ms, B: 300 * ms}
	})
	works := func(change func(*worker.Plan)) []int64 {
		plan := base
		change(&plan)
		l := newLife(plan, 1, 0, 1)
		l.live(func() bool { return true })
		var all []int64
		for i, e := range l.of(history.WorkEnded)[:3] {
			all = append(all, e.At-l.of(history.WorkBegan)[i].At)
		}
		return all
	}
	want := works(func(*worker.Plan) {})
	if want[0] == want[1] || want[1] == want[2] {
		t.Errorf("work takes %v", want)
	}
	for what, change := range map[string]func(*worker.Plan){
		"a pause":       func(p *worker.Plan) { p.Pauses = []worker.Pause{before(history.Enter, 5)} },
		"a drawn think": func(p *worker.Plan) { p.Think = choice.Law{Kind: choice.Exponential, A: ms} },
		"more rounds":   func(p *worker.Plan) { p.Rounds = 9 },
		"a start":       func(p *worker.Plan) { p.Start = 5 * ms },
		"fencing":       fencing(worker.TokenInside, worker.CheckCommit),
	} {
		if got := works(change); !reflect.DeepEqual(got, want) {
			t.Errorf("with %s, work takes %v instead of %v", what, got, want)
		}
	}
}
