package explore

import (
	"context"
	"fmt"
	"slices"

	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim"
)

// A Report is what an exploration found.
type Report struct {
	Bounds   Bounds
	Runs     int64   // enumerated
	ByLevel  []int64 // of them with 0, 1, … deviations
	Merged   int64   // of them not carried on to the end, since an equal state had been
	Cut      int64   // of them given up after so many events that nobody could wait for them all
	Complete bool    // every run within the bounds was enumerated to its end, or every property was violated
	Findings []Finding
}

// A Finding is what was found about one property.
type Finding struct {
	Property       Property
	Counterexample *Counterexample // nil if no run violated it
}

// An explorer goes through the runs depth first, one number of deviations after the other. At a choice it copies the
// run, and carries on the copy with another option.
type explorer struct {
	ctx      context.Context
	scenario *scenarios.Scenario // quiet
	world    *sim.World
	script   choice.Script
	limit    int64 // time of the run after which a worker that is not done waits for ever
	quietRun error // why there is none
	level    int   // deviations of the runs that are being enumerated
	path     []Pick
	levels   []frame // by deviations so far
	seen     map[state]struct{}
	unmerged bool // for tests: carry every run on, whatever was seen
	report   Report
	progress func(runs int64)
}

// A frame is the space for the runs with so many deviations.
type frame struct {
	run    *sim.Run // under way
	before *sim.Run // as it was before its last event
	asked  []choice.Asked
	forced []uint8
}

// A state is what was reached, and how many deviations may still follow.
type state struct {
	digest choice.Digest
	left   int
}

// progressRuns is how many runs there are between two reports of progress.
const progressRuns = 1024

// Explore enumerates the runs around the scenario's quiet run under a profile. progress is told now and then how many
// there were. The error is that of ctx, or that the quiet run itself is too long.
func Explore(ctx context.Context, s *scenarios.Scenario, p *scenarios.Profile, b Bounds, progress func(runs int64)) (*Report, error) {
	x := newExplorer(ctx, s, p, b)
	if x.quietRun != nil {
		return nil, x.quietRun
	}
	x.progress = progress
	return x.explore(), ctx.Err()
}

func (x *explorer) explore() *Report {
	for x.level = 0; x.level <= x.report.Bounds.Deviations && !x.over(); x.level++ {
		x.report.ByLevel = append(x.report.ByLevel, 0)
		clear(x.seen)
		x.levels[0].run.Start(choice.Scripted(&x.script))
		x.carryOn(0, 0)
	}
	x.report.Complete = !x.bounded() && x.report.Cut == 0 || x.allViolated()
	return &x.report
}

func newExplorer(ctx context.Context, s *scenarios.Scenario, p *scenarios.Profile, b Bounds) *explorer {
	if b.Pause == 0 {
		b.Pause = PauseFor(s)
	}
	q := quiet(s, &b)
	x := &explorer{ctx: ctx, scenario: q, world: sim.NewWorld(q, p), seen: make(map[state]struct{})}
	x.report.Bounds = b
	for range b.Deviations + 1 {
		x.levels = append(x.levels, frame{run: x.world.NewRun(), before: x.world.NewRun()})
	}
	for _, property := range Properties(s) {
		x.report.Findings = append(x.report.Findings, Finding{Property: property})
	}
	x.limit, x.quietRun = patience(x.levels[0].run, &x.script, s, &b)
	return x
}

// longestRun is the most events of one run. Runs around a quiet one have some hundred.
const longestRun = 1_000_000

var errTooLong = fmt.Errorf("the run has more than %d events: fewer workers or rounds, or longer retries, would make it shorter", longestRun)

// patience is when a worker that is not done is taken to wait for ever: far beyond what the quiet run, all pauses, and all
// leases and places in the queue that can be left behind take one after the other.
func patience(run *sim.Run, script *choice.Script, s *scenarios.Scenario, b *Bounds) (int64, error) {
	run.Start(choice.Scripted(script))
	for script.Begin(nil); run.Step(); script.Begin(nil) {
		if run.Events > longestRun {
			return 0, errTooLong
		}
	}
	left := s.Lock.TTL + max(0, s.Lock.Clock.Ahead) + s.Lock.Retry.Place
	once := run.Tally.End + int64(b.Deviations+1)*(b.Pause+left)
	return 2*once + 1e9, nil
}

// over reports whether there is nothing more to find, or no more time.
func (x *explorer) over() bool {
	return x.allViolated() || x.bounded() || x.ctx.Err() != nil
}

func (x *explorer) bounded() bool {
	return x.report.Bounds.MaxRuns > 0 && x.report.Runs >= x.report.Bounds.MaxRuns
}

func (x *explorer) allViolated() bool {
	return !slices.ContainsFunc(x.report.Findings, func(f Finding) bool { return f.Counterexample == nil })
}

// carryOn lets the run with so many deviations so far go on from its given event, branching at every choice. The runs
// that end with fewer deviations than the level has were enumerated at an earlier level.
func (x *explorer) carryOn(deviations, event int) {
	if deviations == x.level {
		x.complete(deviations)
		return
	}
	f := &x.levels[deviations]
	for ; !x.over(); event++ {
		f.before.CopyFrom(f.run)
		x.script.Begin(nil)
		if at, _, ok := f.run.Next(); !ok || at > x.limit || f.run.Events > longestRun {
			return
		}
		f.run.Step()
		f.asked = append(f.asked[:0], x.script.Asked()...)
		x.branch(f.before, f.asked, 0, deviations, event)
	}
}

// branch tries the other options of the choices that came up in an event, from the given one on. before is the run
// before that event.
func (x *explorer) branch(before *sim.Run, asked []choice.Asked, from, deviations, event int) {
	for i := from; i < len(asked); i++ {
		for option := uint8(1); option < asked[i].Options; option++ {
			if x.over() {
				return
			}
			x.deviate(before, asked[:i], option, deviations+1, event)
		}
	}
}

// deviate carries out the event once more, with the same options at the first choices and another at the next, and then
// all that follows.
func (x *explorer) deviate(before *sim.Run, same []choice.Asked, option uint8, deviations, event int) {
	f := &x.levels[deviations]
	f.forced = f.forced[:0]
	for _, a := range same {
		f.forced = append(f.forced, a.Taken)
	}
	f.forced = append(f.forced, option)
	f.run.CopyFrom(before)
	x.script.Begin(f.forced)
	f.run.Step()
	f.asked = append(f.asked[:0], x.script.Asked()...)
	x.path = append(x.path, Pick{event, f.forced})
	x.judge(f.run, false)
	if deviations < x.level {
		x.branch(before, f.asked, len(f.forced), deviations, event)
	}
	if !x.known(f.run, deviations) {
		x.carryOn(deviations, event+1)
	}
	x.path = x.path[:len(x.path)-1]
}

// known reports whether an equal state was explored as far as this one would be.
func (x *explorer) known(run *sim.Run, deviations int) bool {
	if x.unmerged {
		return false
	}
	s := state{run.Digest(), x.level - deviations}
	if _, ok := x.seen[s]; ok {
		x.report.Merged++
		x.count()
		return true
	}
	x.seen[s] = struct{}{}
	return false
}

// complete carries the run quietly to its end.
func (x *explorer) complete(deviations int) {
	run := x.levels[deviations].run
	endless := false
	for {
		at, _, ok := run.Next()
		if endless = ok && at > x.limit; endless || !ok {
			break
		}
		if run.Events > longestRun {
			x.report.Cut++
			break
		}
		x.script.Begin(nil)
		run.Step()
	}
	x.count()
	run.Account()
	x.judge(run, endless)
}

func (x *explorer) count() {
	x.report.ByLevel[x.level]++
	if x.report.Runs++; x.report.Runs%progressRuns == 0 && x.progress != nil {
		x.progress(x.report.Runs)
	}
}

// judge keeps the path to the run for every property that it is the first to violate.
func (x *explorer) judge(run *sim.Run, endless bool) {
	for i := range x.report.Findings {
		f := &x.report.Findings[i]
		if f.Counterexample == nil && f.Property.violated(&run.Tally, endless) {
			f.Counterexample = x.counterexample(f.Property)
		}
	}
}
