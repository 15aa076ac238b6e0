package server

import (
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed wallclock/wallclock.c
var librarySource []byte

// ErrNoCompiler means that this machine has no C compiler, which a server with a clock of its own needs once. Its
// text says how to get one.
var ErrNoCompiler = errors.New(`a server with a clock of its own needs a C compiler, and this machine has none.
To get one: "make setup" in locklab's repository, or the system's package manager ("apt-get install gcc libc6-dev" on
Debian and Ubuntu, "dnf install gcc" on Fedora, "apk add gcc musl-dev" on Alpine), or set CC to its path`)

// library is the path of the preload library that controls a process's wall clock. It is compiled on first use and
// kept in the user's cache folder, under a name that has a hash of its source.
func library() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place for the wall clock's library: %w", err)
	}
	folder := filepath.Join(cache, "locklab")
	path := filepath.Join(folder, fmt.Sprintf("wallclock-%.8x.so", sha256.Sum256(librarySource)))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("no place for the wall clock's library: %w", err)
	}
	return path, compile(path)
}

// compile makes the library. It appears under its path at once and whole, whoever else compiles it meanwhile.
func compile(path string) error {
	cc, err := compiler()
	if err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), "wallclock-*.tmp")
	if err != nil {
		return fmt.Errorf("compile the wall clock's library: %w", err)
	}
	draft.Close()
	defer os.Remove(draft.Name())
	cmd := exec.Command(cc, "-O2", "-shared", "-fPIC", "-x", "c", "-o", draft.Name(), "-")
	cmd.Stdin = strings.NewReader(string(librarySource))
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("compile the wall clock's library with %s: %w: %s; "+
			"if it misses header files, install libc6-dev (Debian, Ubuntu) or musl-dev (Alpine)", cc, err, said)
	}
	return os.Rename(draft.Name(), path)
}

// compiler is the C compiler: the one that CC names, or cc. One that was named and cannot be run is an error.
func compiler() (string, error) {
	if named := os.Getenv("CC"); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("cannot run the C compiler that CC names: %w; set CC to the path of one, or unset it", err)
		}
		return path, nil
	}
	for _, name := range []string{"cc", "gcc", "clang"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoCompiler
}
