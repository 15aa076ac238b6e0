package study

import (
	"strings"
	"testing"

	"locklab/history"
	"locklab/scenarios"
)

// axes are axes as --axis writes them.
func axes(t testing.TB, texts ...string) []history.Axis {
	t.Helper()
	var all []history.Axis
	for _, text := range texts {
		name, values, _ := strings.Cut(text, "=")
		axis, err := scenarios.ParseAxis(name, values)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, axis)
	}
	return all
}
