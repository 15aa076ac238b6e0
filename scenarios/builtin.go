package scenarios

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed builtin
var builtin embed.FS

// Names are the names of the built-in scenarios, sorted.
func Names() []string {
	var all []string
	err := fs.WalkDir(builtin, "builtin", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			all = append(all, strings.TrimSuffix(strings.TrimPrefix(path, "builtin/"), ".yaml"))
		}
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	slices.Sort(all)
	return all
}

// Source is the file of a built-in scenario as it is, comments included.
func Source(name string) ([]byte, error) {
	if slices.Contains(PresetNames(), name) {
		return nil, fmt.Errorf("%s is no scenario, but a preset, the lock of a library; take a scenario, and --set lock=%s", name, name)
	}
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("unknown scenario %q; %s`locklab scenarios list` shows all", name, didYouMean(name, Names()))
	}
	return builtin.ReadFile("builtin/" + name + ".yaml")
}

// Builtin is the built-in scenario of the given name.
func Builtin(name string) (*Scenario, error) {
	source, err := Source(name)
	if err != nil {
		return nil, err
	}
	return Parse("builtin/"+name+".yaml", source)
}

// Load is a built-in scenario, or the one that a file holds: nameOrPath is a path if it ends in .yaml or .yml,
// or is not the name of a built-in scenario, has a separator and exists. A file of samples that a scenario names is
// looked for in the folder of the scenario's file.
func Load(nameOrPath string) (*Scenario, error) {
	if !isPath(nameOrPath) {
		s, err := Builtin(nameOrPath)
		if _, missing := os.Stat(nameOrPath + ".yaml"); err != nil && missing == nil {
			err = fmt.Errorf("%w; there is a file %s.yaml: name it so", err, nameOrPath)
		}
		return s, err
	}
	data, err := readFile(nameOrPath)
	if err != nil {
		return nil, fmt.Errorf("reading a scenario: %w", err)
	}
	return parse(nameOrPath, data, decoder{files: filesIn(filepath.Dir(nameOrPath))})
}

func isPath(s string) bool {
	if strings.HasSuffix(s, ".yaml") || strings.HasSuffix(s, ".yml") {
		return true
	}
	if slices.Contains(Names(), s) || !strings.ContainsRune(s, os.PathSeparator) {
		return false
	}
	_, err := os.Stat(s)
	return err == nil
}

// readFile reads a file, but not much more of it than one that is read here may have.
func readFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxBytes+1))
}
