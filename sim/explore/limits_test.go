package explore

import (
	"context"
	"errors"
	"strings"
	"testing"

	"locklab/scenarios"
)

// A file may say what it likes. What it chooses is refused if the run has no such choice; it never does something else.
func TestReplayRefusesWildChoices(t *testing.T) {
	lab := scenarios.Lab()
	for what, test := range map[string]struct {
		picks []Pick
		want  string // "" if there is nothing to refuse
	}{
		"none":                     {nil, ""},
		"the quiet one":            {[]Pick{{Event: 2, Options: []uint8{0}}}, ""},
		"a pause":                  {[]Pick{{Event: 0, Options: []uint8{1}}}, ""},
		"a third option of two":    {[]Pick{{Event: 0, Options: []uint8{2}}}, "event 0 has no such choices"},
		"the last of many options": {[]Pick{{Event: 0, Options: []uint8{255}}}, "event 0 has no such choices"},
		"a fourth latency":         {[]Pick{{Event: 0, Options: []uint8{0, 0, 3}}}, "event 0 has no such choices"},
		"more choices than come":   {[]Pick{{Event: 0, Options: make([]uint8, 300)}}, "has no such choices"},
		"a choice where none is":   {[]Pick{{Event: 2, Options: []uint8{1, 1}}}, "event 2 has no such choices"},
		"before the first event":   {[]Pick{{Event: -1, Options: []uint8{1}}}, "the run ends before event -1"},
		"two for one event":        {[]Pick{{Event: 0, Options: []uint8{1}}, {Event: 0, Options: []uint8{1}}}, "the run ends before event 0"},
		"from last to first":       {[]Pick{{Event: 2, Options: []uint8{0}}, {Event: 0, Options: []uint8{1}}}, "the run ends before event 0"},
	} {
		_, _, err := Replay(load(t, "lesson/b"), &lab, Bounds{Rounds: 1}, test.picks, nil, nil)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", what, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || !errors.Is(err, errStranger)):
			t.Errorf("%s: got %v, want %s", what, err, test.want)
		}
	}
}

// A quiet run that is too long for anybody to wait is refused before it fills the memory.
func TestEndlessQuietRun(t *testing.T) {
	lab := scenarios.Lab()
	for _, set := range [][]string{
		{"lock.retry.every=1ns", "lock.ttl=24h", "work=20h"},
		{"workers=100", "lock.retry.every=1ms", "lock.ttl=24h"},
	} {
		s := load(t, "lesson/b", set...)
		if _, _, err := Replay(s, &lab, Bounds{Rounds: 1}, nil, nil, nil); !errors.Is(err, errTooLong) {
			t.Errorf("%v: replay: %v", set, err)
		}
		if _, err := Explore(context.Background(), s, &lab, Bounds{Rounds: 1, Deviations: 1}, nil); !errors.Is(err, errTooLong) {
			t.Errorf("%v: explore: %v", set, err)
		}
	}
}

// A deviation can make a short run very long: who waits for the lease of a dead worker tries again, and again. Such a run
// is cut short, and whether it would have violated a property is unknown.
func TestEndlessDeviation(t *testing.T) {
	ideal := scenarios.Ideal()
	s := load(t, "lesson/b", "rounds=1", "work=20ms", "think=0ms", "lock.ttl=24h", "lock.retry.every=1ms")
	r, err := Explore(context.Background(), s, &ideal, Bounds{Rounds: 1, Deviations: 1, Pause: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := summary(r), "no conflict: -, nobody waits for ever: -"; got != want || r.Cut == 0 || r.Complete {
		t.Errorf("got %s, want %s; %d runs cut, complete: %v", got, want, r.Cut, r.Complete)
	}
}
