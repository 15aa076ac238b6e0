package server

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// program writes an executable file into folder.
func program(t *testing.T, folder, name string) string {
	t.Helper()
	if filepath.Separator == '\\' {
		name += ".exe"
	}
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindNamed(t *testing.T) {
	redis := program(t, t.TempDir(), "my-redis")
	t.Setenv("REDIS_SERVER", redis)
	if got, err := find(""); got != redis {
		t.Errorf("find by REDIS_SERVER = %q, %v", got, err)
	}
	other := program(t, t.TempDir(), "other")
	if got, err := find(other); got != other {
		t.Errorf("find of a given one = %q, %v", got, err)
	}
}

func TestFindWrongNames(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	program(t, os.Getenv("PATH"), "redis-server") // must not be taken instead
	t.Setenv("REDIS_SERVER", "/no/such/server")
	_, err := find("")
	if err == nil || !strings.Contains(err.Error(), "/no/such/server") || !strings.Contains(err.Error(), "REDIS_SERVER") {
		t.Errorf("wrong REDIS_SERVER: error = %v", err)
	}
	_, err = find("/no/other/server")
	if err == nil || !strings.Contains(err.Error(), "/no/other/server") {
		t.Errorf("wrong binary: error = %v", err)
	}
}

func TestFindInstalled(t *testing.T) {
	path, dir := t.TempDir(), t.TempDir()
	t.Setenv("PATH", path)
	if _, err := findInstalled([]string{dir}); !errors.Is(err, ErrNoServer) {
		t.Errorf("nothing installed: error = %v", err)
	}
	// Each one that is added is preferred to all those before it.
	for _, added := range []struct{ folder, name string }{
		{dir, "valkey-server"}, {dir, "redis-server"}, {path, "valkey-server"}, {path, "redis-server"},
	} {
		want := program(t, added.folder, added.name)
		if got, err := findInstalled([]string{dir}); got != want {
			t.Errorf("found %q (%v), want %q", got, err, want)
		}
	}
}

func TestErrNoServerSaysHowToGetOne(t *testing.T) {
	for _, text := range []string{"apt-get install redis-server", "make setup", "REDIS_SERVER", "--redis", "locklab sim"} {
		if !strings.Contains(ErrNoServer.Error(), text) {
			t.Errorf("%q is not in: %v", text, ErrNoServer)
		}
	}
}
