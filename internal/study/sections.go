package study

import "locklab/history"

// A section is a part of the whole lesson: some scenarios, and what they show together.
type section struct {
	title, text string
	scenarios   []lessonScenario
	figure      string // what its figure is called
}

// A lessonScenario is a scenario of the whole lesson, and what is expected of every run of it.
type lessonScenario struct {
	name   string
	expect Expectation
}

// An Amount is what is expected of a count.
type Amount uint8

// The amounts. Any is the zero value: nothing is expected.
const (
	Any   Amount = iota
	Zero         // in every run
	Some         // in the mean of the runs
	Every        // in every run but one of 200
)

// An Expectation is what a scenario of the lesson is there to show.
type Expectation struct {
	Conflicts, Damage, Rejected, LostHolds, Never Amount
}

// Misses names the counts that are not as expected of so many runs, given by their distributions; none if all are.
func (x *Expectation) Misses(c *history.Cell) []string {
	var missed []string
	for _, of := range []struct {
		name   string
		amount Amount
		counts *history.Histogram
	}{
		{"conflicts", x.Conflicts, &c.Conflicts}, {"damage", x.Damage, &c.Damage}, {"rejected writes", x.Rejected, &c.RejectedWrites},
		{"lost holds", x.LostHolds, &c.LostHolds}, {"waits for ever", x.Never, &c.Never},
	} {
		if !of.amount.fits(of.counts) {
			missed = append(missed, of.name)
		}
	}
	return missed
}

func (a Amount) fits(counts *history.Histogram) bool {
	switch a {
	case Zero:
		return counts.Stat().Max == 0
	case Some:
		return counts.Mean() > 0
	case Every:
		return counts.Stat().P0_5 > 0
	}
	return true
}

// sections are those of the whole lesson.
var sections = []section{
	{
		title: "The experiments",
		text:  "Two workers and one lock. A lease that is shorter than the work, or a pause that is longer than the lease, lets two in at once; fencing rejects what the late one writes.",
		scenarios: []lessonScenario{
			{"lesson/a", Expectation{Conflicts: Every}}, {"lesson/b", Expectation{Conflicts: Zero, LostHolds: Zero}},
			{"lesson/c", Expectation{Conflicts: Every, LostHolds: Every}}, {"lesson/d", Expectation{Conflicts: Some, LostHolds: Every}},
			{"lesson/e", Expectation{Conflicts: Some, Rejected: Every}}, {"lesson/work-too-short", Expectation{LostHolds: Every}},
		},
		figure: "experiments",
	},
	{
		title: "What a lock on Redis must have",
		text:  "SET with NX, a TTL in the same command, and a release that looks whose lock it is, in one step. Each is left out here once, and each omission is a failure of its own.",
		scenarios: []lessonScenario{
			{"lesson/no-nx", Expectation{Conflicts: Every}}, {"lesson/no-ttl", Expectation{Never: Every}},
			{"lesson/setnx-then-expire", Expectation{Never: Every}}, {"lesson/release-without-owner", Expectation{Conflicts: Every}},
			{"lesson/release-in-two-steps", Expectation{Conflicts: Every}},
		},
		figure: "parts",
	},
	{
		title: "Fencing",
		text:  "A token helps if it is issued with the grant, and if the resource compares it where it is written, and before it is read. Fencing prevents damage, not conflicts.",
		scenarios: []lessonScenario{
			{"lesson/balance-locked", Expectation{Damage: Every}}, {"lesson/balance-fenced", Expectation{Conflicts: Every, Damage: Zero, Rejected: Every}},
			{"lesson/fence-at-start", Expectation{Damage: Some, Rejected: Zero}}, {"lesson/fence-at-commit", Expectation{Conflicts: Some, Damage: Zero, Rejected: Some}},
			{"lesson/fence-not-announced", Expectation{Conflicts: Every, Damage: Any, Rejected: Every}}, {"lesson/fence-unchecked", Expectation{Damage: Some, Rejected: Zero}},
			{"lesson/token-before-acquire", Expectation{Rejected: Every}}, {"lesson/token-after-stop", Expectation{Damage: Some}},
			{"lesson/token-inside", Expectation{Conflicts: Some, Damage: Zero, Rejected: Some}},
		},
		figure: "fencing",
	},
	{
		title: "Doing without",
		text:  "What the store does in one step, what is tried again when somebody else was first, what is not shared, and what is recognised when it comes twice, needs no lock. No pause makes it lose an update.",
		scenarios: []lessonScenario{
			{"lesson/balance-unlocked", Expectation{Conflicts: Every, Damage: Every}}, {"lesson/balance-locked", Expectation{Damage: Every}},
			{"lesson/balance-fenced", Expectation{Conflicts: Every, Damage: Zero, Rejected: Every}},
			{"lesson/atomic", Expectation{Conflicts: Every, Damage: Zero}}, {"lesson/optimistic", Expectation{Conflicts: Every, Damage: Zero}},
			{"lesson/versioned", Expectation{Conflicts: Every, Damage: Zero}}, {"lesson/transaction", Expectation{Conflicts: Every, Damage: Zero}},
			{"lesson/partition", Expectation{Conflicts: Zero, Damage: Zero}}, {"lesson/job-locked", Expectation{Damage: Some}},
			{"lesson/idempotent", Expectation{Damage: Zero}}, {"lesson/idempotent-crash", Expectation{Damage: Every}},
		},
		figure: "without",
	},
	{
		title: "Locks as people deploy them",
		text:  "More stores and renewal repair what they are made for: a store that is lost, work that is longer than the lease. They do not help a holder that is stopped, nor does a lock whose leases end by a clock that is wrong.",
		scenarios: []lessonScenario{
			{"lesson/redlock-pause", Expectation{Conflicts: Some, LostHolds: Some}}, {"lesson/redlock-check", Expectation{Conflicts: Zero}},
			{"lesson/watchdog-work", Expectation{Conflicts: Zero, LostHolds: Zero}}, {"lesson/watchdog-pause", Expectation{Conflicts: Some, LostHolds: Every}},
			{"lesson/watchdog-thread", Expectation{Conflicts: Zero, LostHolds: Zero}}, {"lesson/clock-behind", Expectation{Conflicts: Every, LostHolds: Every}},
		},
		figure: "deployed",
	},
}

// lessonScenarios are those of all sections, each once.
func lessonScenarios() []lessonScenario {
	var all []lessonScenario
	seen := make(map[string]bool)
	for _, s := range sections {
		for _, x := range s.scenarios {
			if !seen[x.name] {
				seen[x.name] = true
				all = append(all, x)
			}
		}
	}
	return all
}
