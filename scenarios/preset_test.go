package scenarios

import (
	"strings"
	"testing"
)

// Every preset is a lock that can be set in the place of another, and that prints as a scenario which reads back the same.
func TestPresets(t *testing.T) {
	if n := len(PresetNames()); n != 15 {
		t.Errorf("%d presets, want 15", n)
	}
	for _, name := range PresetNames() {
		p, err := PresetNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		if p.Name != name || p.Library == "" || p.Notices == "" {
			t.Errorf("%s: %+v", name, p)
		}
		source, err := PresetSource(name)
		if err != nil || !strings.HasPrefix(string(source), "# ") || !strings.Contains(string(source), "commit ") && name != "node-redlock-5-beta2" {
			t.Errorf("%s does not say where it comes from: %v", name, err)
		}
		s, err := Set(load(t, "lesson/d"), "lock", name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s.Preset != name {
			t.Errorf("%s: the scenario's preset is %q", name, s.Preset)
		}
		again, err := Parse("again.yaml", s.YAML())
		if err != nil || again.Hash() != s.Hash() {
			t.Errorf("%s: %v in\n%s", name, err, s.YAML())
		}
	}
}

// Parts of a preset can be set after it, or beside its name in a file; a share of the TTL follows the TTL; and a library that takes the
// TTL as an argument keeps that of the lock before.
func TestPartsOfAPresetDiffer(t *testing.T) {
	d := load(t, "lesson/d")
	for _, test := range []struct {
		set  []string
		want string
	}{
		{[]string{"lock=redsync"}, "lock: {kind: quorum, stores: 1, ttl: 8s, timeout: 400ms, validity: {plus: 0ms}, retry: {every: {uniform: [50ms, 249ms]}, tries: 32}}"},
		{[]string{"lock=redsync", "lock.stores=5", "lock.retry.every=1s"}, "lock: {kind: quorum, stores: 5, ttl: 8s, timeout: 400ms, validity: {plus: 0ms}, retry: {every: 1s, tries: 32}}"},
		{[]string{"lock={preset: redsync, ttl: 4s, retry: {every: {exponential: 1s}}}"}, "lock: {kind: quorum, stores: 1, ttl: 4s, timeout: 200ms, validity: {plus: 0ms}, retry: {every: {exponential: 1s}, tries: 32}}"},
		{[]string{"lock=redis-py", "lock.ttl=1s"}, "lock: {kind: single, ttl: 1s, retry: {every: 100ms}}"},
		{[]string{"lock=redislock"}, "lock: {kind: single, ttl: 1s, retry: {every: 25ms, tries: 1}}"},
		{[]string{"lock={preset: redislock}"}, "lock: {kind: single, ttl: 1s, retry: {every: 25ms, tries: 1}}"},
		{[]string{"lock=redsync", "lock.kind=single"}, "lock: {kind: single, ttl: 8s, retry: {every: {uniform: [50ms, 249ms]}, tries: 32}}"},
		{[]string{"lock={kind: single, preset: redsync}"}, "lock: {kind: single, ttl: 8s, retry: {every: {uniform: [50ms, 249ms]}, tries: 32}}"},
		{[]string{"lock=redsync", "lock.retry.tries=null"}, "lock: {kind: quorum, stores: 1, ttl: 8s, timeout: 400ms, validity: {plus: 0ms}, retry: {every: {uniform: [50ms, 249ms]}}}"},
		{[]string{"lock={preset: redsync, retry: {tries: null}}"}, "lock: {kind: quorum, stores: 1, ttl: 8s, timeout: 400ms, validity: {plus: 0ms}, retry: {every: {uniform: [50ms, 249ms]}}}"},
		{[]string{"lock=redisson-watchdog", "lock.renew=null"}, "lock: {kind: single, ttl: 30s, retry: {wake: publish}}"},
		{[]string{"lock=redisson-watchdog", "lock.renew.every=1s"}, "lock: {kind: single, ttl: 30s, retry: {wake: publish}, renew: {every: 1s, timeout: 3s}}"},
		{[]string{"lock=redisson-fair", "lock.renew=null", "lock.retry.wake=none"}, "lock: {kind: single, ttl: 30s, retry: {every: 25ms}}"},
		{[]string{"lock={preset: redisson-fair, renew: {every: 5s}, retry: {every: 50ms, wake: none}}"}, "lock: {kind: single, ttl: 30s, retry: {every: 50ms}, renew: {every: 5s, timeout: 3s}}"},
		{[]string{"lock=redisson-fenced", "lock=shedlock-redis", "lock.ttl=3s"}, "lock: {kind: single, ttl: 3s, retry: {every: 25ms, tries: 1}, release: plain}"},
		{[]string{"lock=shedlock-redis", "lock.ttl=3s"}, "lock: {kind: single, ttl: 3s, retry: {every: 25ms, tries: 1}, release: plain}"},
	} {
		s, _, err := SetAll(d, test.set)
		if err != nil {
			t.Errorf("%v: %v", test.set, err)
		} else if !strings.Contains(string(s.YAML()), test.want+"\n") {
			t.Errorf("%v: no %s in\n%s", test.set, test.want, s.YAML())
		}
	}
	s, _, err := SetAll(d, []string{"lock=redisson-watchdog", "lock.ttl=3s"})
	if err != nil || s.Lock.Renew.Every/millisecond != 999 && s.Lock.Renew.Every/millisecond != 1000 {
		t.Errorf("renewed every %d ns: %v", s.Lock.Renew.Every, err)
	}
	if fenced, err := Set(d, "lock", "redisson-fenced"); err != nil || !fenced.Lock.TokenInside {
		t.Errorf("redisson-fenced issues no token: %v", err)
	}
	checked, _, err := SetAll(d, []string{"lock=redisson-fenced", "fencing.check=both"})
	if err != nil || !checked.Lock.TokenInside || checked.Fencing.Check == 0 {
		t.Errorf("the token of redisson-fenced is not checked: %v", err)
	}
}

// A scenario whose lock is a preset's says so until it gets another.
func TestPresetIsRemembered(t *testing.T) {
	redsync, err := Set(load(t, "lesson/d"), "lock", "redsync")
	if err != nil {
		t.Fatal(err)
	}
	for set, want := range map[string]string{"rounds=3": "redsync", "lock.ttl=3s": "redsync", "lock=none": "", "lock=redis-py": "redis-py"} {
		s, _, err := SetAll(redsync, []string{set})
		if err != nil || s.Preset != want {
			t.Errorf("%s: preset %q, want %q: %v", set, s.Preset, want, err)
		}
	}
}

// A null leaves out a part that a preset has, not one that nobody has.
func TestPresetHasNoSuchPart(t *testing.T) {
	checkRefusals(t, []refusal{
		{rest + "lock: {preset: redisson-watchdog, rettry: null}\n", `5:43: unknown key "rettry" in lock; did you mean "retry"? allowed: kind, ttl, retry, acquire, release, release_tries, min_hold, renew, loss, clock`},
		{rest + "lock: {preset: redisson-watchdog, renew: {every: 1s, share: 0.5}}\n", "5:7: lock.renew has both every and share; give only one of: every, share"},
		{rest + "lock: {preset: redisson-fair, retry: {wake: fifo, every: 1s}}\n", "5:58: lock.retry.every is given, but with wake: fifo nobody sleeps between tries: who is refused waits for a message or the end of the lease; leave it out"},
		{rest + "lock: {preset: redisson-fenced, retry: {wake: fifo}}\n", `5:7: fencing.token is "inside", but the script of a lock that is acquired in turn issues no token; want before or after, or lock.retry.wake: publish`},
	})
	_, _, err := SetAll(load(t, "lesson/d"), []string{"lock=redsync", "lock.ttl=null"})
	if want := `--set lock=redsync --set lock.ttl=null: lock lacks "ttl"; it must have: kind, ttl`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = Set(load(t, "lesson/d"), "lock.preset", "redsync")
	if want := "--set lock.preset=redsync: a preset is the whole lock; set lock instead, e.g. lock=redsync, and parts of it after that"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A share of the TTL follows it also where the preset stands in a file, and along an axis.
func TestSharesFollowTheTTL(t *testing.T) {
	s, err := Parse("mine.yaml", []byte("scenario: mine\nworkers: 2\nrounds: 10\nwork: 3s\nlock: {preset: redlock-net, ttl: 10s}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // once more on what was set
		if s, err = Set(s, "lock.ttl", "2s"); err != nil || s.Lock.Renew.Every != second || s.Preset != "redlock-net" {
			t.Fatalf("renewed every %d ns, preset %q: %v", s.Lock.Renew.Every, s.Preset, err)
		}
	}
	if s, err = Set(s, "lock.renew.every", "300ms"); err != nil || s.Lock.Renew.Every != 300*millisecond {
		t.Errorf("renewed every %d ns: %v", s.Lock.Renew.Every, err)
	}
}

// The longest hold is the work and the pauses within it; a pause in a hold without a bound leaves none.
func TestWorstHold(t *testing.T) {
	for _, test := range []struct {
		set     []string
		hold    int64
		bounded bool
	}{
		{nil, 1500 * millisecond, true},
		{[]string{"pauses[0].before=think"}, 300 * millisecond, true},
		{[]string{"pauses[0].for={exponential: 1s}"}, 0, false},
	} {
		s, _, err := SetAll(load(t, "lesson/d"), test.set)
		if err != nil {
			t.Fatal(err)
		}
		if hold, bounded := s.WorstHold(); bounded != test.bounded || bounded && hold != test.hold {
			t.Errorf("%v: %d, %t; want %d, %t", test.set, hold, bounded, test.hold, test.bounded)
		}
	}
}
