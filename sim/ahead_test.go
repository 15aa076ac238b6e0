package sim_test

import (
	"encoding/json"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/scenarios"
	"locklab/sim"
)

// Runs that go ahead, refused tries in a row, give the very records of runs that take place one event at a time: in
// every built-in scenario, under both built-in profiles and one whose round trips are drawn whole.
func TestAheadIsTheSame(t *testing.T) {
	ideal, lab := scenarios.Ideal(), scenarios.Lab()
	whole := lab
	whole.Network.RoundTrip = true
	for _, name := range scenarios.Names() {
		s, err := scenarios.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, profile := range []*scenarios.Profile{&ideal, &lab, &whole} {
			w := sim.NewWorld(s, profile)
			stepwise, hashing, silent := w.NewRun(), w.NewRun(), w.NewRun()
			stepwise.Observe = func(*history.Event) {}
			stepwise.Hashing, hashing.Hashing = true, true
			for i := range uint64(20) {
				seed := choice.RunSeed(1, i)
				stepwise.Do(seed)
				hashing.Do(seed)
				silent.Do(seed)
				want := recordOf(t, stepwise, stepwise.Hash.Sum())
				if got := recordOf(t, hashing, hashing.Hash.Sum()); got != want {
					t.Fatalf("%s, run %d: ahead\n%s\none event at a time\n%s", name, i, got, want)
				}
				if got := recordOf(t, silent, stepwise.Hash.Sum()); got != want {
					t.Fatalf("%s, run %d: ahead and not hashed\n%s\none event at a time\n%s", name, i, got, want)
				}
			}
		}
	}
}

func recordOf(t *testing.T, r *sim.Run, hash uint64) string {
	t.Helper()
	record, err := json.Marshal(history.NewRecord(history.Source{World: history.Sim}, 0, &r.Tally, hash, r.Events))
	if err != nil {
		t.Fatal(err)
	}
	return string(record)
}
