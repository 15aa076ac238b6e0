package study

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locklab/history"
	"locklab/scenarios"
)

// A waiter with redsync's defaults that starts when the holder crashes, right after its acquire, gives up before the TTL of 8 s frees
// the key: 31 sleeps of 50 to 249 ms take 1.55 to 7.72 s.
func TestRedsyncGivesUpBeforeTheLeaseEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "crash.yaml")
	const text = "scenario: crash\nworkers: 2\nrounds: 1\nwork: 1s\nstart: {apart: 5ms}\nlock: redsync\ncrashes:\n  - {before: enter, round: 0, workers: [0]}\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := NewExperiment(file, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	lab := scenarios.Lab()
	const second = 1_000_000_000
	for seed := range uint64(300) {
		gaveUp := false
		for _, ev := range Trace(e, &lab, seed, 0).Events {
			switch ev.Kind {
			case history.GaveUp:
				gaveUp = true
				if ev.For < 1.55*second || ev.For > 7.8*second {
					t.Fatalf("seed %d: gave up after %d ns", seed, ev.For)
				}
			case history.Acquired:
				if ev.Worker == 1 {
					t.Fatalf("seed %d: the waiter got the lock after %d ns", seed, ev.For)
				}
			}
		}
		if !gaveUp {
			t.Fatalf("seed %d: nobody gave up", seed)
		}
	}
}

// What sim says of a preset names the TTL, the worst case of the job, and what the holder would notice.
func TestAboutPreset(t *testing.T) {
	for set, want := range map[string]string{
		"lock=redsync":           "redsync (redsync v4): TTL 8s, not renewed\nworst case: work and pauses take 1.5s, 6.5s within the TTL\n",
		"lock=shedlock-redis":    "shedlock-redis (ShedLock, Redis): TTL 1s, not renewed\nworst case: work and pauses take 1.5s, 500ms beyond the TTL: the lock is lost\n",
		"lock=redisson-watchdog": "redisson-watchdog (Redisson 4, RLock): TTL 30s, renewed every 10s\nworst case: a process that is stopped for more than 20s may lose the lock, for more than 30s it does; work by itself never\n",
		"lock=redis-py":          "redis-py (redis-py): no TTL, so a holder that dies leaves it locked for ever\nworst case: a hold cannot be lost\n",
		"lock.ttl=2s":            "",
		"lock=redisson-watchdog lock.ttl=1s lock.renew.every=5s": "redisson-watchdog (Redisson 4, RLock): TTL 1s, renewed every 5s\nworst case: work and pauses take 1.5s, 500ms beyond the TTL: the lock is lost\n",
		"lock=redisson-watchdog lock.renew.at_most=60s":          "redisson-watchdog (Redisson 4, RLock): TTL 30s, renewed every 10s\nworst case: a process that is stopped for more than 20s may lose the lock, for more than 30s it does; work by itself if it takes more than 1m30s, since it is not renewed after 1m0s\n",
	} {
		e, err := NewExperiment("lesson/d", strings.Fields(set), 1)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(AboutPreset(e.Scenario), "\n")
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", set, got, want)
		}
	}
}

func TestPresetsPageHasARowForEach(t *testing.T) {
	lab := scenarios.Lab()
	p := Presets{Profile: &lab, Seed: 1, Runs: 2}
	var out bytes.Buffer
	if err := p.Write(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	for _, name := range scenarios.PresetNames() {
		if n := strings.Count(out.String(), "| `"+name+"` |"); n != 1 {
			t.Errorf("%d rows of %s", n, name)
		}
	}
}
