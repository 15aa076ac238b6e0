package scenarios_test

import (
	"testing"

	"locklab/scenarios"
)

// A scenario lacks what its file leaves out and a parameter is a part of, but no time that is 0.
func TestLacks(t *testing.T) {
	for name, lacks := range map[string]map[string]string{
		"lesson/a": {
			"lock.retry.every": "lock", "lock.ttl": "lock", "pauses[0].every": "pauses[0]", "crashes[1].round": "crashes[1]",
			"think": "", "start.apart": "", "delay.network": "", "workers": "", "work": "",
		},
		"lesson/d": {"lock.retry.every": "", "lock.retry.tries": "", "pauses[0].probability": "", "pauses[1].for": "pauses[1]", "delay.timer": ""},
	} {
		s, err := scenarios.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range lacks {
			if got := s.Lacks(path); got != want {
				t.Errorf("%s: for %s it lacks %q, want %q", name, path, got, want)
			}
		}
	}
}

// Short names and paths name the same axis.
func TestShortName(t *testing.T) {
	for path, want := range map[string]string{"lock.retry.every": "retry", "lock.ttl": "ttl", "think": "think", "pauses[0].every": "pauses[0].every"} {
		short := scenarios.ShortName(path)
		if short != want {
			t.Errorf("%s is called %s, want %s", path, short, want)
		}
		value := "2ms"
		if path == "pauses[0].every" {
			value = "2"
		}
		if axis, err := scenarios.ParseAxis(short, value); err != nil || axis.Path != path {
			t.Errorf("%s is an axis along %s, error %v", short, axis.Path, err)
		}
	}
}
