package plots

import (
	"slices"

	"locklab/history"
)

const ms = int64(1e6)

// zombieRun is a run of two workers in which worker 0 is paused past the end of its lease: times in ms. With fencing,
// its late write is rejected and it leaves at once.
//
//	worker 0: granted 1, paused 2 to 1202, lease ends 1001, enters 1203
//	worker 1: granted 1010, inside 1011 to 1311, frees 1312
func zombieRun(fencing bool) []history.Event {
	at := func(t int64, worker int32, k history.Kind) history.Event {
		return history.Event{At: t * ms, Worker: worker, Kind: k}
	}
	order := func(e history.Event, n int64) history.Event { e.Order = n; return e }
	inside := func(e history.Event, n int32) history.Event { e.Inside = n; return e }
	left := int64(1503)
	events := []history.Event{
		at(0, 0, history.Asked), at(0, 1, history.Asked),
		order(at(1, 0, history.Granted), 1), at(1, 0, history.Acquired), at(2, 0, history.Stopping),
		order(at(1010, 1, history.Granted), 2), at(1010, 1, history.Acquired),
		order(at(1001, 0, history.Expired), 1), // found late
		inside(at(1011, 1, history.Entered), 1),
		at(1202, 0, history.Resumed), inside(at(1203, 0, history.Entered), 2),
	}
	if fencing {
		left = 1205
		e := at(1204, 0, history.Rejected)
		e.Token, e.Step = 1, history.Check
		events = append(events, e)
	}
	return append(events,
		at(left, 0, history.Left), at(left, 0, history.Releasing), at(left+1, 0, history.Lost),
		at(1311, 1, history.Left), at(1311, 1, history.Releasing), order(at(1312, 1, history.Freed), 2),
		at(1600, 0, history.Finished), at(1600, 1, history.Finished))
}

// observable is what the real world would have seen of a run.
func observable(events []history.Event) []history.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e history.Event) bool { return e.Kind.IsTruth() })
}

// source is where runs of a scenario come from. A profile's hash is its name's first letter.
func source(scenario string, world history.World, profile string, published int64) history.Source {
	return history.Source{
		Scenario: scenario, ScenarioHash: "hash of " + scenario, Params: history.Params{Scale: 1},
		Published: &history.Counts{Entries: 80, Conflicts: published},
		World:     world, Profile: profile, ProfileHash: profile[:1],
	}
}

func cell(src history.Source, conflicts ...int64) history.Cell {
	c := history.NewCell(src)
	for _, n := range conflicts {
		c.Add(&history.Tally{Entries: 80, Conflicts: n}, 1, false)
	}
	return *c
}

func record(src history.Source, rep int, conflicts int64) history.Record {
	return history.NewRecord(src, rep, &history.Tally{Entries: 80, Conflicts: conflicts}, 1, 0)
}

// lesson is what `locklab lesson` finds, with the numbers of the lesson.
func lesson() history.Lines {
	var l history.Lines
	for _, row := range []struct {
		id                      string
		published               int64
		lab, machine, conflicts []int64
	}{
		{"a", 41, []int64{40, 40, 43}, []int64{40, 40, 40}, []int64{40, 40, 40}},
		{"b", 0, []int64{0, 0, 0}, []int64{0, 0, 0}, []int64{0, 0, 0}},
		{"c", 79, []int64{79, 79, 79}, []int64{79, 79, 79}, []int64{79, 79, 79}},
		{"d", 31, []int64{28, 30, 32}, []int64{26, 27, 31}, []int64{27, 29, 28}},
		{"e", 15, []int64{14, 15, 16}, []int64{15, 17, 16}, []int64{16, 17, 15}},
	} {
		name := "lesson/" + row.id
		l.Cells = append(l.Cells,
			cell(source(name, history.Sim, "machine", row.published), row.machine...),
			cell(source(name, history.Sim, "lab", row.published), row.lab...))
		for rep, n := range row.conflicts {
			l.Records = append(l.Records, record(source(name, history.Real, "machine", row.published), rep, n))
		}
	}
	return l
}
