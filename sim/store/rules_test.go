package store_test

import "testing"

// A rule is one fact about real servers, in our words, with the steps that show it. Every step is taken by a real
// server and by the model, which must agree, and end in what is written here, for all servers or by version.
type rule struct {
	number    string
	statement string
	cases     []example
}

// An example begins with an empty store, and a clock at the beginning of a millisecond.
type example struct {
	what string
	do   []line
}

// A line is a step and the replies to it, as replyText writes them.
type line struct {
	step
	want string
	// Where versions differ: the replies when deadlines are frozen inside scripts and transactions (Redis 7.2,
	// Valkey 8), and with Valkey 8's view of a deadline in the past. Empty: like want.
	frozen, valkey string
}

func (p *pair) wanted(l *line) string {
	switch {
	case l.valkey != "" && p.rules.PastSetDeletes:
		return l.valkey
	case l.frozen != "" && p.rules.FrozenDeadlines:
		return l.frozen
	}
	return l.want
}

// TestRules takes the steps of every rule on every server. With -rewrite it writes down which server followed which.
func TestRules(t *testing.T) {
	held := readHeld(t)
	forEachServer(t, func(t *testing.T, p *pair) {
		for _, r := range rules {
			t.Run("Rule"+r.number, func(t *testing.T) {
				for _, e := range r.cases {
					p.follow(t, &e)
				}
				held.note(r.number, p.name, !t.Failed())
			})
		}
	})
	if *rewrite {
		held.write(t)
	}
}

// follow takes the steps of an example.
func (p *pair) follow(t *testing.T, e *example) {
	p.reset()
	for i := range e.do {
		l := &e.do[i]
		model, real := p.takeLine(&l.step)
		if got := outcomeText(&real); got != p.wanted(l) {
			t.Errorf("%s: %s\n%s: %s, want %s", e.what, &l.step, p.name, got, p.wanted(l))
		}
		if !model.equal(&real) {
			t.Errorf("%s: %s\nmodel:  %s\nserver: %s", e.what, &l.step, &model, &real)
		}
	}
}

// takeLine takes a step; a script that sleeps needs help with that.
func (p *pair) takeLine(s *step) (model, real outcome) {
	if s.form == script && sleeps(s) > 0 {
		return p.takeSlow(s)
	}
	return p.take(s)
}

func outcomeText(o *outcome) string {
	if o.aborted {
		return "aborted"
	}
	return repliesText(o.replies)
}
