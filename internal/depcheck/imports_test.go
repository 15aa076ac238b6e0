// Package depcheck holds no code, only the tests of the house's order: who may import whom, and what is pure.
package depcheck

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "locklab"
	root   = "../.."
)

// mayImport is the import table of the design: which packages of this module a package may import. Every package is
// listed. Tests may import what they like.
var mayImport = map[string][]string{
	"history":         {},
	"internal/choice": {},

	"worker/wire": {"history"},
	"worker/lock": {"history", "internal/choice", "worker/wire"},
	"worker":      {"history", "internal/choice", "worker/lock", "worker/wire"},
	"scenarios":   {"history", "internal/choice", "worker", "worker/lock", "worker/wire"},

	"scenarios/random": {"history", "internal/choice", "scenarios", "worker", "worker/lock"},

	"sim/store":   {"internal/choice", "worker/wire"},
	"sim":         {"history", "internal/choice", "scenarios", "sim/store", "worker", "worker/lock", "worker/wire"},
	"sim/batch":   {"history", "internal/choice", "sim"},
	"sim/explore": {"history", "internal/choice", "scenarios", "sim", "worker", "worker/lock"},

	"realrun/child":     {},
	"realrun/server":    {"realrun/child"},
	"realrun":           {"history", "internal/choice", "realrun/child", "realrun/server", "scenarios", "worker", "worker/wire"},
	"realrun/calibrate": {"history", "internal/choice", "realrun", "scenarios", "worker", "worker/lock", "worker/wire"},

	"compare": {"history", "internal/choice"},
	"plots":   {"history"},

	"plots/page":        {"history", "plots"},
	"plots/traceevents": {"history"},

	"internal/study": {
		"compare", "history", "internal/choice", "plots", "plots/page", "realrun", "realrun/calibrate", "scenarios",
		"scenarios/random", "sim", "sim/batch", "sim/explore", "worker", "worker/lock",
	},
	"internal/view": {"history"},
	"internal/cli": {
		"compare", "history", "internal/choice", "internal/study", "internal/view", "plots", "plots/page", "plots/traceevents", "realrun",
		"realrun/calibrate", "scenarios", "sim/explore",
	},
	".": {"internal/cli"},
}

func TestImportsFollowTheTable(t *testing.T) {
	imports, err := importsOfModule()
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range breaches(imports, mayImport) {
		t.Error(problem)
	}
}

func TestBreachesOfTheTableAreFound(t *testing.T) {
	table := map[string][]string{"low": {}, "high": {"low"}}
	for want, imports := range map[string]map[string][]string{
		"":                                      {"low": {}, "high": {"low"}},
		"low imports high, which it may not":    {"low": {"high"}, "high": {}},
		"new is not in the table":               {"low": {}, "high": {}, "new": {}},
		"high is in the table and not in files": {"low": {}},
	} {
		if got := strings.Join(breaches(imports, table), "; "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The design's own words about the table, so that an entry that contradicts them cannot be slipped in.
func TestTableKeepsWorldsApart(t *testing.T) {
	for pkg := range mayImport {
		for _, low := range reachable(pkg) {
			switch {
			case within(pkg, "sim") && within(low, "realrun"), within(pkg, "realrun") && within(low, "sim"):
				t.Errorf("%s reaches %s: the worlds must not know each other", pkg, low)
			case (pkg == "compare" || within(pkg, "plots")) && low != "history" && low != "internal/choice" && low != "plots":
				t.Errorf("%s reaches %s: it must read records and run nothing", pkg, low)
			case low == "internal/cli" && pkg != ".":
				t.Errorf("%s reaches %s, which is on top", pkg, low)
			case low == pkg:
				t.Errorf("%s reaches itself", pkg)
			}
		}
	}
}

func within(pkg, tree string) bool { return pkg == tree || strings.HasPrefix(pkg, tree+"/") }

// reachable are the packages that the table lets pkg import, directly or not.
func reachable(pkg string) []string {
	var found []string
	var visit func(string)
	visit = func(p string) {
		for _, low := range mayImport[p] {
			if !slices.Contains(found, low) {
				found = append(found, low)
				visit(low)
			}
		}
	}
	visit(pkg)
	return found
}

// breaches says in which ways the imports differ from what a table allows.
func breaches(imports, table map[string][]string) []string {
	var found []string
	for pkg, all := range imports {
		allowed, listed := table[pkg]
		if !listed {
			found = append(found, pkg+" is not in the table")
			continue
		}
		for _, low := range all {
			if !slices.Contains(allowed, low) {
				found = append(found, fmt.Sprintf("%s imports %s, which it may not", pkg, low))
			}
		}
	}
	for pkg := range table {
		if _, exists := imports[pkg]; !exists {
			found = append(found, pkg+" is in the table and not in files")
		}
	}
	slices.Sort(found)
	return found
}

// importsOfModule reads what the packages of this module import of each other: all files but tests, those for other
// systems included.
func importsOfModule() (map[string][]string, error) {
	imports := make(map[string][]string)
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && (name == "testdata" || name == "out" || strings.HasPrefix(name, ".") && name != "..") {
			return filepath.SkipDir
		}
		if !isCode(name) {
			return nil
		}
		relative, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(relative)
		low, err := importsOfFile(file)
		imports[pkg] = append(imports[pkg], low...)
		return err
	})
	return imports, err
}

func isCode(file string) bool {
	return strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go")
}

// importsOfFile are the packages of this module that a file imports.
func importsOfFile(file string) ([]string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var low []string
	for _, spec := range parsed.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if within(p, module) {
			low = append(low, strings.TrimPrefix(path.Clean(p), module+"/"))
		}
	}
	return low, nil
}
