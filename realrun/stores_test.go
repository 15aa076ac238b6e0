package realrun

import (
	"slices"
	"testing"
)

// A comma belongs to a URL unless another URL begins after it.
func TestSplitURLs(t *testing.T) {
	for list, want := range map[string][]string{
		"redis://a:1": {"redis://a:1"},
		"redis://:p,w@a:1,rediss://b:2,unix:///run/redis,2.sock": {"redis://:p,w@a:1", "rediss://b:2", "unix:///run/redis,2.sock"},
		"nonsense,redis://a:1": {"nonsense", "redis://a:1"},
		"":                     {""},
	} {
		if got := splitURLs(list); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", list, got, want)
		}
	}
}
