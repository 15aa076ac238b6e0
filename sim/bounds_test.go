package sim_test

import (
	"testing"

	"locklab/history"
	"locklab/scenarios"
	"locklab/sim"
)

// A run whose time would leave the clock's range is cut short, instead of going on in the past. Each duration of a scenario
// is bounded, but not the sum of a million rounds of them.
func TestTimeDoesNotOverflow(t *testing.T) {
	s, err := scenarios.Parse("x.yaml", []byte("scenario: x\nworkers: 2\nrounds: 1000000\nwork: 24h\n"))
	if err != nil {
		t.Fatal(err)
	}
	ideal := scenarios.Ideal()
	r := sim.NewWorld(s, &ideal).NewRun()
	var now int64
	r.Observe = func(e *history.Event) {
		if e.At < now {
			t.Fatalf("at %d, after %d: %+v", e.At, now, *e)
		}
		now = e.At
	}
	if r.Do(1); !r.Bounded {
		t.Errorf("not cut short: %+v", r.Tally)
	}
}
