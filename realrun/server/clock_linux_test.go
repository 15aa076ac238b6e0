package server

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// startWithClock starts a server that goes by a clock of its own. Without a server or a compiler on this machine the
// test is skipped, but fails in CI.
func startWithClock(t *testing.T) (*Clock, *redis.Client) {
	t.Helper()
	clock, err := NewClock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { clock.Close() })
	s, err := Start(t.Context(), Options{Clock: clock})
	if (errors.Is(err, ErrNoServer) || errors.Is(err, ErrNoCompiler)) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return clock, connect(t, s.URL())
}

func serverTime(t *testing.T, client *redis.Client) time.Time {
	t.Helper()
	now, err := client.Time(t.Context()).Result()
	if err != nil {
		t.Fatal(err)
	}
	return now
}

func TestServerGoesByItsClock(t *testing.T) {
	clock, client := startWithClock(t)
	wantTime := func(want time.Time) {
		t.Helper()
		if got := serverTime(t, client); !got.Equal(want) || !clock.Now().Equal(want) {
			t.Errorf("server at %v, clock at %v, want %v", got, clock.Now(), want)
		}
	}
	noon := time.UnixMicro(1_750_000_000_123_456)
	clock.Freeze(noon)
	wantTime(noon)
	wantTime(noon)
	clock.Advance(-time.Hour)
	wantTime(noon.Add(-time.Hour))
	clock.Advance(time.Hour + time.Microsecond)
	wantTime(noon.Add(time.Microsecond))
	if err := client.Do(t.Context(), "DEBUG", "SLEEP", "3600").Err(); err != nil {
		t.Fatal(err)
	}
	wantTime(noon.Add(time.Hour + time.Microsecond))

	clock.Run(-24 * time.Hour)
	behind := time.Since(serverTime(t, client))
	if behind < 24*time.Hour || behind > 24*time.Hour+patience {
		t.Errorf("server is behind by %v, want 24 h", behind)
	}
	clock.Advance(25 * time.Hour)
	if ahead := time.Until(serverTime(t, client)); ahead > time.Hour || ahead < time.Hour-patience {
		t.Errorf("server is ahead by %v, want 1 h", ahead)
	}
}

func TestClockLeavesNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	clock, err := NewClock()
	if err != nil {
		t.Fatal(err)
	}
	if err := clock.Close(); err != nil {
		t.Error(err)
	}
	if files, err := os.ReadDir(os.TempDir()); err != nil || len(files) > 0 {
		t.Errorf("files left: %v (%v)", files, err)
	}
}

func TestClockThatNobodyReadsIsTold(t *testing.T) {
	clock, err := NewClock()
	if err != nil {
		t.Fatal(err)
	}
	defer clock.Close()
	wantError(t, clock.heeded(), "has not loaded the library")
}

func TestLibraryIsCompiledOnce(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	path, err := library()
	if errors.Is(err, ErrNoCompiler) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir()) // no compiler any more
	if again, err := library(); again != path || err != nil {
		t.Errorf("the second time: %q, %v; want %q", again, err, path)
	}
	if files, _ := filepath.Glob(filepath.Join(cache, "locklab", "*")); len(files) != 1 {
		t.Errorf("files in the cache: %v, want one", files)
	}
}

func TestMissingCompilerIsTold(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CC", "")
	_, err := library()
	if !errors.Is(err, ErrNoCompiler) {
		t.Fatalf("error = %v, want ErrNoCompiler", err)
	}
	wantError(t, err, "make setup", "apt-get install gcc libc6-dev", "set CC")
	t.Setenv("CC", "/no/such/compiler")
	_, err = library()
	wantError(t, err, "/no/such/compiler", "unset it")
}

func TestCompilerThatFails(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("CC", script(t, "echo no headers >&2; exit 1"))
	_, err := library()
	wantError(t, err, "no headers", "libc6-dev", os.Getenv("CC"))
	if files, _ := filepath.Glob(filepath.Join(cache, "locklab", "*")); len(files) != 0 {
		t.Errorf("files left: %v", files)
	}
	t.Setenv("XDG_CACHE_HOME", "relative")
	if _, err := library(); err == nil || !strings.Contains(err.Error(), "no place") {
		t.Errorf("no cache folder: error = %v", err)
	}
}
