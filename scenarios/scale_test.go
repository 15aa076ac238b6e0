package scenarios

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestScaled(t *testing.T) {
	s, err := Parse("x.yaml", []byte(rest+`
start: {spread: 2ms}
think: {uniform: [1ms, 3ms]}
lock: {kind: single, ttl: 1s, retry: {every: 25ms, backoff: {factor: 2, most: 100ms}, tries: 9, longest: 3s}, acquire: set-nx-pxat, clock: {behind: 2s}}
pauses: [{before: enter, for: {exponential: 1200ms}, every: 4}, {at: 10ms, for: 1s}]
delay: {network: {empirical: [1ms, 3ms]}, timer: {lognormal: {median: 2ms, p99: 5ms}}}
published: {entries: 80, conflicts: 1}
`))
	if err != nil {
		t.Fatal(err)
	}
	scaled, err := Scaled(s, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	const want = `scenario: x
workers: 2
rounds: 40
start: {spread: 200us}
work: 30ms
think: {uniform: [100us, 300us]}
lock: {kind: single, ttl: 100ms, retry: {every: 2500us, backoff: {factor: 2, most: 10ms}, tries: 9, longest: 300ms}, acquire: set-nx-pxat, clock: {behind: 200ms}}
pauses:
  - {before: enter, for: {exponential: 120ms}, every: 4}
  - {at: 1ms, for: 100ms}
delay: {network: {empirical: [100us, 300us]}, timer: {lognormal: {median: 200us, p99: 500us}}}
published: {entries: 80, conflicts: 1}
`
	if got := string(scaled.YAML()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if s.Pauses[1].Time != 10*millisecond {
		t.Error("Scaled changed the scenario itself")
	}
}

func TestScaledRefuses(t *testing.T) {
	s := load(t, "lesson/c")
	for f, want := range map[float64]string{
		0:      "scale 0: want a number above 0 and at most 1000",
		-1:     "scale -1: want a number above 0 and at most 1000",
		1001:   "scale 1001: want a number above 0 and at most 1000",
		0.0333: "scale 0.0333: lesson/c: lock.ttl 200ms would be 6660us, no whole number of milliseconds above 0; near scales that work: 0.03, 0.035",
		1e-12:  "scale 0.000000000001: lesson/c: lock.ttl 200ms would be 0ms, no whole number of milliseconds above 0; near scales that work: 0.005",
	} {
		if _, err := Scaled(s, f); fmt.Sprint(err) != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if _, err := Scaled(s, math.NaN()); err == nil {
		t.Error("NaN: no error")
	}
	long := *s
	long.Start = 2 * hour
	if _, err := Scaled(&long, 100); err == nil || !strings.Contains(err.Error(), "start.spread is 720000s, more than a day") {
		t.Errorf("got %v", err)
	}
}

func TestNearScalesWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := load(t, "lesson/b")
		s.Lock.TTL = rapid.Int64Range(1, 60_000).Draw(t, "ttl") * millisecond
		for _, near := range strings.Split(nearScales(s.Lock.TTL, rapid.Float64Range(0.001, 2).Draw(t, "scale")), ", ") {
			var f float64
			fmt.Sscan(near, &f)
			if _, err := Scaled(s, f); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestScaledByOneIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyScenario(t)
		scaled, err := Scaled(s, 1)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(scaled, s) {
			t.Fatalf("got\n%swant\n%s", scaled.YAML(), s.YAML())
		}
	})
}
