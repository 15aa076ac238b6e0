// Package determinism holds no code, only the proof that the same scenario, profile and seed give the same bytes: of
// records, cells, histories, stories and what check finds; again, in another process, on any number of processors, and on
// another architecture. testdata/golden.txt keeps their hashes; `go test ./internal/determinism -rewrite` writes it anew, and
// `make test-arm64` computes them on arm64. A change of the file is a change of what the simulator says: commit only one
// that can be explained.
package determinism

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"locklab/internal/study"
	"locklab/scenarios"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/golden.txt anew")

const golden = "testdata/golden.txt"

// printing is set in a process that is to print what it computes, and do nothing else.
const printing = "LOCKLAB_PRINT_DETERMINISM"

func TestMain(m *testing.M) {
	if os.Getenv(printing) == "" {
		os.Exit(m.Run())
	}
	if err := writeAll(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// all is everything that is compared, as lines: computed now.
func all(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := writeAll(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// kept is what the golden file says.
func kept(t *testing.T) []byte {
	t.Helper()
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	return want
}

// same fails unless two computations of everything agree, and says which lines do not.
func same(t *testing.T, got, want []byte) {
	t.Helper()
	g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	if len(g) != len(w) {
		t.Errorf("got %d lines, want %d", len(g), len(w))
		return
	}
	const shown = 3
	differ := 0
	for i := range w {
		if g[i] == w[i] {
			continue
		}
		if differ++; differ <= shown {
			t.Errorf("\n got %s\nwant %s", g[i], w[i])
		}
	}
	if differ > shown {
		t.Errorf("%d of %d lines differ", differ, len(w))
	}
}

// This is the test that runs on every platform.
func TestGolden(t *testing.T) {
	got := all(t)
	if *rewrite {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%s/%s", runtime.GOOS, runtime.GOARCH)
	same(t, got, kept(t))
}

func TestAgainOnOneProcessorAndOnMany(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 2} {
		runtime.GOMAXPROCS(processors)
		same(t, all(t), kept(t))
	}
}

// In a fresh process maps have another order, and memory other addresses.
func TestInFreshProcesses(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, processors := range []string{"1", "2"} {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), printing+"=1", "GOMAXPROCS="+processors)
		cmd.Stderr = os.Stderr
		got, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, kept(t))
	}
}

// Run 7 of 10 is run 7 of 1000.
func TestRunsDoNotDependOnHowManyThereAre(t *testing.T) {
	for _, name := range append(scenarios.Names(), everything) {
		few, many := recordLines(t, name, 1, 10), recordLines(t, name, 1, 1000)
		if len(few) != 10 || len(many) != 1000 {
			t.Fatalf("%s: %d and %d records", name, len(few), len(many))
		}
		for i, line := range few {
			if line != many[i] {
				t.Errorf("%s, run %d\n  of 10: %s\nof 1000: %s", name, i, line, many[i])
			}
		}
	}
}

// Five seeds give five results, and so do five runs of one seed.
func TestSeedsDiffer(t *testing.T) {
	for _, name := range append(scenarios.Names(), everything) {
		hashes := make(map[string]string)
		for seed := uint64(1); seed <= 5; seed++ {
			for run, line := range recordLines(t, name, seed, 5) {
				_, hash, _ := strings.Cut(line, `"history_hash":`)
				this := fmt.Sprintf("seed %d, run %d", seed, run)
				if other, known := hashes[hash]; known {
					t.Errorf("%s: %s has the history of %s", name, this, other)
				}
				hashes[hash] = this
			}
		}
	}
}

// recordLines are the records of a batch under lab, as a file has them.
func recordLines(t *testing.T, name string, seed uint64, runs int) []string {
	t.Helper()
	e, err := study.NewExperiment(name, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	lab := scenarios.Lab()
	var out bytes.Buffer
	if err := writeRecords(&out, io.Discard, e, &lab, seed, runs); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

var background = context.Background()
