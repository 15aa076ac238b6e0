package scenarios

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func load(t rapid.TB, name string) *Scenario {
	t.Helper()
	s, err := Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSet(t *testing.T) {
	for _, test := range []struct{ path, value, want string }{
		{"lock.ttl", "500ms", "lock: {kind: single, ttl: 500ms, retry: {every: 25ms}}\n"},
		{"ttl", "500ms", "lock: {kind: single, ttl: 500ms, retry: {every: 25ms}}\n"},
		{"lock.retry.every", "50ms", "lock: {kind: single, ttl: 1s, retry: {every: 50ms}}\n"},
		{"lock.retry.backoff.factor", "2", "retry: {every: 25ms, backoff: {factor: 2}}}\n"},
		{"lock.retry", "null", "lock: {kind: single, ttl: 1s, retry: {every: 25ms}}\n"},
		{"lock", "none", "think: 10ms\nfencing:"},
		{"pauses[0].for", "2s", "- {before: enter, for: 2s, every: 4}\n"},
		{"pauses[0].every", "1", "- {before: enter, for: 1200ms, every: 1}\n"},
		{"pauses[0].probability", "0.25", "- {before: enter, for: 1200ms, probability: 0.25}\n"},
		{"pauses[0].during", "leave", "- {during: leave, for: 1200ms, every: 4}\n"},
		{"pauses[1]", "{at: 1s, for: 1s}", "every: 4}\n  - {at: 1s, for: 1s}\n"},
		{"workers", "5", "workers: 5\n"},
		{"work", "50ms", "work: 50ms\n"},
		{"work", "{uniform: [1ms, 2ms]}", "work: {uniform: [1ms, 2ms]}\n"},
		{"work", "{lognormal: {p99: 50ms, median: 2ms}}", "work: {lognormal: {median: 2ms, p99: 50ms}}\n"},
		{"work", "{empirical: [2ms, 1.5ms]}", "work: {empirical: [1500us, 2ms]}\n"},
		{"lock.retry.every", "{sequence: [2ms, 1ms]}", "retry: {every: {sequence: [2ms, 1ms]}}}\n"},
		{"fencing.check", "commit", "fencing: {token: after, check: commit, reject: below}\n"},
		{"delay.network", "1ms", "delay: {network: 1ms}\n"},
		{"start.spread", "0ms", "rounds: 40\nwork: 300ms\n"},
	} {
		s, untouched := load(t, "lesson/e"), load(t, "lesson/e")
		changed, err := Set(s, test.path, test.value)
		if err != nil {
			t.Error(err)
			continue
		}
		checkRoundTrip(t, changed)
		if !strings.Contains(string(changed.YAML()), test.want) {
			t.Errorf("%s=%s: no %q in\n%s", test.path, test.value, test.want, changed.YAML())
		}
		if !reflect.DeepEqual(s, untouched) {
			t.Errorf("%s=%s changed the scenario itself", test.path, test.value)
		}
	}
}

func TestSetMakesWhatIsMissing(t *testing.T) {
	s := load(t, "lesson/a")
	changed, set, err := SetAll(s, []string{
		"lock.kind=single", "lock.ttl=1s", "pauses[0].before=enter", "pauses[0].for=1s", "lock.ttl=2s", "pauses[0].workers[0]=1",
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = "lock: {kind: single, ttl: 2s, retry: {every: 25ms}}\npauses:\n  - {before: enter, for: 1s, every: 1, workers: [1]}\n"
	if !strings.Contains(string(changed.YAML()), want) {
		t.Errorf("no %q in\n%s", want, changed.YAML())
	}
	if len(set) != 5 || set["lock.ttl"] != "2s" {
		t.Errorf("set %v", set)
	}
}

func TestSetRefuses(t *testing.T) {
	for setting, want := range map[string]string{
		"lock.ttl=5":                 "lock.ttl is 5, without a unit; " + durations,
		"lock.tll=5ms":               `unknown key "tll" in lock; did you mean "ttl"? allowed: kind, ttl, retry, acquire, release, release_tries, min_hold, renew, loss, clock`,
		"lock":                       "no value; want path=value, e.g. lock.ttl=500ms",
		"lock=":                      "the value: empty; want one YAML document",
		"lock={":                     "the value: not valid YAML: could not find flow mapping end token '}'",
		"lock=redlock":               `unknown lock "redlock"; did you mean "redislock"? allowed: none, ` + strings.Join(PresetNames(), ", "),
		"=1":                         `"" is not the path of a parameter; want keys and numbers, e.g. lock.ttl or pauses[0].for`,
		"lock..ttl=1s":               `"lock..ttl" is not the path of a parameter; want keys and numbers, e.g. lock.ttl or pauses[0].for`,
		"pauses[00].for=1s":          `"pauses[00].for" is not the path of a parameter; want keys and numbers, e.g. lock.ttl or pauses[0].for`,
		"pauses[2].for=1s":           "there is no pauses[2], and the next free number is 1",
		"pauses[1].for=1s":           "pauses[1] has none of before, during, at; give exactly one",
		"pauses[0].before=acquir":    `unknown step "acquir" in pauses[0].before; did you mean "acquire"? allowed: acquire, token, enter, check, work, leave, release, think`,
		"pauses[0].during=commit":    `pauses[0].during is "commit", a step that a round of this scenario does not have; allowed: acquire, token, enter, check, work, leave, release, think`,
		"pauses.for=1s":              "what should have the part pauses.for is a list; set it as a whole",
		"work[0]=1s":                 "what should have the item work[0] is 300ms; set it as a whole",
		"work.cpu=1s":                "what should have the part work.cpu is 300ms; set it as a whole",
		"work={empirical: gone.txt}": "work.empirical cannot be read: open gone.txt: no such file or directory; " + samples,
		"workers=null":               `the document lacks "workers"; it must have: scenario, workers, rounds, work`,
		"title=x":                    "title describes the scenario and is no parameter of it; change it in the file",
		"published.entries=1":        "published describes the scenario and is no parameter of it; change it in the file",
		"fencing.token=none":         `fencing.check is "start", but there is no token to check; set fencing.token to before, after or inside`,
		"pauses[0].workers=[0, 2]":   "pauses[0].workers[1] is 2, out of bounds; want a whole number from 0 to 1",
	} {
		_, _, err := SetAll(load(t, "lesson/e"), []string{setting})
		if got := fmt.Sprint(err); got != "--set "+setting+": "+want {
			t.Errorf("\n got %s\nwant --set %s: %s", got, setting, want)
		}
	}
}

func TestSetNamesAllSettings(t *testing.T) {
	_, _, err := SetAll(load(t, "lesson/d"), []string{"workers=1", "pauses[0].workers=[1]"})
	const want = "--set workers=1 --set pauses[0].workers=[1]: pauses[0].workers[0] is 1, out of bounds; want a whole number from 0 to 0"
	if fmt.Sprint(err) != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// A quorum becomes a lock at one store, and the other way round, by its kind alone.
func TestSetKind(t *testing.T) {
	s := load(t, "lesson/redlock-pause")
	one, _, err := SetAll(s, []string{"lock.timeout=5ms", "lock.validity.drift=0", "lock.kind=single"})
	if err != nil {
		t.Fatal(err)
	}
	if d := load(t, "lesson/d"); one.Hash() != d.Hash() {
		t.Errorf("got\n%swant that of lesson/d", one.YAML())
	}
	five, err := Set(one, "lock.kind", "quorum")
	if err != nil || five.Hash() != s.Hash() {
		t.Errorf("back again: error %v, got\n%s", err, five.YAML())
	}
}

func TestSetShowsInYAML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyScenario(t)
		ttl := formatDuration(rapid.Int64Range(1, 1_000_000).Draw(t, "new ttl") * millisecond)
		changed, _, err := SetAll(s, []string{"lock.kind=single", "lock.acquire=null", "lock.clock=null", "lock.min_hold=null", "lock.ttl=" + ttl})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(changed.YAML()), "lock: {kind: single, ttl: "+ttl+",") {
			t.Fatalf("no ttl %s in\n%s", ttl, changed.YAML())
		}
	})
}
