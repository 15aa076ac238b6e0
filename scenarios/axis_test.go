package scenarios_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"locklab/scenarios"

	"pgregory.net/rapid"
)

func TestAxis(t *testing.T) {
	for _, test := range []struct{ name, values, path, want string }{
		{"lock.ttl", "100ms..2060ms/50", "lock.ttl", "100ms 140ms 180ms … 2020ms 2060ms"},
		{"ttl", "1s..3s/3", "lock.ttl", "1s 2s 3s"},
		{"ttl", "1ms..2s/4", "lock.ttl", "1ms 667ms 1334ms 2s"}, // 667.33, 1333.67
		{"ttl", "0.6ms,2400us,3s", "lock.ttl", "1ms 2ms 3s"},    // rounded also where it is written
		{"pause", "0ms..1960ms/50", "pauses[0].for", "0ms 40ms 80ms … 1920ms 1960ms"},
		{"pauses[3].for", "0s,1.5s", "pauses[3].for", "0ms 1500ms"},
		{"work", "100ms .. 1s : 300ms", "work", "100ms 400ms 700ms 1s"},
		{"work", "1s..1.9s:500ms", "work", "1s 1500ms"},
		{"think", "1ns..2ns/2", "think", "1ns 2ns"},
		{"think", "0ns..5ns/3", "think", "0ms 3ns 5ns"}, // 2.5 is rounded up
		{"retry", "1ms..100ms*3", "lock.retry.every", "1ms 10ms 100ms"},
		{"lock.retry.every.exponential", "1us..1s*7", "lock.retry.every.exponential", "1us 10us 100us 1ms 10ms 100ms 1s"},
		{"network", "2ms", "delay.network", "2ms"},
		{"network", "5ms..5ms/1", "delay.network", "5ms"},
		{"timer", "3ms..9ms:100h", "delay.timer", "3ms"},
		{"workers", "2..10/5", "workers", "2 4 6 8 10"},
		{"workers", "1..1000*10", "workers", "1 2 5 10 22 46 100 215 464 1000"},
		{"workers", "10,2", "workers", "10 2"},
		{"pauses[0].every", "1..4:1", "pauses[0].every", "1 2 3 4"},
		{"probability", "0..1/4", "pauses[0].probability", "0 0.333333 0.666667 1"},
		{"probability", "0.001..1*4", "pauses[0].probability", "0.001 0.01 0.1 1"},
		{"lock.retry.backoff.factor", "1..2:0.25", "lock.retry.backoff.factor", "1 1.25 1.5 1.75 2"},
		{"probability", "0.1234567..1/3", "pauses[0].probability", "0.1234567 0.561728 1"},
		{"crashes[0].fraction", "0.1234567,1", "crashes[0].fraction", "0.1234567 1"}, // what is written is not rounded
	} {
		axis, err := scenarios.ParseAxis(test.name, test.values)
		got := strings.Join(axis.Values, " ")
		if n := len(axis.Values); n > 10 {
			got = strings.Join(slices.Concat(axis.Values[:3], []string{"…"}, axis.Values[n-2:]), " ")
		}
		if err != nil || axis.Path != test.path || got != test.want {
			t.Errorf("%s=%s: %s=%s, error %v, want %s=%s", test.name, test.values, axis.Path, got, err, test.path, test.want)
		}
	}
}

func TestAxisRefuses(t *testing.T) {
	for _, test := range []struct{ name, values, want string }{
		{"tll", "1s", `"tll" is no parameter with numbers or durations as values; did you mean "ttl"? allowed: apart, network, pause, `},
		{"lock.kind", "1s", `"lock.kind" is no parameter`},
		{"pauses[0].before", "1", `"pauses[0].before" is no parameter`},
		{"lock..ttl", "1s", "is not the path of a parameter"},
		{"", "1s", "is not the path of a parameter"},
		{"ttl", "", "a value is empty; want from..to/n, from..to*n, from..to:step or a,b,c"},
		{"ttl", "1s,,2s", "a value is empty"},
		{"ttl", "1s..2s", `"1s..2s" does not say how many values; want from..to/n`},
		{"ttl", "1s..2s/1", "one value from 1s to 2s: both ends are included, so want at least 2"},
		{"ttl", "1s..1s/2", "2 values from 1s to 1s: there is only one"},
		{"ttl", "2s..1s/2", "from 2s to 1s: the second must not be below the first"},
		{"ttl", "-1s..1s/3", "-1s is negative"},
		{"ttl", "-1s", "-1s is negative"},
		{"ttl", "1s..2s:0s", "the step is 0s; want one above 0"},
		{"ttl", "1s..2s:-1s", "the step: -1s is negative"},
		{"ttl", "1s..2s:5", "the step: 5 is without a unit"},
		{"ttl", "1s..2s/0", `"0" is no number of values; want a whole number from 1 to 100000`},
		{"ttl", "1s..2s/1.5", `"1.5" is no number of values`},
		{"ttl", "1s..2s/100001", "100001 values are too many; want at most 100000 on an axis"},
		{"ttl", "1s..2s/99999999999999999999", "99999999999999999999 values are too many"},
		{"think", "1ns..24h:1ns", "86400000000000 values are too many"},
		{"ttl", "100..2s/3", "100 is without a unit; want a number with a unit, e.g. 300ms"},
		{"ttl", "100ms..2/3", "2 is without a unit"},
		{"ttl", "1sec", `1sec is of the unknown unit "sec"`},
		{"ttl", "soon", `"soon" is not a duration`},
		{"workers", "2,3s", "3s is a duration; want a number without a unit"},
		{"workers", "two", `"two" is not a number; want one like 10 or 0.25`},
		{"workers", "1.5", "1.5 is no whole number"},
		{"workers", "1..3/4", "the value 2 comes up twice, rounded to whole numbers; want each once"},
		{"ttl", "1ms..3ms/9", "the value 1ms comes up twice, rounded to whole milliseconds, as a lease in Redis is"},
		{"ttl", "1s,1000ms", "the value 1s comes up twice"},
		{"think", "1ns..2ns/4", "the value 1ns comes up twice, rounded to whole nanoseconds"},
		{"probability", "0.5..0.500001/5", "comes up twice, rounded to 6 digits"},
		{"retry", "0ms..1s*3", "from 0ms: no multiple of it is another; begin a logarithmic axis above 0"},
		{"think", "0.5ns", "0.5 ns is not a whole number of nanoseconds"},
		{"think", "25h", "90000000000000 ns is more than a day"},
	} {
		if axis, err := scenarios.ParseAxis(test.name, test.values); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s=%s: %v, error %v, want %s", test.name, test.values, axis, err, test.want)
		}
	}
}

// An axis has as many values as asked for, begins and ends where asked for, grows from value to value, and its values are
// equally far apart, or each the same multiple of the one before.
func TestAxisProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		logarithmic := rapid.Bool().Draw(t, "logarithmic")
		from := rapid.Int64Range(1_000_000, 2_000_000).Draw(t, "from")
		to := from + rapid.Int64Range(1000, 80_000_000_000).Draw(t, "more")
		operator := "/"
		if logarithmic {
			operator = "*"
		}
		axis, err := scenarios.ParseAxis("work", fmt.Sprintf("%dns..%dns%s%d", from, to, operator, n))
		if err != nil || len(axis.Values) != n {
			t.Fatalf("%d values, error %v", len(axis.Values), err)
		}
		values := make([]int64, n)
		for i, text := range axis.Values {
			ns, ok := scenarios.DurationNS(text)
			if !ok || i > 0 && ns <= values[i-1] {
				t.Fatalf("value %d is %s, after %v", i, text, values[:i])
			}
			values[i] = ns
		}
		if values[0] != from || values[n-1] != to {
			t.Fatalf("from %d to %d, want %d to %d", values[0], values[n-1], from, to)
		}
		for i, v := range values {
			share := float64(i) / float64(n-1)
			want := float64(from) + share*float64(to-from)
			if logarithmic {
				want = float64(from) * math.Pow(float64(to)/float64(from), share)
			}
			if math.Abs(float64(v)-want) > 0.5+1e-9*want {
				t.Fatalf("value %d is %d, want %.2f", i, v, want)
			}
		}
	})
}

// However far apart the ends, and however many the values, a logarithmic axis is found, and quickly.
func TestAxisOfManyMagnitudes(t *testing.T) {
	axis, err := scenarios.ParseAxis("probability", "0.00000000000000000001..10000000000000000000*40")
	if err != nil || len(axis.Values) != 40 || axis.Values[20] != "1" || axis.Values[39] != "10000000000000000000" {
		t.Errorf("%v, error %v", axis, err)
	}
}
