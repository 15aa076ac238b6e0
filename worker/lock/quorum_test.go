package lock_test

import (
	"fmt"
	"strings"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker/lock"
	"locklab/worker/wire"
)

// A script is what happens to a machine with three stores, a TTL of 100 ms and a retry after 25 ms, a line each:
//
//	AT ask|retry|release|timeout|renew|STORE+|STORE-   what happens at that time, in ms; + a store did it, - it refused
//	-> what the machine wants and notes, and where it stands
type scripted struct {
	name   string
	policy func(*lock.Policy)
	steps  string
}

var scripts = []scripted{
	{"all are asked, and all answers awaited", nil, `
0 ask -> asked, set 0, set 1, set 2
1 0+ ->
2 2+ ->
3 1- -> acquired 2, acquired!
50 release -> releasing, del 0, del 1, del 2
51 0+ ->
52 1- ->
53 2+ -> released 2, released!`},
	{"fewer deletions than a majority are a lost hold", nil, `
0 ask -> asked, set 0, set 1, set 2
1 0+ ->
1 1+ ->
1 2+ -> acquired 3, acquired!
50 release -> releasing, del 0, del 1, del 2
51 0- ->
51 1- ->
51 2+ -> lost 1, released!`},
	{"what a refused try got is released before the sleep", nil, `
0 ask -> asked, set 0, set 1, set 2
1 0+ ->
1 1- ->
1 2- -> refused 1, del 0, del 1, del 2
3 0+ ->
3 1- ->
4 2- -> timer 29
29 retry -> set 0, set 1, set 2`},
	{"or kept until the acquire ends", func(p *lock.Policy) { p.Quorum.Keep, p.Retry.Tries = true, 2 }, `
0 ask -> asked, set 0, set 1, set 2
1 0+ ->
1 1- ->
1 2- -> refused 1, timer 26
26 retry -> set 0, set 1, set 2
27 0- ->
27 1- ->
27 2- -> refused, del 0, del 1, del 2
28 0+ ->
28 1- ->
28 2- -> gave-up, gave up!`},
	{"the validity is over at its last nanosecond", nil, `
0 ask -> asked, set 0, set 1, set 2
1 0+ ->
1 1+ ->
97 2+ -> refused 3, del 0, del 1, del 2`},
	{"and not before", func(p *lock.Policy) { p.Quorum.Plus -= 1 }, `
0 ask -> asked, set 0, set 1, set 2
1 0+ ->
1 1+ ->
97 2+ -> acquired 3, acquired!`},
	{"without a check it does not matter", func(p *lock.Policy) { p.Quorum.Unchecked = true }, `
0 ask -> asked, set 0, set 1, set 2
1 0+ ->
1 1+ ->
500 2+ -> acquired 3, acquired!`},
	{"early, two of three decide", func(p *lock.Policy) { p.Quorum.Early = true }, `
0 ask -> asked, set 0, set 1, set 2
1 0+ ->
1 2+ -> acquired 2, acquired!
2 1+ ->
50 release -> releasing, del 0, del 1, del 2
51 0- ->
51 1- -> lost, released!
52 2+ ->`},
	{"early, against it too", func(p *lock.Policy) { p.Quorum.Early = true }, `
0 ask -> asked, set 0, set 1, set 2
1 0- ->
1 2- -> refused, del 0, del 1, del 2
2 1+ ->
3 0- ->
3 2- ->
4 1+ -> timer 29`},
	{"a late answer counts for nothing, but its lease is deleted", func(p *lock.Policy) { p.Quorum.Timeout = 10 * ms }, `
0 ask -> asked, set 0, set 1, set 2, timeout 10
1 0+ ->
10 timeout -> cancel, refused 1, del 0, del 1, del 2, timeout 20
11 0+ ->
12 1+ ->
13 1+ ->
20 timeout -> cancel, timer 45
45 retry -> set 0, set 1, timeout 55
46 0+ ->
47 2+ ->
48 1+ -> cancel, acquired 2, acquired!
49 2- ->
50 release -> releasing, del 0, del 1, timeout 60
51 0+ ->
51 1+ -> cancel, released 2, released!`},
	{"a store that owes two answers is not asked", func(p *lock.Policy) { p.Quorum.Timeout, p.Quorum.Keep = 10*ms, true }, `
0 ask -> asked, set 0, set 1, set 2, timeout 10
1 0- ->
1 1- ->
10 timeout -> cancel, refused, timer 35
35 retry -> set 0, set 1, set 2, timeout 45
36 0- ->
36 1- ->
45 timeout -> cancel, refused, timer 70
70 retry -> set 0, set 1, timeout 80`},
	{"nobody answers", func(p *lock.Policy) { p.Quorum.Timeout, p.Quorum.Keep = 10*ms, true }, `
0 ask -> asked, set 0, set 1, set 2, timeout 10
10 timeout -> cancel, refused, timer 35
35 retry -> set 0, set 1, set 2, timeout 45
45 timeout -> cancel, refused, timer 70
70 retry -> timeout 80
80 timeout -> cancel, refused, timer 105`},
	{"one after the other", func(p *lock.Policy) { p.Quorum.Sequential, p.Quorum.Timeout = true, 10*ms }, `
0 ask -> asked, set 0, timeout 10
1 0+ -> set 1, timeout 11
11 timeout -> set 2, timeout 21
12 1+ ->
13 2+ -> cancel, acquired 2, acquired!`},
	{"one after the other, early", func(p *lock.Policy) { p.Quorum.Sequential, p.Quorum.Early = true, true }, `
0 ask -> asked, set 0
1 0+ -> set 1
2 1+ -> acquired 2, acquired!
50 release -> releasing, del 0, del 1
51 0+ ->
52 1+ -> released 2, released!`},
	{"a majority prolongs the lease", renewed, `
0 ask -> asked, set 0, set 1, set 2
1 0+ ->
1 1+ ->
1 2- -> acquired 2, renewal 41, acquired!
41 renew -> extend 0, extend 1, extend 2, renewal 61
42 0+ ->
43 2- ->
44 1+ -> renewed 2, renewal 84, holding!
50 release -> cancel, releasing, del 0, del 1, del 2`},
	{"a minority cannot", renewed, `
0 ask -> asked, set 0, set 1, set 2
1 0+ ->
1 1+ ->
1 2- -> acquired 2, renewal 41, acquired!
41 renew -> extend 0, extend 1, extend 2, renewal 61
42 0+ ->
43 2- ->
44 1- -> cancel, renewal-lost 1, holding!
50 release -> cancel, releasing, del 0, del 1, del 2
51 0+ ->
51 1- ->
51 2- -> lost-again 1, released!`},
	{"a renewal that is not answered has failed, and is tried again", renewed, `
0 ask -> asked, set 0, set 1, set 2
1 0+ ->
1 1+ ->
1 2+ -> acquired 3, renewal 41, acquired!
41 renew -> extend 0, extend 1, extend 2, renewal 61
42 0+ ->
61 renew -> cancel, renewal-failed 1, extend 0, extend 1, extend 2, renewal 81
62 0+ ->
63 1+ ->
64 1+ ->
65 2+ ->
81 renew -> renewed 2, renewal 121
82 2+ ->`},
	{"without a majority that may be asked it waits for the next period", renewed, `
0 ask -> asked, set 0, set 1, set 2
1 0+ ->
1 1+ ->
1 2+ -> acquired 3, renewal 41, acquired!
41 renew -> extend 0, extend 1, extend 2, renewal 61
61 renew -> cancel, renewal-failed, extend 0, extend 1, extend 2, renewal 81
81 renew -> cancel, renewal-failed, renewal 121
121 renew -> renewal 161`},
	{"a renewal that took too long has failed", func(p *lock.Policy) { renewed(p); p.Renew.Timeout, p.Renew.OnError = 0, lock.StopRenewing }, `
0 ask -> asked, set 0, set 1, set 2
1 0+ ->
1 1+ ->
1 2+ -> acquired 3, renewal 41, acquired!
41 renew -> extend 0, extend 1, extend 2
42 0+ ->
43 1+ ->
138 2+ -> cancel, renewal-failed 3, holding!`},
	{"a release does not wait for a renewal", renewed, `
0 ask -> asked, set 0, set 1, set 2
1 0+ ->
1 1+ ->
1 2+ -> acquired 3, renewal 41, acquired!
41 renew -> extend 0, extend 1, extend 2, renewal 61
42 release -> cancel, releasing, del 0, del 1, del 2
43 0+ ->
43 1+ ->
43 2+ ->
44 0+ ->
44 1- ->
44 2+ -> released 2, released!`},
	{"an own lease counts, where it does", func(p *lock.Policy) { p.Quorum.OwnCounts, p.Quorum.Keep = true, true }, `
0 ask -> asked, own 0, own 1, own 2
1 0+ ->
1 1- ->
1 2- -> refused 1, timer 26
26 retry -> own 0, own 1, own 2`},
}

// renewed has the lease renewed.
func renewed(p *lock.Policy) {
	p.Renew = lock.Renew{Every: 40 * ms, Timeout: 20 * ms, OnError: lock.RetryAtOnce}
}

func TestQuorum(t *testing.T) {
	for _, s := range scripts {
		t.Run(s.name, func(t *testing.T) {
			p := &lock.Policy{
				Kind: lock.Quorum, TTL: 100 * ms, Retry: lock.Retry{Every: choice.Const(25 * ms)},
				Quorum: lock.QuorumPolicy{Stores: 3, Drift: 0.01, Plus: 2 * ms},
			}
			if s.policy != nil {
				s.policy(p)
			}
			m := newMachine(p)
			for line := range strings.Lines(strings.TrimSpace(s.steps)) {
				does, want, _ := strings.Cut(strings.TrimSpace(line), " ->")
				if got := take(t, &m, does); got != strings.TrimSpace(want) {
					t.Fatalf("%s:\n got %s\nwant %s", does, got, strings.TrimSpace(want))
				}
			}
		})
	}
}

// take lets one thing happen to the machine, and tells what comes of it.
func take(t *testing.T, m *lock.Machine, does string) string {
	t.Helper()
	var at int64
	var what string
	if _, err := fmt.Sscan(does, &at, &what); err != nil {
		t.Fatal(err)
	}
	var out wire.Wishes
	now, outcome := at*ms, lock.Waiting
	switch what {
	case "ask":
		m.Acquire(now, 0, &out)
	case "retry":
		m.Retry(now, &out)
	case "release":
		m.Release(now, &out)
	case "timeout":
		outcome = m.TimedOut(now, &out)
	case "renew":
		m.RenewalDue(now, &out)
	default:
		reply := wire.Reply{Status: wire.Nil}
		if what[1] == '+' {
			reply.Status = wire.OK
		}
		outcome = m.Replied(now, 16+wire.Tag(what[0]-'0'), &reply, &out)
	}
	return strings.Join(append(told(&out), outcomes[outcome]...), ", ")
}

var outcomes = map[lock.Outcome][]string{
	lock.Waiting: nil, lock.Holding: {"holding!"}, lock.Acquired: {"acquired!"}, lock.GaveUp: {"gave up!"}, lock.Released: {"released!"},
}

// told says what a machine wants and notes; notes come after a timer that is cancelled and before all else.
func told(out *wire.Wishes) (all []string) {
	var notes []string
	for _, e := range out.Notes() {
		note := e.Kind.String()
		if e.Stores > 0 {
			note = fmt.Sprintf("%s %d", note, e.Stores)
		}
		if e.Kind == history.Acquired && e.For == 0 {
			note += " at once"
		}
		notes = append(notes, note)
	}
	wishes := out.All()
	for len(wishes) > 0 && wishes[0].Kind == wire.Cancel {
		all, wishes = append(all, "cancel"), wishes[1:]
	}
	all = append(all, notes...)
	names := map[wire.Op]string{wire.SetNX: "set", wire.SetOwn: "own", wire.CompareDelete: "del", wire.CompareExpire: "extend"}
	for i := range wishes {
		switch w := &wishes[i]; {
		case w.Kind == wire.Send:
			all = append(all, fmt.Sprintf("%s %d", names[w.Command.Op], w.Store))
		case w.Kind == wire.Cancel:
			all = append(all, "cancel")
		case w.Timer == wire.TimerRenew:
			all = append(all, fmt.Sprintf("renewal %d", w.At/ms))
		case w.Timer == wire.TimerTimeout:
			all = append(all, fmt.Sprintf("timeout %d", w.At/ms))
		default:
			all = append(all, fmt.Sprintf("timer %d", w.At/ms))
		}
	}
	return all
}
