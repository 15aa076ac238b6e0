package compare

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"locklab/history"
)

// swept is a prediction with the given settings. As in the files of a sweep, each has a hash of its own.
func swept(scenario string, scale float64, set map[string]string) history.Lines {
	src := source(scenario, history.Sim, "machine")
	src.Params = history.Params{Scale: scale, Set: set}
	src.ScenarioHash = fmt.Sprintf("%x", sha256.Sum256([]byte(scenario+mustJSON(set))))
	return history.Lines{Cells: []history.Cell{cellOf(src, 1, counts{conflicts: 1})}}
}

// Scenarios come in the order of their first lines, the cells of each in the order of what was set: first that which
// sets nothing, then by path, with numbers and lengths of time by size, whatever the hashes.
func TestOrderOfRows(t *testing.T) {
	set := func(pairs ...string) map[string]string {
		m := make(map[string]string)
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return m
	}
	want := []history.Lines{
		swept("d", 1, nil),
		swept("d", 1, set("lock.ttl", "0")),
		swept("d", 1, set("lock.ttl", "500us")),
		swept("d", 1, set("lock.ttl", "90ms")),
		swept("d", 1, set("lock.ttl", "100ms")),
		swept("d", 0.1, set("lock.ttl", "1s")),
		swept("d", 1, set("lock.ttl", "1s")),
		swept("d", 1, set("lock.ttl", "1.5s")),
		swept("d", 1, set("lock.ttl", "1m30s")),
		swept("d", 1, set("lock.ttl", "9ms", "workers", "9")),
		swept("d", 1, set("lock.ttl", "9ms", "workers", "10")),
		swept("d", 1, set("lock.ttl", "10ms", "workers", "2")),
		swept("d", 1, set("pauses[0].probability", "1e-3")),
		swept("d", 1, set("pauses[0].probability", "0.05")),
		swept("d", 1, set("pauses[0].probability", "0.1")),
		swept("d", 1, set("think", "{exponential: 9ms}")),
		swept("d", 1, set("think", "{exponential: 10ms}")),
		swept("d", 1, set("think", "{uniform: [1ms, 9ms]}")),
		swept("d", 1, set("think", "{uniform: [1ms, 10ms]}")),
		swept("a", 1, nil),
	}
	shuffled := slices.Clone(want)
	rand.New(rand.NewPCG(31, 32)).Shuffle(len(want)-1, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	rows := Rows(join(shuffled...), Options{})
	if len(rows) != len(want) {
		t.Fatalf("got %d rows, want %d", len(rows), len(want))
	}
	for i, l := range want {
		c := l.Cells[0]
		if r := &rows[i]; r.Scenario != c.Scenario || mustJSON(r.Params) != mustJSON(c.Params) {
			t.Errorf("row %d is of %s %s, want %s %s", i, r.Scenario, mustJSON(r.Params), c.Scenario, mustJSON(c.Params))
		}
	}
}

// Cells come before records, since they are predictions.
func TestScenariosKeepTheirOrder(t *testing.T) {
	var names []string
	for _, r := range Rows(join(experimentOf("c", []int64{79}, 79), experimentOf("a", []int64{40}), history.Lines{
		Records: recordsOf(source("b", history.Real, "machine"), conflictsOnly(0)...),
	}), Options{}) {
		names = append(names, r.Scenario)
	}
	if want := []string{"c", "a", "b"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

// Values are in one order, however they are compared.
func TestValuesHaveAnOrder(t *testing.T) {
	value := rapid.StringMatching(`-?[0-9]{1,3}(\.[0-9])?(ms|s|us)?|\{[a-z]: [0-9]{1,2}ms\}|[a-z]{0,2}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := value.Draw(t, "a"), value.Draw(t, "b"), value.Draw(t, "c")
		if compareValues(a, b) != -compareValues(b, a) || (compareValues(a, b) == 0) != (a == b) {
			t.Errorf("%q and %q: %d, the other way round %d", a, b, compareValues(a, b), compareValues(b, a))
		}
		if compareValues(a, b) <= 0 && compareValues(b, c) <= 0 && compareValues(a, c) > 0 {
			t.Errorf("%q, %q, %q are in order, but not the first and the last", a, b, c)
		}
	})
}
