package study

import (
	"fmt"
	"strings"

	"locklab/worker/lock"
)

// asked are the scenarios that the last table of the lesson judges, what each is called there, and why it is not to be relied on even
// if it did no damage.
var asked = []struct{ name, what, but string }{
	{"lesson/balance-unlocked", "nothing at all", ""},
	{"lesson/balance-locked", "a lock with a TTL", ""},
	{"lesson/balance-fenced", "a lock, and a token from the acquire that is checked before the read and in the write", ""},
	{"lesson/fence-at-commit", "the same, checked in the write alone; the next holder is quick", "no: see the next row, the same with a slow holder"},
	{"lesson/fence-not-announced", "the same; the next holder is slow", ""},
	{"lesson/fence-at-start", "a lock, and a token that is checked before the work alone", ""},
	{"lesson/token-after-stop", "a lock, and a token that is drawn after the acquire", ""},
	{"lesson/atomic", "one atomic command", ""},
	{"lesson/optimistic", "WATCH and MULTI, tried again", ""},
	{"lesson/versioned", "a version number, tried again", ""},
	{"lesson/transaction", "one script", ""},
	{"lesson/partition", "a key for each worker", ""},
	{"lesson/job-locked", "a job behind a lock", ""},
	{"lesson/idempotent", "a job that is claimed by its key", ""},
	{"lesson/idempotent-crash", "the same, and the claimer dies", ""},
}

// writeAnswer writes the table that says what may be used for what, from the figures.
func writeAnswer(b *strings.Builder, all map[string]*found) {
	fmt.Fprint(b, "\n## Efficiency or correctness: which of these may I use?\n\n")
	fmt.Fprint(b, "For efficiency, a failure costs work that is done for nothing. For correctness, a failure costs money: nothing may be lost and nothing done twice, not once in all runs of both worlds.\n\n")
	fmt.Fprintln(b, "| with | damage per 100 rounds | rounds per second | commands per round | wasted, share of the work | for efficiency | for correctness |")
	fmt.Fprintln(b, "| --- | --- | --- | --- | --- | --- | --- |")
	for _, a := range asked {
		fmt.Fprintf(b, "| %s (`%s`) | %s |\n", a.what, a.name, strings.Join(all[a.name].answer(a.but), " | "))
	}
}

// answer are the figures of one way, and what they allow; but is why it is not to be relied on all the same, or empty.
func (f *found) answer(but string) []string {
	c, m := f.cell, f.measured()
	if c == nil || m == nil {
		return []string{"not measured", "", "", "", "", ""}
	}
	entries, real := c.Entries.Mean(), m.Entries.Mean()
	work := float64(f.scenario.Scenario.Work.Mean()) * entries
	harmful := c.Damage.Stat().Max > 0 || m.Damage.Stat().Max > 0
	words := []string{
		fmt.Sprintf("%.1f → %.1f", 100*c.Damage.Mean()/entries, 100*m.Damage.Mean()/real),
		fmt.Sprintf("%.1f → %.1f", perSecond(entries, c.EndNS.Mean()), perSecond(real, m.EndNS.Mean())),
		fmt.Sprintf("%.1f → %.1f", c.Commands.Mean()/entries, m.Commands.Mean()/real),
		fmt.Sprintf("%.0f %%", 100*c.WastedNS.Mean()/work),
	}
	switch {
	case f.scenario.Scenario.Lock.Kind == lock.None && 2*c.LostUpdates.Mean() > entries:
		return append(words, "no: it keeps nobody from doing the same", fmt.Sprintf("no: damage in %.0f %% of the simulated runs", 100*float64(c.Damage.NonZero())/float64(c.Runs)))
	case c.NotDone.Stat().Max > 0:
		return append(words, "yes, if it may stay undone", "no: somebody has to look for what was claimed and not done")
	case harmful:
		return append(words, "yes", fmt.Sprintf("no: damage in %.0f %% of the simulated runs", 100*float64(c.Damage.NonZero())/float64(c.Runs)))
	}
	if but != "" {
		return append(words, "yes", but)
	}
	return append(words, "yes", "yes")
}
