package sim_test

import (
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim"
)

// Each command is told once: sent, executed, and replied to in this order, and what a worker learns it learns from a reply that
// had arrived. Whoever looks at commands changes nothing else.
func TestFlightsAreTheCommandsOfTheRun(t *testing.T) {
	for _, name := range []string{"lesson/a", "lesson/d", "lesson/e"} {
		lab := scenarios.Lab()
		world := sim.NewWorld(builtin(t, name), &lab)
		watched, plain := world.NewRun(), world.NewRun()
		arrived := make(map[int32][]int64)
		commands := make(map[string]int64)
		watched.Flights = func(f *history.Flight) {
			if f.Sent > f.Executed || f.Executed > f.Replied || f.Store != 0 {
				t.Fatalf("%s: %+v", name, f)
			}
			commands[f.Command]++
			arrived[f.Worker] = append(arrived[f.Worker], f.Replied)
		}
		watched.Observe = func(e *history.Event) {
			if e.Kind != history.Entered {
				return
			}
			if replies := arrived[e.Worker]; len(replies) == 0 || replies[len(replies)-1] > e.At {
				t.Fatalf("%s: entered at %d, before the reply of %v", name, e.At, replies)
			}
		}
		watched.Do(choice.RunSeed(1, 0))
		plain.Do(choice.RunSeed(1, 0))
		if watched.Tally != plain.Tally || watched.Events != plain.Events {
			t.Errorf("%s: watched %+v, else %+v", name, watched.Tally, plain.Tally)
		}
		tally := &plain.Tally
		if commands["enter"] != tally.Entries || commands["leave"] != tally.Entries || commands["command"] != 0 {
			t.Errorf("%s: %v of %+v", name, commands, tally)
		}
		if commands["acquire"] != tally.Refused+tally.Waits && name != "lesson/a" {
			t.Errorf("%s: %v of %+v", name, commands, tally)
		}
	}
}

// The reply to a worker that died goes nowhere.
func TestNoReplyToTheDead(t *testing.T) {
	lab := scenarios.Lab()
	s := builtin(t, "lesson/b", "rounds=1", "crashes=[{during: acquire, round: 0, workers: [0]}]")
	run := sim.NewWorld(s, &lab).NewRun()
	dead := 0
	run.Flights = func(f *history.Flight) {
		if f.Replied == -1 {
			dead++
		}
	}
	run.Do(1)
	if dead != 1 {
		t.Errorf("%d commands without a reply", dead)
	}
}

// Of a lock at several stores, each store's commands are told with its number.
func TestFlightsToSeveralStores(t *testing.T) {
	lab := scenarios.Lab()
	run := sim.NewWorld(builtin(t, "lesson/redlock-pause", "rounds=2"), &lab).NewRun()
	acquires, last := make(map[int32]int), make(map[int32]int64)
	run.Flights = func(f *history.Flight) {
		if f.Sent > f.Executed || f.Executed > f.Replied && f.Replied >= 0 || f.Executed < last[f.Store] {
			t.Fatalf("%+v", f)
		}
		last[f.Store] = f.Executed
		if f.Command == "acquire" {
			acquires[f.Store]++
		}
		if f.Command == "command" {
			t.Fatalf("a command without purpose: %+v", f)
		}
	}
	run.Do(choice.RunSeed(1, 0))
	if len(acquires) < 3 || acquires[0] != acquires[1] || acquires[1] != acquires[2] {
		t.Errorf("acquires by store: %v", acquires)
	}
}
