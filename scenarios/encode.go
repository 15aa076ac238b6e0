package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"locklab/history"
	"locklab/worker"
	"locklab/worker/lock"
)

// YAML is the scenario in its canonical form: what is not the default, in the order of the schema. Parse reads
// the same scenario from it.
func (s *Scenario) YAML() []byte { return printTree(s.tree()) }

// Hash is the first 16 hexadecimal digits of the SHA-256 of what decides how the scenario behaves: its canonical
// YAML without name, title, teaches and published.
func (s *Scenario) Hash() string { return hashOf(s.behaviour(mapping())) }

// hashOf is the hash of a tree's canonical YAML.
func hashOf(n *node) string {
	sum := sha256.Sum256(printTree(n))
	return hex.EncodeToString(sum[:8])
}

// tree is the whole scenario as nodes.
func (s *Scenario) tree() *node {
	n := mapping().with("scenario", text(s.Name))
	if s.Title != "" {
		n.with("title", text(s.Title))
	}
	if s.Teaches != "" {
		n.with("teaches", text(s.Teaches))
	}
	s.behaviour(n)
	if s.Published != nil {
		n.with("published", publishedNode(s.Published))
	}
	return n
}

// behaviour adds to a mapping all that decides how the scenario behaves.
func (s *Scenario) behaviour(n *node) *node {
	n.with("workers", wholeNode(int64(s.Workers))).with("rounds", wholeNode(int64(s.Rounds)))
	if start := mapping().withDuration("spread", s.Start).withDuration("apart", s.Apart); len(start.keys) > 0 {
		n.with("start", start)
	}
	work := lawNode(s.Work)
	if s.WorkCPU {
		work = mapping().with("cpu", work)
	}
	n.with("work", work).withLaw("think", s.Think)
	if s.Lock.Kind != lock.None {
		n.with("lock", lockNode(&s.Lock))
	}
	if s.Fencing != (worker.Fencing{}) {
		n.with("fencing", fencingNode(s.Fencing))
	}
	if s.Resource.Kind != worker.NoResource {
		n.with("resource", resourceNode(&s.Resource))
	}
	n.withPauses("pauses", s.Pauses, false).withPauses("crashes", s.Pauses, true)
	delay := mapping().withLaw("network", s.Delay.Network).withLaw("timer", s.Delay.Timer)
	if len(delay.keys) > 0 {
		n.with("delay", delay)
	}
	return n
}

func lockNode(p *lock.Policy) *node {
	n := mapping().with("kind", text(nameOf(kindWords, p.Kind)))
	if p.Kind == lock.Quorum {
		n.with("stores", wholeNode(int64(p.Quorum.Stores)))
	}
	n.withDuration("ttl", p.TTL)
	if p.Kind == lock.Quorum {
		n.withQuorum(&p.Quorum)
	}
	retry := mapping().withWake(&p.Retry)
	if p.Retry.Wake == lock.BySleep {
		retry.with("every", lawNode(p.Retry.Every))
	}
	if p.Retry.Factor != 0 {
		factor := plain(formatNumber(p.Retry.Factor))
		retry.with("backoff", mapping().with("factor", factor).withDuration("most", p.Retry.Most))
	}
	if p.Retry.Tries != 0 {
		retry.with("tries", wholeNode(p.Retry.Tries))
	}
	retry.withDuration("longest", p.Retry.Longest)
	n.with("retry", retry)
	if p.Acquire != lock.SetNXPX {
		n.with("acquire", text(nameOf(acquireWords, p.Acquire)))
	}
	if p.Release != lock.Compare {
		n.with("release", text(nameOf(releaseWords, p.Release)))
	}
	if p.ReleaseTries > 1 {
		n.with("release_tries", wholeNode(p.ReleaseTries))
	}
	n.withDuration("min_hold", p.MinHold)
	if p.Renew.Every > 0 {
		n.with("renew", renewNode(&p.Renew))
	}
	if p.Loss.Learn != lock.LearnNever {
		n.with("loss", lossNode(&p.Loss))
	}
	if p.Clock.Ahead != 0 {
		n.with("clock", clockNode(&p.Clock))
	}
	return n
}

func fencingNode(f worker.Fencing) *node {
	n := mapping().
		with("token", text(nameOf(tokenWords, f.Token))).
		with("check", text(nameOf(checkWords, f.Check))).
		with("reject", text(nameOf(rejectWords, f.OrEqual)))
	if f.First != 0 {
		n.with("first", wholeNode(f.First))
	}
	return n
}

func resourceNode(r *worker.Resource) *node {
	n := mapping().with("kind", text(nameOf(resourceWords, r.Kind)))
	if r.Update != worker.Plain {
		n.with("update", text(nameOf(updateWords[r.Kind], r.Update)))
	}
	if r.Amount > 1 {
		n.with("amount", wholeNode(r.Amount))
	}
	if r.Opening != 0 {
		n.with("opening", wholeNode(r.Opening))
	}
	return n
}

// withPauses adds the pauses that are crashes, or those that are not, if there are any.
func (n *node) withPauses(key string, pauses []worker.Pause, crash bool) *node {
	l := list()
	for i := range pauses {
		if pauses[i].Crash == crash {
			l.items = append(l.items, pauseNode(&pauses[i]))
		}
	}
	if len(l.items) > 0 {
		n.with(key, l)
	}
	return n
}

func pauseNode(p *worker.Pause) *node {
	n := mapping()
	switch p.Where {
	case worker.Before:
		n.with("before", text(p.Step.String()))
	case worker.During:
		n.with("during", text(p.Step.String()))
	case worker.At:
		n.with("at", durationNode(p.Time))
	}
	if !p.Crash {
		n.with("for", lawNode(p.For))
	}
	if hasFraction(p) && p.Fraction >= 0 {
		n.with("fraction", plain(formatNumber(p.Fraction)))
	}
	switch {
	case p.When == worker.InRound:
		n.with("round", wholeNode(int64(p.Round)))
	case p.Every > 0:
		n.with("every", wholeNode(int64(p.Every)))
	case p.Where != worker.At:
		n.with("probability", plain(formatNumber(p.Probability)))
	}
	if p.Thread {
		n.with("thread", plain("true"))
	}
	if p.Workers != nil {
		n.with("workers", workersNode(p.Workers))
	}
	return n
}

func workersNode(workers []int32) *node {
	n := list()
	for _, w := range workers {
		n.items = append(n.items, wholeNode(int64(w)))
	}
	return n
}

func publishedNode(c *history.Counts) *node {
	n := mapping().with("entries", wholeNode(c.Entries)).with("conflicts", wholeNode(c.Conflicts))
	if c.RejectedWrites != nil {
		n.with("rejected_writes", wholeNode(*c.RejectedWrites))
	}
	return n
}

func wholeNode(v int64) *node { return plain(strconv.FormatInt(v, 10)) }
