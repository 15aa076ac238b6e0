package worker_test

import (
	"slices"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker"
	"locklab/worker/lock"
)

func before(s history.Step, d int64) worker.Pause {
	return worker.Pause{Where: worker.Before, Step: s, For: choice.Const(d * ms), Every: 1}
}

func during(s history.Step, d int64, fraction float64) worker.Pause {
	return worker.Pause{Where: worker.During, Step: s, For: choice.Const(d * ms), Every: 1, Fraction: fraction}
}

func at(time, d int64) worker.Pause {
	return worker.Pause{Where: worker.At, Time: time * ms, For: choice.Const(d * ms)}
}

// Where in a round a pause stops the worker, and what it does when it wakes. Most scripts are of a worker without a
// lock, whose round is enter, work, leave.
func TestPause(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*worker.Plan)
		pauses []worker.Pause
		script string
	}{
		{"before a step: in the lesson, holding the lock and not yet inside", func(p *worker.Plan) { *p = simple(nil) },
			[]worker.Pause{before(history.Enter, 1200)}, `
			0 begin      | start@0
			0 start      | (asked) SETNX A 1000
			1 ok         | (acquired 1) (stopping enter 1200) STOP 1200
			1202 resumed | (resumed) ENTER
			1203 ok 2    | (entered 2) (work-began) step@1503
		`},
		{"before the first step", nil, []worker.Pause{before(history.Enter, 7)}, `
			0 begin      | start@0
			0 start      | (stopping enter 7) STOP 7
			7 resumed    | (resumed) ENTER
		`},
		{"during a command: right after it was sent", nil, []worker.Pause{during(history.Enter, 7, 0)}, `
			0 begin      | start@0
			0 start      | (stopping enter 7) ENTER STOP 7
			7 resumed    | (resumed)
			7 ok 1       | (entered 1) (work-began) step@307
		`},
		{"during the acquire: right after its first try", func(p *worker.Plan) { *p = simple(nil) },
			[]worker.Pause{during(history.Acquire, 7, 0)}, `
			0 begin      | start@0
			0 start      | (asked) (stopping acquire 7) SETNX A 1000 STOP 7
			7 resumed    | (resumed)
			7 nil        | (refused) retry@32
			32 retry     | SETNX A 1000
		`},
		{"during work, at a quarter of it: a sleep, which goes on", nil, []worker.Pause{during(history.Work, 7, 0.25)}, `
			0 begin      | start@0
			0 start      | ENTER
			1 ok 1       | (entered 1) (work-began) step@301 pause@76
			76 pause     | (stopping work 7) STOP 7
			83 resumed   | (resumed)
			301 step     | (work-ended) no-pause LEAVE
		`},
		{"during work on the processor, which the pause prolongs", func(p *worker.Plan) { p.WorkCPU = true },
			[]worker.Pause{during(history.Work, 7, 0.25)}, `
			0 begin      | start@0
			0 start      | ENTER
			1 ok 1       | (entered 1) (work-began) step@301 pause@76
			76 pause     | (stopping work 7) STOP 7
			84 resumed   | (resumed) step@309
			309 step     | (work-ended) no-pause LEAVE
		`},
		{"twice during work on the processor: the second, too, at its share of the work", func(p *worker.Plan) { p.WorkCPU = true },
			[]worker.Pause{during(history.Work, 50, 0.5), during(history.Work, 7, 0.25)}, `
			0 begin      | start@0
			0 start      | ENTER
			1 ok 1       | (entered 1) (work-began) step@301 pause@76
			76 pause     | (stopping work 7) STOP 7
			83 resumed   | (resumed) step@308 pause@158
			158 pause    | (stopping work 50) STOP 50
			208 resumed  | (resumed) step@358
			358 step     | (work-ended) no-pause LEAVE
		`},
		{"twice at the same share of a sleep: one after the other", nil,
			[]worker.Pause{during(history.Work, 50, 0.5), during(history.Work, 7, 0.5)}, `
			0 begin      | start@0
			0 start      | ENTER
			1 ok 1       | (entered 1) (work-began) step@301 pause@151
			151 pause    | (stopping work 50) STOP 50
			201 resumed  | (resumed) pause@151
			201 pause    | (stopping work 7) STOP 7
			208 resumed  | (resumed)
		`},
		{"during think", func(p *worker.Plan) { p.Rounds = 2 }, []worker.Pause{during(history.Think, 7, 0.5)}, `
			0 begin      | start@0
			0 start      | ENTER
			1 ok 1       | (entered 1) (work-began) step@301
			301 step     | (work-ended) LEAVE
			302 ok       | (left) step@312 pause@307
			307 pause    | (stopping think 7) STOP 7
			314 resumed  | (resumed)
			314 step     | no-pause ENTER
		`},
		{"think is no work on the processor", func(p *worker.Plan) { p.Rounds, p.WorkCPU = 2, true },
			[]worker.Pause{during(history.Think, 7, 0.5)}, `
			0 begin      | start@0
			0 start      | ENTER
			1 ok 1       | (entered 1) (work-began) step@301
			301 step     | (work-ended) LEAVE
			302 ok       | (left) step@312 pause@307
			307 pause    | (stopping think 7) STOP 7
			314 resumed  | (resumed)
		`},
		{"before and during one step, two of each, in their order", nil, []worker.Pause{
			before(history.Enter, 1), during(history.Enter, 2, 0), before(history.Enter, 3), during(history.Enter, 4, 0),
		}, `
			0 begin      | start@0
			0 start      | (stopping enter 1) STOP 1
			1 resumed    | (resumed) (stopping enter 3) STOP 3
			4 resumed    | (resumed) (stopping enter 2) ENTER STOP 2
			6 resumed    | (resumed) (stopping enter 4) STOP 4
			10 resumed   | (resumed)
			10 ok 1      | (entered 1) (work-began) step@310
		`},
		{"at times of the run, given in any order, whatever the step", nil, []worker.Pause{at(50, 7), at(0, 2)}, `
			0 begin      | start@0 pause-at@0
			0 start      | ENTER
			0 pause-at   | (stopping enter 2) pause-at@50 STOP 2
			2 resumed    | (resumed)
			2 ok 1       | (entered 1) (work-began) step@302
			50 pause-at  | (stopping work 7) STOP 7
			57 resumed   | (resumed)
			302 step     | (work-ended) LEAVE
		`},
		{"at a time within work on the processor, before its own pause", func(p *worker.Plan) { p.WorkCPU = true },
			[]worker.Pause{at(50, 7), during(history.Work, 3, 0.5)}, `
			0 begin      | start@0 pause-at@50
			0 start      | ENTER
			1 ok 1       | (entered 1) (work-began) step@301 pause@151
			50 pause-at  | (stopping work 7) STOP 7
			57 resumed   | (resumed) step@308 pause@158
			158 pause    | (stopping work 3) STOP 3
			161 resumed  | (resumed) step@311
		`},
		{"nobody's", nil, []worker.Pause{{Where: worker.Before, Step: history.Enter, Every: 1, Workers: []int32{1}}, {Where: worker.At, Workers: []int32{1}}}, `
			0 begin      | start@0
			0 start      | ENTER
		`},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan := simple(func(p *worker.Plan) {
				p.Lock = lock.Policy{}
				if test.change != nil {
					test.change(p)
				}
				p.Pauses = test.pauses
			})
			play(t, plan, test.script)
		})
	}
}

// roundsHit are the rounds in which a worker of four is stopped by a pause before its work.
func roundsHit(id int, seed uint64, p worker.Pause) []int32 {
	p.Where, p.Step, p.For = worker.Before, history.Work, choice.Const(ms)
	l := newLife(simple(func(plan *worker.Plan) { plan.Rounds, plan.Pauses = 8, []worker.Pause{p} }), 4, id, seed)
	l.live(func() bool { return true })
	var rounds []int32
	for _, e := range l.of(history.Stopping) {
		rounds = append(rounds, e.Round)
	}
	return rounds
}

func TestRoundsHit(t *testing.T) {
	all := []int32{0, 1, 2, 3, 4, 5, 6, 7}
	for _, test := range []struct {
		pause worker.Pause
		id    int
		want  []int32
	}{
		{worker.Pause{Every: 1}, 0, all},
		{worker.Pause{Every: 4}, 1, []int32{0, 4}},
		{worker.Pause{Every: 3}, 0, []int32{0, 3, 6}},
		{worker.Pause{Every: 100}, 0, []int32{0}},
		{worker.Pause{Probability: 0}, 0, nil},
		{worker.Pause{Probability: 1}, 0, all},
		{worker.Pause{Every: 4, Workers: []int32{0, 2}}, 2, []int32{0, 4}},
		{worker.Pause{Every: 4, Workers: []int32{0, 2}}, 1, nil},
		{worker.Pause{Probability: 1, Workers: []int32{}}, 0, nil},
	} {
		if got := roundsHit(test.id, 1, test.pause); !slices.Equal(got, test.want) {
			t.Errorf("%+v, worker %d: rounds %v, want %v", test.pause, test.id, got, test.want)
		}
	}
}

// A pause with a probability hits that share of all rounds, and other ones of each worker and run.
func TestProbabilityOfAPause(t *testing.T) {
	const runs, p = 500, 0.25
	hits, all := 0, make(map[string]bool)
	for seed := range uint64(runs) {
		var both string
		for id := range 2 {
			rounds := roundsHit(id, seed, worker.Pause{Probability: p})
			hits += len(rounds)
			both += string(rune('a'+len(rounds))) + string(rounds)
		}
		all[both] = true
	}
	if share := float64(hits) / (runs * 2 * 8); share < p-0.025 || share > p+0.025 { // 5 standard deviations
		t.Errorf("it hit %.3f of the rounds, want %v", share, p)
	}
	if len(all) < runs/2 {
		t.Errorf("only %d different pictures in %d runs", len(all), runs)
	}
}

// Without a fraction, a pause hits work anywhere, uniformly, and lasts as long as its law says.
func TestUniformFractionAndLength(t *testing.T) {
	pause := during(history.Work, 0, -1)
	pause.For = choice.Law{Kind: choice.Uniform, A: 5 * ms, B: 9 * ms}
	plan := simple(func(p *worker.Plan) { p.Lock, p.Rounds, p.Pauses = lock.Policy{}, 400, []worker.Pause{pause} })
	l := newLife(plan, 1, 0, 1)
	l.live(func() bool { return true })
	began, stops := l.of(history.WorkBegan), l.of(history.Stopping)
	if len(stops) != 400 {
		t.Fatalf("%d stops in 400 rounds", len(stops))
	}
	var quarters [4]int
	for i, e := range stops {
		after := e.At - began[i].At
		if after < 0 || after >= 300*ms || e.For < 5*ms || e.For > 9*ms {
			t.Errorf("round %d is stopped after %d of its work, for %d", i, after, e.For)
		}
		quarters[after*4/(300*ms)]++
	}
	for i, n := range quarters {
		if n < 57 || n > 143 { // 5 standard deviations around 100
			t.Errorf("%d of 400 stops are in quarter %d", n, i)
		}
	}
}
