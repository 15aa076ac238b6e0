package scenarios

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"locklab/internal/choice"
	"locklab/worker/wire"

	"pgregory.net/rapid"
)

func checkProfileRoundTrip(t rapid.TB, p *Profile) {
	t.Helper()
	again, err := ParseProfile("p.yaml", p.YAML())
	if err != nil {
		t.Fatalf("%v in:\n%s", err, p.YAML())
	}
	if !reflect.DeepEqual(again, p) || again.Hash() != p.Hash() {
		t.Fatalf("read %+v\nfrom\n%swritten for %+v", again, p.YAML(), p)
	}
}

func TestProfileYAML(t *testing.T) {
	const want = `profile: machine
about: {date: "2026-11-29T17:00:00Z", store: redis 8.0.2}
network: {round_trip: {after_sleep: {empirical_ns: [1000, 200000, 200000]}, after_reply: 80us}}
timers:
  - {sleep: 10ms, late: {exponential: 500us}}
  - {sleep: 25ms, late: 0ms}
start: {uniform: [0ms, 1ms]}
stop: 200us
continue: 1ns
`
	p, err := ParseProfile("p.yaml", []byte(want))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(p.YAML()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if samples := p.Network.AfterSleep.Samples; !p.Network.RoundTrip || !slices.Equal(samples, []int64{1000, 200_000, 200_000}) {
		t.Errorf("network %+v", p.Network)
	}
	checkProfileRoundTrip(t, p)
	named := *p
	named.Name, named.About, named.Carries = "other", nil, 7
	if named.Hash() != p.Hash() {
		t.Error("the hash depends on name, notes or what the machine carries")
	}
}

func TestMeasuredProfileYAML(t *testing.T) {
	const want = `profile: machine
carries: 15
network: {after_reply: {there: {sequence_ns: [3, 1]}, back: {sequence_ns: [4, 5]}}, after_stop: {there: 1us, back: 0ms}, by_command: {acquire: 1us, leave: 70us}, further: 45us}
tick: 1ms
timers:
  - {sleep: 10ms, late: 0ms, there: 2us, back: 3us}
  - {sleep: 25ms, late: 1ms}
`
	p, err := ParseProfile("p.yaml", []byte(want))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(p.YAML()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	checkProfileRoundTrip(t, p)
	w := p.Network.Ways
	if p.Carries != 15 || w.Further != 45_000 || p.Tick != millisecond || !slices.Equal(w.AfterReply.Back.Sequence, []int64{4, 5}) || w.AfterStop.There.A != 1000 ||
		!slices.Equal(w.ByCommand, []Extra{{wire.SetNX, 1000}, {wire.Leave, 70_000}}) || p.Timers[0].Trip.Back.A != 3000 || !p.Timers[1].Trip.IsZero() {
		t.Errorf("%+v, network %+v", p, w)
	}
	for _, op := range []wire.Op{wire.SetNX, wire.SetNXToken, wire.CompareDelete, wire.Incr, wire.Write, wire.Enter, wire.Leave} {
		if CommandName(op) == "" {
			t.Errorf("command %d of a worker has no name", op)
		}
	}
}

func TestBuiltinProfiles(t *testing.T) {
	for name, want := range map[string]Profile{"ideal": Ideal(), "lab": Lab()} {
		p, err := ProfileByName(name)
		if err != nil || !reflect.DeepEqual(*p, want) {
			t.Errorf("%s: got %+v, error %v", name, p, err)
			continue
		}
		checkProfileRoundTrip(t, p)
	}
	_, err := ProfileByName("labs")
	const want = "unknown profile \"labs\"; did you mean \"lab\"? allowed: ideal, lab, or a file that `locklab calibrate` wrote"
	if fmt.Sprint(err) != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestLoadProfile(t *testing.T) {
	t.Chdir(t.TempDir())
	lab := Lab()
	if err := os.WriteFile("lab.yaml", lab.YAML(), 0o644); err != nil {
		t.Fatal(err)
	}
	if p, err := LoadProfile("lab.yaml"); err != nil || !reflect.DeepEqual(*p, lab) {
		t.Errorf("got %+v, error %v", p, err)
	}
	_, err := LoadProfile("gone.yaml")
	if want := "reading a profile: open gone.yaml: no such file or directory"; fmt.Sprint(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// What a supervisor notices is kept with a profile and decides no prediction: the hash is that without it.
func TestProfileWithAWatch(t *testing.T) {
	lab := Lab()
	hash := lab.Hash()
	for _, watch := range []Watch{
		{Late: choice.Law{Kind: choice.Empirical, Samples: []int64{1, 2}}},
		{Late: choice.Const(1000), Answer: choice.Law{Kind: choice.Empirical, Samples: []int64{3}}},
	} {
		lab.Watch = watch
		checkProfileRoundTrip(t, &lab)
		if lab.Hash() != hash {
			t.Errorf("%+v: hash %s, want %s", watch, lab.Hash(), hash)
		}
	}
}

func TestLargestProfile(t *testing.T) {
	var laws [8]choice.Law
	for i := range laws {
		samples := make([]int64, maxSamples/len(laws))
		for j := range samples {
			samples[j] = longestDuration - int64(len(samples)-j+i)
		}
		laws[i] = choice.InSequence(samples)
	}
	p := &Profile{
		Name: "machine", Network: Network{RoundTrip: true, AfterSleep: laws[0], AfterReply: laws[1]},
		Start: laws[2], Stop: laws[3], Continue: laws[4],
	}
	for i, law := range laws[5:] {
		p.Timers = append(p.Timers, TimerLateness{Sleep: int64(i) + 1, Late: law})
	}
	again, err := ParseProfile("p.yaml", p.YAML())
	if err != nil || !reflect.DeepEqual(again, p) {
		t.Fatalf("not the same, error %v", err)
	}
	p.Timers[0].Late.Sequence = append(p.Timers[0].Late.Sequence, 1)
	_, err = ParseProfile("p.yaml", p.YAML())
	if err == nil || !strings.Contains(err.Error(), "brings the samples of all laws to more than 100000; keep fewer of them") {
		t.Errorf("one more: error %v", err)
	}
}

func TestParseProfileRefuses(t *testing.T) {
	const head = "profile: x\n"
	for yaml, want := range map[string]string{
		"network: {each_way: 1ms}\n":                                          `1:1: the document lacks "profile"; it must have: profile`,
		head + "netwrok: 1ms\n":                                               `2:1: unknown key "netwrok" in the document; did you mean "network"? allowed: profile, about, carries, network, tick, timers, start, stop, continue, watch`,
		head + "network: 1ms\n":                                               `2:10: network is "1ms"; want a mapping with some of: each_way, round_trip, after_reply, after_stop, by_command, further`,
		head + "network: {}\n":                                                "2:10: network has none of each_way, round_trip, after_reply; give exactly one",
		head + "network: {each_way: {after_sleep: 1ms}}\n":                    `2:21: network.each_way lacks "after_reply"; it must have: after_sleep, after_reply`,
		head + "network: {round_trip: {uniform: [1ms, 0ms]}}\n":               "2:33: network.round_trip.uniform is from 1ms to 0ms; the second must not be below the first",
		head + "network: {each_way: 1ms, by_command: {enter: 1ms}}\n":         "2:38: network.by_command goes with network.after_reply, not with network.each_way",
		head + "network: {after_reply: 1ms}\n":                                `2:24: network.after_reply is "1ms"; want a mapping with some of: there, back`,
		head + "network: {after_reply: {there: 1ms}}\n":                       `2:24: network.after_reply lacks "back"; it must have: there, back`,
		head + "timers: [{sleep: 1ms, late: 1ms, there: 1ms}]\n":              "2:10: timers[0] has there or back, which go with network.after_reply only",
		head + "carries: 0\n":                                                 "2:10: carries is 0, out of bounds; want a whole number from 1 to 1000000",
		head + "timers: [{sleep: 0ms, late: 1ms}]\n":                          "2:18: timers[0].sleep is 0ms; want a duration above 0, e.g. 300ms",
		head + "timers: [{sleep: 1ms}]\n":                                     `2:10: timers[0] lacks "late"; it must have: sleep, late`,
		head + "timers: [{sleep: 1ms, late: 0ms}, {sleep: 1ms, late: 0ms}]\n": "2:35: timers[1] has a sleep that is not above the one before it; sort the timers, shortest sleep first",
		head + "stop: {empirical_ns: []}\n":                                   "2:22: stop.empirical_ns has length 0; want at least 1 whole nanoseconds",
		head + "stop: {empirical_ns: [2, 1]}\n":                               "2:26: stop.empirical_ns[1] is 1, below the sample before it; sort the samples, smallest first",
		head + "stop: {empirical_ns: [-1]}\n":                                 "2:23: stop.empirical_ns[0] is -1, out of bounds; want a whole number from 0 to 86400000000000",
		head + "stop: {empirical: x.txt}\n":                                   "2:19: stop.empirical names a file, which only a scenario or profile in a file of its own may do, and --set; want a list of durations, e.g. [1ms, 2ms]",
		head + "about: {}\n":                                                  "2:8: about is a mapping; want a mapping of notes, e.g. {machine: laptop}",
		head + "about: {a b: c}\n":                                            `2:9: the key "a b" in about is no name; want letters, digits, - and _`,
		head + "about: {cores: 2}\n":                                          "2:16: about.cores is 2; want a text, in quotes if it looks like a number",
	} {
		if _, err := ParseProfile("p.yaml", []byte(yaml)); fmt.Sprint(err) != "p.yaml:"+want {
			t.Errorf("%q:\n got %v\nwant p.yaml:%s", yaml, err, want)
		}
	}
}
