package scenarios

import (
	"slices"
	"strings"
	"testing"
)

// checkMessage fails unless an error is one line.
func checkMessage(t *testing.T, err error) {
	t.Helper()
	if strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("more than one line: %q", err)
	}
}

// A profile that parses prints to what parses to the same.
func FuzzParseProfile(f *testing.F) {
	for _, p := range []Profile{Ideal(), Lab()} {
		f.Add(p.YAML())
	}
	f.Add([]byte("profile: m\nabout: {date: \"2026-11-29T17:00:00Z\"}\nnetwork: {round_trip: {after_sleep: {empirical_ns: [1, 2, 2]}, after_reply: 80us}}\n"))
	f.Add([]byte("profile: m\ntimers:\n  - {sleep: 10ms, late: {exponential: 500us}}\n  - {sleep: 25ms, late: 0ms}\nstart: {uniform: [0ms, 1ms]}\nstop: 1ns\n"))
	f.Add([]byte("profile: m\ncarries: 3\nnetwork: {after_reply: {there: 1us, back: {sequence_ns: [2, 1]}}, by_command: {enter: 9us}}\ntick: 1ms\ntimers:\n  - {sleep: 10ms, late: 0ms, there: 1us, back: 2us}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParseProfile("x.yaml", data)
		if err != nil {
			checkMessage(t, err)
			return
		}
		checkProfileRoundTrip(t, p)
		for _, d := range []int64{1, millisecond, longestDuration} {
			if len(p.Timers) > 0 {
				p.Nearest(d)
			}
		}
	})
}

// Whatever can be set makes a scenario that prints to what parses to the same.
func FuzzSet(f *testing.F) {
	for _, setting := range []string{
		"lock.ttl=500ms", "pauses[0].for={uniform: [1s, 2s]}", "pauses[1]={at: 5ms, for: 1s}", "lock=none", "workers=3",
		"pauses[0].workers[0]=1", "crashes[0]={during: work, round: 3, fraction: .5}", "fencing=null", "work.cpu=1s",
		"pauses=[]", "lock.retry.backoff.factor=1e2", "delay.network={exponential: 1us}",
		"work={lognormal: {median: 1ms, p99: 1s}}", "think={sequence: [2ms, 1ms]}", "think={empirical: gone.txt}", "resource.kind=job",
	} {
		f.Add(setting, "rounds=7")
	}
	base, err := Builtin("lesson/e")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		s, _, err := SetAll(base, []string{one, two})
		if err != nil {
			return // what was typed is repeated in the message, whatever it holds
		}
		checkRoundTrip(t, s)
		for _, factor := range []float64{0.001, 0.37, MaxScale} {
			if scaled, err := Scaled(s, factor); err == nil {
				checkRoundTrip(t, scaled)
			}
		}
	})
}

// The values of an axis, written as a list, are the same axis.
func FuzzParseAxis(f *testing.F) {
	for _, axis := range [][2]string{
		{"ttl", "100ms..2060ms/50"}, {"workers", "1..1000*10"}, {"probability", "0.1234567..1/3"}, {"work.uniform[1]", "1s..2s:0.5s"},
		{"pauses[3].for", "0ms, 1.2s"}, {"lock.retry.backoff.factor", "1..99999999999999999999/7"},
	} {
		f.Add(axis[0], axis[1])
	}
	f.Fuzz(func(t *testing.T, name, values string) {
		axis, err := ParseAxis(name, values)
		if err != nil {
			checkMessage(t, err)
			return
		}
		list := strings.Join(axis.Values, ",")
		if again, err := ParseAxis(axis.Path, list); err != nil || strings.Join(again.Values, ",") != list {
			t.Errorf("%s=%s is %s, and that is %v, error %v", name, values, list, again.Values, err)
		}
	})
}

// A sweep that parses names axes that parse.
func FuzzParseSweep(f *testing.F) {
	f.Add([]byte("sweep: x\nscenario: a/b.yaml\nset:\n  pauses[0].for: 1s\n  think: {uniform: [1ms, 2ms]}\naxes:\n  - ttl: 100ms..1s:300ms\n  - {pause: [0ms, 1s]}\nprecision: 0.01\nmost_runs: 500\nseed: 4\n"))
	f.Add([]byte("sweep: x\nscenario: lesson/d\naxes: [{workers: 2}]\nruns: 5\nprofile: ideal\nscale: 2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseSweep("x.yaml", data)
		if err != nil {
			checkMessage(t, err)
			return
		}
		for _, axis := range s.Axes {
			if _, err := ParseAxis(axis.Path, strings.Join(axis.Values, ",")); err != nil {
				t.Errorf("axis %v: %v", axis, err)
			}
		}
	})
}

// What a file of samples holds is what it holds when it is written as durations in lines.
func FuzzSampleFile(f *testing.F) {
	for _, data := range []string{"1ms\n2.5us\n", "# pauses\r\n\r\n 300ms # first\r\n0ns", "", "1ms 2ms", "\xff", "-1s\n"} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data string) {
		var d decoder
		samples := d.lines(text("x"), "x", data)
		if d.problem != nil {
			checkMessage(t, d.problem.in("x.yaml"))
			return
		}
		var lines strings.Builder
		for _, v := range samples {
			lines.WriteString(formatDuration(v) + "\n")
		}
		if again := d.lines(text("x"), "x", lines.String()); len(samples) == 0 || !slices.Equal(again, samples) {
			t.Errorf("%d from %q, %d from %q", samples, data, again, lines.String())
		}
	})
}
