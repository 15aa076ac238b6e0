package scenarios

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The hashes of the built-in scenarios name them in every record: one that changes makes old records and new
// ones strangers to each other.
var builtinHashes = map[string]string{
	"lesson/a":                   "f7bc288781c55296",
	"lesson/atomic":              "fdab5352ce334a1f",
	"lesson/b":                   "f27470ec51c85797",
	"lesson/balance-fenced":      "9c33ccf93b3b0eca",
	"lesson/balance-locked":      "a1f6b7f2cfedef49",
	"lesson/balance-unlocked":    "07ac31b3a4b5314f",
	"lesson/c":                   "e0f412287289ba97",
	"lesson/clock-behind":        "3d607824da906f87",
	"lesson/d":                   "aa6ba00cce74d778",
	"lesson/e":                   "88c55fab55b1dadc",
	"lesson/fence-at-commit":     "e9ff168d721aede8",
	"lesson/fence-at-start":      "eedc407d3c23d1ed",
	"lesson/fence-not-announced": "e7631c04966d443a",
	"lesson/fence-unchecked":     "0f7881b8c21e22a7",
	"lesson/idempotent":          "3fef56e6e5ac9f38",
	"lesson/idempotent-crash":    "f5051a4e3375b883",
	"lesson/job-locked":          "1e1bdee8f55d444c",
	"lesson/watchdog-pause":      "32e38befc7c22ac0",
	"lesson/watchdog-thread":     "579a0e14bba48a2f",
	"lesson/watchdog-work":       "da25a7924a646661",

	"lesson/no-nx":                 "9af23d4f509e34da",
	"lesson/no-ttl":                "5c41a1e9ece18e06",
	"lesson/optimistic":            "bfd393718dedd955",
	"lesson/partition":             "7eda805d7827368e",
	"lesson/release-in-two-steps":  "3467795ee7f549de",
	"lesson/release-without-owner": "2d375813a431ae9f",
	"lesson/setnx-then-expire":     "62063d9006ab07be",
	"lesson/token-after-stop":      "f9f992725eac3b4f",
	"lesson/token-before-acquire":  "2e91c17162dc3f63",
	"lesson/token-inside":          "284ace6d5f7a61a3",
	"lesson/transaction":           "cf1295acb3622c82",
	"lesson/versioned":             "af24f65da23c8c34",
	"lesson/work-too-short":        "bde56a33ee03d863",
	"lesson/redlock-check":         "743cad6dc0cf06f2",
	"lesson/redlock-pause":         "ef23d358e3409b7c",
}

func TestBuiltin(t *testing.T) {
	if len(Names()) != len(builtinHashes) || !slices.IsSorted(Names()) {
		t.Errorf("names %v", Names())
	}
	for _, name := range Names() {
		s := load(t, name)
		if s.Name != name || s.Title == "" || !strings.HasSuffix(s.Teaches, ".") {
			t.Errorf("%s: name %q, title %q, teaches %q", name, s.Name, s.Title, s.Teaches)
		}
		if s.Hash() != builtinHashes[name] {
			t.Errorf("%s: hash %s, want %s", name, s.Hash(), builtinHashes[name])
		}
	}
}

func TestCanonicalYAML(t *testing.T) {
	const want = `scenario: lesson/e
title: Fencing against a pause longer than the TTL
teaches: "Fencing does not prevent conflicts, it prevents damage, and only if the resource checks the token."
workers: 2
rounds: 40
start: {spread: 2ms}
work: 300ms
think: 10ms
lock: {kind: single, ttl: 1s, retry: {every: 25ms}}
fencing: {token: after, check: start, reject: below}
pauses:
  - {before: enter, for: 1200ms, every: 4}
published: {entries: 80, conflicts: 15, rejected_writes: 15}
`
	if got := string(load(t, "lesson/e").YAML()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestWorkTooShortIsLessonD(t *testing.T) {
	d, err := Set(load(t, "lesson/d"), "work", "50ms")
	if err != nil {
		t.Fatal(err)
	}
	if short := load(t, "lesson/work-too-short"); short.Hash() != d.Hash() {
		t.Errorf("got\n%sbut lesson/d with work of 50ms is\n%s", short.YAML(), d.YAML())
	}
}

func TestHashIgnoresDescription(t *testing.T) {
	s := load(t, "lesson/d")
	hash := s.Hash()
	s.Name, s.Title, s.Teaches, s.Published = "x", "y", "z", nil
	if s.Hash() != hash {
		t.Error("the hash depends on name, title, teaches or published")
	}
	s.Workers++
	if s.Hash() == hash {
		t.Error("the hash does not depend on the workers")
	}
}

func TestLoad(t *testing.T) {
	t.Chdir(t.TempDir())
	source, err := Source("lesson/d")
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join("other", "plain")
	for _, path := range []string{"my.yaml", "my.yml", other, filepath.Join("lesson", "d")} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		data := strings.Replace(string(source), "rounds: 40", "rounds: 41", 1)
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, rounds := range map[string]int32{"lesson/d": 40, "my.yaml": 41, "my.yml": 41, other: 41, "./lesson/d": 41} {
		s, err := Load(name)
		if err != nil || s.Rounds != rounds {
			t.Errorf("%s: error %v, want %d rounds", name, err, rounds)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("bad.yaml", []byte("scenario: x\nworkers: none\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"lesson/dd":    "unknown scenario \"lesson/dd\"; did you mean \"lesson/d\"? `locklab scenarios list` shows all",
		"redsync":      "redsync is no scenario, but a preset, the lock of a library; take a scenario, and --set lock=redsync",
		"quorum/split": "unknown scenario \"quorum/split\"; `locklab scenarios list` shows all",
		"":             "unknown scenario \"\"; `locklab scenarios list` shows all",
		"gone.yaml":    "reading a scenario: open gone.yaml: no such file or directory",
		"bad.yaml":     `bad.yaml:1:1: the document lacks "rounds"; it must have: scenario, workers, rounds, work`,
	} {
		if _, err := Load(name); fmt.Sprint(err) != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestNearest(t *testing.T) {
	candidates := []string{"lesson/a", "lesson/d", "lesson/work-too-short", "ttl"}
	for name, want := range map[string]string{
		"lesson/d": "lesson/d", "leson/d": "lesson/d", "lesson/D": "lesson/d", "lesson/work-to-short": "lesson/work-too-short",
		"tll": "ttl", "TTLs": "ttl", "": "", "xyz": "", "something else": "",
	} {
		if got := Nearest(name, candidates); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	if !reflect.DeepEqual(candidates, []string{"lesson/a", "lesson/d", "lesson/work-too-short", "ttl"}) {
		t.Error("Nearest changed the candidates")
	}
}
