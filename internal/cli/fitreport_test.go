package cli

import (
	"strings"
	"testing"

	"locklab/history"
	"locklab/internal/study"
)

func TestStretches(t *testing.T) {
	for ridge, want := range map[string]string{
		"1 2 3 4 5 6": "all", "1": "1", "1 2": "1, 2", "2 3 4": "2 to 4", "1 3 4 5 6": "1, 3 to 6", "1 2 3 5 6": "1 to 3, 5, 6",
	} {
		a := study.FitAxis{Axis: history.Axis{Values: strings.Fields("1 2 3 4 5 6")}, InRegion: strings.Fields(ridge)}
		if got := stretches(&a); got != want {
			t.Errorf("%s: got %q, want %q", ridge, got, want)
		}
	}
}
