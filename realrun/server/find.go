package server

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// ErrNoServer means that there is no Redis server on this machine. Its text says how to get one.
var ErrNoServer = errors.New(`no redis-server or valkey-server on this machine.
To get one: "make setup" in locklab's repository, or the system's package manager ("apt-get install redis-server" on
Debian and Ubuntu, "dnf install redis" or "valkey" on Fedora, "apk add redis" on Alpine), or set REDIS_SERVER to its path.
To use a server of your own: --redis redis://HOST:PORT. To do without: "locklab sim"`)

var (
	names = []string{"redis-server", "valkey-server"}
	dirs  = []string{"/usr/bin", "/usr/local/bin", "/usr/sbin"} // looked into after PATH
)

// find returns the path of the server to run: binary if it is given, else what REDIS_SERVER names, else what is
// installed. One that was named and cannot be run is an error: another one would not be what was asked for.
func find(binary string) (string, error) {
	if binary != "" {
		path, err := exec.LookPath(binary)
		if err != nil {
			return "", fmt.Errorf("cannot run the Redis server %q: %w", binary, err)
		}
		return path, nil
	}
	if named := os.Getenv("REDIS_SERVER"); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("cannot run the Redis server that REDIS_SERVER names: %w; "+
				"set REDIS_SERVER to the path of a redis-server or valkey-server, or unset it", err)
		}
		return path, nil
	}
	return findInstalled(dirs)
}

// findInstalled looks on PATH, then in dirs.
func findInstalled(dirs []string) (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	for _, dir := range dirs {
		for _, name := range names {
			if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
				return path, nil
			}
		}
	}
	return "", ErrNoServer
}
