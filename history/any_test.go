package history_test

import (
	"locklab/history"

	"pgregory.net/rapid"
)

// All kinds of events, by their order in the package.
func allKinds() []history.Kind {
	var all []history.Kind
	for k := history.Asked; k <= history.Finished; k++ {
		all = append(all, k)
	}
	for k := history.Granted; k <= history.FalseBelief; k++ {
		all = append(all, k)
	}
	return all
}

// anyEvent draws an event as a run may have it: numbers that count something are not negative.
func anyEvent(t *rapid.T) history.Event {
	number := rapid.Int64Range(0, 1<<40)
	small := rapid.Int32Range(0, 5)
	return history.Event{
		At: number.Draw(t, "at"), Worker: small.Draw(t, "worker"), Round: small.Draw(t, "round"),
		Kind: rapid.SampledFrom(allKinds()).Draw(t, "kind"), Step: history.Step(rapid.Uint8Range(0, uint8(history.Think)).Draw(t, "step")),
		Inside: small.Draw(t, "inside"), Order: number.Draw(t, "order"), ServerUS: number.Draw(t, "server"),
		Overlap: number.Draw(t, "overlap"), Token: number.Draw(t, "token"), For: number.Draw(t, "for"),
	}
}

func anyEvents(t *rapid.T) []history.Event {
	return rapid.SliceOfN(rapid.Custom(anyEvent), 0, 30).Draw(t, "events")
}

// tallyOf feeds events one by one.
func tallyOf(events []history.Event) history.Tally {
	var tally history.Tally
	for i := range events {
		tally.Add(&events[i])
	}
	return tally
}

func anySource(t *rapid.T) history.Source {
	s := history.Source{
		Scenario: "lesson/x", ScenarioHash: "0123", Params: history.Params{Scale: rapid.Float64Range(0.01, 10).Draw(t, "scale")},
		World: rapid.SampledFrom([]history.World{history.Sim, history.Real}).Draw(t, "world"),
		Seed:  rapid.Uint64().Draw(t, "seed"), Profile: "lab", ProfileHash: "4567",
		Store: history.Store{Product: "redis", Version: "7.0.15"},
	}
	if rapid.Bool().Draw(t, "set") {
		s.Params.Set = map[string]string{"lock.ttl": "500ms"}
	}
	if rapid.Bool().Draw(t, "published") {
		rejected := rapid.Int64().Draw(t, "rejected")
		s.Published = &history.Counts{Entries: 80, Conflicts: 15, RejectedWrites: &rejected}
	}
	return s
}

func anyCell(t *rapid.T) *history.Cell {
	c := history.NewCell(anySource(t))
	for range rapid.IntRange(0, 4).Draw(t, "runs") {
		tally := tallyOf(anyEvents(t))
		c.Add(&tally, rapid.Int64Range(0, 1<<40).Draw(t, "events"), rapid.Bool().Draw(t, "bounded"))
	}
	return c
}
