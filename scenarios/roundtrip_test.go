package scenarios

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker"
	"locklab/worker/lock"
	"locklab/worker/wire"

	"pgregory.net/rapid"
)

// checkRoundTrip fails unless the scenario is what Parse reads from its canonical YAML.
func checkRoundTrip(t rapid.TB, s *Scenario) {
	t.Helper()
	data := s.YAML()
	again, err := Parse("canonical.yaml", data)
	if err != nil {
		t.Fatalf("%v in:\n%s", err, data)
	}
	if !reflect.DeepEqual(again, s) {
		t.Fatalf("read %+v\nfrom\n%swritten for %+v", again, data, s)
	}
	if string(again.YAML()) != string(data) || again.Hash() != s.Hash() {
		t.Fatalf("the canonical form of\n%sis\n%s", data, again.YAML())
	}
}

func TestRoundTripOfBuiltin(t *testing.T) {
	for _, name := range Names() {
		s, err := Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		checkRoundTrip(t, s)
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkRoundTrip(t, anyScenario(t)) })
}

func FuzzParse(f *testing.F) {
	for _, name := range Names() {
		source, err := Source(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(source)
	}
	f.Add([]byte(rest + single + "pauses: [{during: work, for: {exponential: 1s}, fraction: .5, probability: 1e-3, workers: [1]}]\n"))
	f.Add([]byte(rest + "think: {lognormal: {median: 1ms, p99: 5ms}}\ndelay: {network: {empirical: [2ms, 1ms]}, timer: {sequence: [2us, 1us, 2us]}}\n"))
	f.Add([]byte(rest + "teaches: |\n  a\nwork: {cpu: {uniform: [1us, 2us]}}\ndelay: {network: '1ms'}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("x.yaml", data)
		if err == nil {
			checkRoundTrip(t, s)
			return
		}
		var line, col int
		if _, scan := fmt.Sscanf(err.Error(), "x.yaml:%d:%d: ", &line, &col); scan != nil || line < 1 || col < 1 {
			t.Errorf("no position in %q", err)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("more than one line: %q", err)
		}
	})
}

// anyScenario draws a valid scenario.
func anyScenario(t *rapid.T) *Scenario {
	s := &Scenario{
		Name:    rapid.StringMatching(`[a-zA-Z0-9]{1,9}(/[a-z0-9_-]{1,9}x)?`).Filter(identifierForm.MatchString).Draw(t, "name"),
		Title:   anyText(t, "title"),
		Teaches: anyText(t, "teaches"),
		Workers: rapid.IntRange(1, maxWorkers).Draw(t, "workers"),
	}
	s.Rounds = rapid.Int32Range(1, maxRounds).Draw(t, "rounds")
	s.Start, s.Apart = anyDuration(t, "start"), anyDuration(t, "apart")
	s.Work, s.WorkCPU, s.Think = anyLaw(t, "work"), rapid.Bool().Draw(t, "cpu"), anyLaw(t, "think")
	if rapid.Bool().Draw(t, "locked") {
		s.Lock = anyLock(t)
	}
	s.Fencing = anyFencing(t, &s.Lock)
	s.Resource = anyResource(t, s.Fencing.Check)
	s.Lock.TokenInside = s.Fencing.Token == worker.TokenInside
	for range rapid.IntRange(0, 3).Draw(t, "pauses") {
		s.Pauses = append(s.Pauses, anyPause(t, s))
	}
	for range rapid.IntRange(0, 2).Draw(t, "crashes") {
		s.Pauses = append(s.Pauses, anyCrash(t, s))
	}
	s.Delay = Delay{Network: anyLaw(t, "network"), Timer: anyLaw(t, "timer")}
	s.Published = anyCounts(t)
	return s
}

// anyResource draws what the lock protects: something with room for a check at the commit, if there is one.
func anyResource(t *rapid.T, check worker.CheckAt) worker.Resource {
	kind := rapid.SampledFrom([]worker.ResourceKind{worker.NoResource, worker.Balance, worker.Job}).Draw(t, "resource")
	if kind == worker.NoResource {
		return worker.Resource{}
	}
	fits := func(w word[worker.Update]) bool {
		r := worker.Resource{Kind: kind, Update: w.value}
		return check&worker.CheckCommit == 0 || r.Fenced()
	}
	r := worker.Resource{Kind: kind, Update: rapid.SampledFrom(updateWords[kind]).Filter(fits).Draw(t, "update").value}
	if kind == worker.Balance {
		r.Amount, r.Opening = rapid.Int64Range(1, maxAmount).Draw(t, "amount"), rapid.Int64Range(0, maxOpening).Draw(t, "opening")
	}
	return r
}

func anyText(t *rapid.T, what string) string {
	printable := rapid.StringMatching(`[\pL\pN\pP\pS ]{0,30}`)
	tricky := rapid.SampledFrom([]string{"", "null", "No", "5", "1e3", "0x1", "~", "a: b", "a #b", "- a", "\\n", `"`, " a ", "a, b", "{a}", "x:"})
	return rapid.OneOf(printable, tricky).Draw(t, what)
}

func anyDuration(t *rapid.T, what string) int64 {
	units := rapid.SampledFrom([]int64{1, microsecond, millisecond, second})
	return rapid.Int64Range(0, 86400).Draw(t, what) * units.Draw(t, what+" unit")
}

func anyLaw(t *rapid.T, what string) choice.Law {
	a := anyDuration(t, what)
	switch rapid.IntRange(0, 4).Draw(t, what+" kind") {
	case 0:
		return choice.Const(a)
	case 1:
		return choice.Law{Kind: choice.Uniform, A: a, B: max(a, anyDuration(t, what+" most"))}
	case 2:
		return choice.Law{Kind: choice.Exponential, A: a}
	case 3:
		return anyLognormal(t, max(1, a), what)
	default:
		return anySamples(t, a, what)
	}
}

func anyLognormal(t *rapid.T, median int64, what string) choice.Law {
	p99 := min(median+anyDuration(t, what+" more"), max(median, longestP99(median)))
	return choice.Law{Kind: choice.Lognormal, A: median, B: p99}
}

func anySamples(t *rapid.T, first int64, what string) choice.Law {
	samples := []int64{first}
	for range rapid.IntRange(0, 4).Draw(t, what+" samples") {
		samples = append(samples, anyDuration(t, what+" sample"))
	}
	law := choice.InSequence(samples)
	if rapid.Bool().Draw(t, what+" in any order") {
		law.Sequence = nil
	}
	return law
}

func anyLock(t *rapid.T) lock.Policy {
	p := lock.Policy{Kind: lock.Single, TTL: rapid.Int64Range(1, 86_400_000).Draw(t, "ttl") * millisecond}
	p.Acquire = lock.AcquireForm(rapid.IntRange(0, len(acquireWords)-1).Draw(t, "acquire"))
	p.Release = lock.ReleaseForm(rapid.IntRange(0, len(releaseWords)-1).Draw(t, "release"))
	if !p.HasTTL() {
		p.TTL = 0
	}
	p.Retry = lock.Retry{
		Every:   anyLaw(t, "every"),
		Tries:   rapid.Int64Range(0, maxTries).Draw(t, "tries"),
		Longest: anyDuration(t, "longest"),
	}
	if p.Retry.Every.Max() == 0 {
		p.Retry.Every = choice.Const(defaultRetry)
	}
	if rapid.Bool().Draw(t, "backoff") {
		p.Retry.Factor = rapid.Float64Range(1, maxFactor).Draw(t, "factor")
		p.Retry.Most = anyDuration(t, "most")
	}
	if rapid.Bool().Draw(t, "release again") {
		p.ReleaseTries = rapid.Int64Range(2, maxTries).Draw(t, "release tries")
	}
	if p.HasTTL() {
		p.Renew, p.Loss = anyRenewal(t)
	}
	if p.Acquire == lock.SetNXPX && p.Release == lock.Compare && rapid.Bool().Draw(t, "woken") {
		p.Retry, p.ReleaseTries = anyWake(t, p.Retry), 0
		return p
	}
	if p.HasTTL() && p.Release != lock.GetDelete {
		p.MinHold = rapid.Int64Range(0, p.TTL).Draw(t, "min hold")
	}
	if p.EndsByClock() {
		anyClock(t, &p)
	}
	if (p.Acquire == lock.SetNXPX || p.EndsByClock()) && p.Release == lock.Compare && rapid.Bool().Draw(t, "quorum") {
		p.Kind, p.Quorum = lock.Quorum, anyQuorum(t, p.TTL)
		p.Quorum.OwnCounts = p.Quorum.OwnCounts && !p.EndsByClock()
		p.ReleaseTries, p.MinHold = 0, 0
		if p.Renew.Extend == lock.SetXX {
			p.Renew.Extend = lock.Touch
		}
	}
	return p
}

// anyWake is a retry that is not by sleeps.
func anyWake(t *rapid.T, r lock.Retry) lock.Retry {
	r = lock.Retry{Tries: r.Tries, Longest: r.Longest, Wake: lock.ByMessage}
	r.Lost = rapid.Float64Range(0, 1).Draw(t, "lost")
	if rapid.Bool().Draw(t, "in turn") {
		r.Wake = lock.InTurn
		r.Place = rapid.Int64Range(0, 86_400_000).Draw(t, "place") * millisecond
	}
	return r
}

func anyClock(t *rapid.T, p *lock.Policy) {
	p.Clock.Ahead = rapid.Int64Range(-86_400_000, 86_400_000).Draw(t, "ahead") * millisecond
	if p.Clock.Ahead != 0 && rapid.Bool().Draw(t, "one clock") {
		p.Clock.Workers = []int32{0}
	}
	if p.Renew.Extend == lock.TouchOrSet {
		p.Renew.Extend = lock.Touch
	}
}

func anyQuorum(t *rapid.T, ttl int64) lock.QuorumPolicy {
	flag := func(what string) bool { return rapid.Bool().Draw(t, what) }
	q := lock.QuorumPolicy{
		Stores:     rapid.IntRange(1, wire.MaxStores).Draw(t, "stores"),
		Sequential: flag("sequential"), Timeout: anyDuration(t, "timeout"), Early: flag("early"),
		Drift: rapid.OneOf(rapid.Just(defaultDrift), rapid.Float64Range(0, 1)).Draw(t, "drift"),
		Plus:  rapid.OneOf(rapid.Just(int64(defaultPlus)), rapid.Int64Range(0, second)).Draw(t, "plus"),
		Keep:  flag("keep"), OwnCounts: flag("own"),
	}
	q.Unchecked = flag("unchecked") || (&lock.Policy{TTL: ttl, Quorum: q}).Validity() <= 0
	return q
}

func anyRenewal(t *rapid.T) (r lock.Renew, l lock.Loss) {
	if rapid.Bool().Draw(t, "renewed") {
		r = lock.Renew{
			Every: max(anyDuration(t, "period"), 1), Timeout: anyDuration(t, "patience"), AtMost: anyDuration(t, "at most"),
			OnError: rapid.SampledFrom([]lock.OnError{lock.NextPeriod, lock.RetryAtOnce, lock.StopRenewing}).Draw(t, "on error"),
			Extend:  rapid.SampledFrom([]lock.Extend{lock.Touch, lock.TouchOrSet, lock.SetXX}).Draw(t, "extend"),
		}
	}
	l.Stops = rapid.Bool().Draw(t, "stops")
	switch l.Learn = rapid.SampledFrom([]lock.Learn{lock.LearnNever, lock.LearnByDeadline, lock.LearnByPolling, lock.LearnByCancel}).Draw(t, "learn"); {
	case l.Learn == lock.LearnNever || l.Learn == lock.LearnByCancel && r.Every == 0:
		l = lock.Loss{}
	case l.Learn == lock.LearnByPolling:
		l.Every = max(anyDuration(t, "look"), 1)
	case l.Learn == lock.LearnByCancel:
		l.Latency = anyDuration(t, "latency")
	}
	return r, l
}

func anyFencing(t *rapid.T, p *lock.Policy) worker.Fencing {
	tokens := []worker.TokenAt{worker.TokenNone, worker.TokenBefore, worker.TokenAfter}
	if p.Kind == lock.Single && p.Acquire == lock.SetNXPX && p.Retry.Wake != lock.InTurn {
		tokens = append(tokens, worker.TokenInside)
	}
	f := worker.Fencing{Token: rapid.SampledFrom(tokens).Draw(t, "token"), OrEqual: rapid.Bool().Draw(t, "or equal")}
	if f.Token != worker.TokenNone {
		f.Check = rapid.SampledFrom([]worker.CheckAt{0, worker.CheckStart, worker.CheckCommit, 3}).Draw(t, "check")
	}
	f.OrEqual = f.OrEqual && f.Check != worker.CheckStart|worker.CheckCommit
	return f
}

func anyPause(t *rapid.T, s *Scenario) worker.Pause {
	p := worker.Pause{For: anyLaw(t, "for"), Thread: s.Lock.Kind != lock.Quorum && rapid.Bool().Draw(t, "thread")}
	p.For.Sequence = nil
	p.Where = rapid.SampledFrom([]worker.Where{worker.Before, worker.During, worker.At}).Draw(t, "where")
	if rapid.Bool().Draw(t, "some") {
		p.Workers = []int32{rapid.Int32Range(0, int32(s.Workers)-1).Draw(t, "worker")}
	}
	if p.Where == worker.At {
		p.Time = anyDuration(t, "time")
		return p
	}
	p.Step = rapid.SampledFrom(s.Steps()).Draw(t, "step")
	if hasFraction(&p) {
		p.Fraction = rapid.OneOf(rapid.Just(-1.0), rapid.Float64Range(0, 1)).Draw(t, "fraction")
	}
	if rapid.Bool().Draw(t, "regular") {
		p.Every = rapid.Int32Range(1, maxRounds).Draw(t, "every n")
	} else {
		p.Probability = rapid.Float64Range(0, 1).Draw(t, "probability")
	}
	return p
}

func anyCounts(t *rapid.T) *history.Counts {
	if !rapid.Bool().Draw(t, "published") {
		return nil
	}
	c := &history.Counts{Entries: rapid.Int64Range(0, maxPublished).Draw(t, "entries")}
	c.Conflicts = rapid.Int64Range(0, c.Entries).Draw(t, "conflicts")
	if rapid.Bool().Draw(t, "fenced") {
		rejected := rapid.Int64Range(0, maxPublished).Draw(t, "rejected")
		c.RejectedWrites = &rejected
	}
	return c
}

// anyCrash draws a crash at a step of the scenario's round.
func anyCrash(t *rapid.T, s *Scenario) worker.Pause {
	p := worker.Pause{
		Crash: true, Where: rapid.SampledFrom([]worker.Where{worker.Before, worker.During}).Draw(t, "crash place"),
		Step: rapid.SampledFrom(s.Steps()).Draw(t, "crash step"),
		When: worker.InRound, Round: rapid.Int32Range(0, maxRounds-1).Draw(t, "crash round"),
	}
	if hasFraction(&p) {
		p.Fraction = -1
	}
	return p
}
