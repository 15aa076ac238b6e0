package realrun

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// A second one waits, is told for whom, and has its turn when the first has ended; or gives up.
func TestAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "measuring")
	end, err := Alone(t.Context(), path, "locklab real", func(who string) { t.Errorf("waits for %s", who) })
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Alone(ctx, path, "locklab lesson", func(who string) {
		if !strings.HasPrefix(who, "locklab real, process ") {
			t.Errorf("waits for %q", who)
		}
		cancel()
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	waited := false
	second, err := Alone(t.Context(), path, "locklab lesson", func(string) {
		waited = true
		end()
	})
	if err != nil || !waited {
		t.Fatalf("waited %v, error %v", waited, err)
	}
	second()
}
