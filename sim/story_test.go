package sim_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"locklab/history"
	"locklab/scenarios"
	"locklab/sim"
)

// TestStories tells the runs that the files in testdata ask for:
//
//	# why this run is worth reading
//	story SCENARIO
//	PATH=VALUE, profile=NAME or seed=N, each on a line
//	----
//	the story
//
// Run it with -rewrite after a change, and commit only a difference that you can explain.
func TestStories(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, tell)
	})
}

// tell is the story of the run that a file asks for.
func tell(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	if d.Cmd != "story" || len(d.CmdArgs) != 1 {
		d.Fatalf(t, "want story SCENARIO")
	}
	profile, seed := scenarios.Lab(), uint64(1)
	var set []string
	for _, line := range strings.Fields(d.Input) {
		var err error
		switch key, value, _ := strings.Cut(line, "="); {
		case line == "profile=ideal":
			profile = scenarios.Ideal()
		case key == "seed":
			seed, err = strconv.ParseUint(value, 10, 64)
		default:
			set = append(set, line)
		}
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
	}
	events, _ := run(builtin(t, d.CmdArgs[0].Key, set...), &profile, seed)
	history.Sort(events)
	var story strings.Builder
	if err := history.WriteStory(&story, events); err != nil {
		t.Fatal(err)
	}
	return story.String()
}

func TestEveryBuiltinScenarioHasAStory(t *testing.T) {
	for _, name := range scenarios.Names() {
		file := filepath.Join("testdata", strings.ReplaceAll(name, "/", "-")+".txt")
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "\nstory "+name+"\n") {
			t.Errorf("%s has no story of %s: %v", file, name, err)
		}
	}
}

// builtin is a built-in scenario with parameters changed.
func builtin(t testing.TB, name string, set ...string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	if s, _, err = scenarios.SetAll(s, set); err != nil {
		t.Fatal(err)
	}
	return s
}

// parse is a scenario from the lines that follow its name.
func parse(t testing.TB, lines string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("test.yaml", []byte("scenario: test\n"+lines))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run is one run: its events, in the order found, and the rest of its outcome.
func run(s *scenarios.Scenario, p *scenarios.Profile, seed uint64) ([]history.Event, *sim.Run) {
	var events []history.Event
	r := sim.NewWorld(s, p).NewRun()
	r.Observe = func(e *history.Event) { events = append(events, *e) }
	r.Do(seed)
	return events, r
}

// of are the events of a worker that are of the given kinds.
func of(events []history.Event, worker int32, kinds ...history.Kind) []history.Event {
	var found []history.Event
	for _, e := range events {
		if e.Worker == worker && slices.Contains(kinds, e.Kind) {
			found = append(found, e)
		}
	}
	return found
}
