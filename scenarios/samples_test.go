package scenarios

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker"
)

// writeFiles writes files below the working directory, which becomes an empty one.
func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, data := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A scenario and a profile find a file of samples in their own folder, --set in the working directory; afterwards they are the
// same as if the samples stood in them.
func TestSamplesFromFile(t *testing.T) {
	const inline = "{empirical: [1ms, 2500us, 2500us, 3s]}"
	writeFiles(t, map[string]string{
		"mine/waits.txt":    "# measured on a laptop\n\n3s\n 2.5ms # twice\r\n2500us\n1000000ns",
		"mine/think.yaml":   rest + "think: {empirical: waits.txt}\n",
		"mine/set.yaml":     rest + "think: {empirical: [5ms]}\n",
		"mine/profile.yaml": "profile: m\nstop: {sequence: ./waits.txt}\n",
	})
	written, err := Parse("x.yaml", []byte(rest+"think: "+inline+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := Load("mine/think.yaml")
	if err != nil {
		t.Fatal(err)
	}
	before, err := Load("mine/set.yaml")
	if err != nil {
		t.Fatal(err)
	}
	set, err := Set(before, "think.empirical", "mine/waits.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Scenario{loaded, set} {
		if string(s.YAML()) != string(written.YAML()) || s.Hash() != written.Hash() || !strings.Contains(string(s.YAML()), inline) {
			t.Errorf("got\n%swant\n%s", s.YAML(), written.YAML())
		}
	}
	p, err := LoadProfile("mine/profile.yaml")
	if err != nil || !slices.Equal(p.Stop.Sequence, []int64{3 * second, 2_500_000, 2_500_000, millisecond}) {
		t.Errorf("stop %+v, error %v", p, err)
	}
}

func TestSamplesFromFileRefuses(t *testing.T) {
	const scenario = rest + "think: {empirical: x.txt}\n"
	writeFiles(t, map[string]string{
		"bare/x.txt": "1ms\n\n2\n", "bare/x.yaml": scenario,
		"negative/x.txt": "-1ms", "negative/x.yaml": scenario,
		"two/x.txt": "1ms 2ms\n", "two/x.yaml": scenario,
		"empty/x.txt": "# nothing\n", "empty/x.yaml": scenario,
		"many/x.txt": strings.Repeat("1ms\n", maxSamples+1), "many/x.yaml": scenario,
		"long/x.txt": strings.Repeat("#\n", maxBytes/2+1), "long/x.yaml": scenario,
		"gone/x.yaml":        scenario,
		"folder/x.txt/x.txt": "", "folder/x.yaml": scenario,
	})
	for name, want := range map[string]string{
		"bare":     "has a file with a mistake: line 3 of x.txt is 2, without a unit; " + durations,
		"negative": "has a file with a mistake: line 1 of x.txt is -1ms, negative; " + durations,
		"two":      `has a file with a mistake: line 1 of x.txt is "1ms 2ms", not a duration; ` + durations,
		"empty":    "has a file without a duration, x.txt; want one in each line",
		"many":     "brings the samples of all laws to more than 100000; keep fewer of them",
		"long":     "cannot be read: " + filepath.Join("long", "x.txt") + " is longer than 3 MiB; " + samples,
		"gone":     "cannot be read: open " + filepath.Join("gone", "x.txt") + ": no such file or directory; " + samples,
		"folder":   "cannot be read: " + filepath.Join("folder", "x.txt") + " is no regular file; " + samples,
	} {
		_, err := Load(name + "/x.yaml")
		if got, want := fmt.Sprint(err), name+"/x.yaml:5:20: think.empirical "+want; got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
}

// The order of samples makes no difference to an empirical law, and is all that a sequence adds.
func TestOrderOfSamples(t *testing.T) {
	parse := func(law string) *Scenario {
		s, err := Parse("x.yaml", []byte(rest+"think: "+law+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	up, down := parse("{empirical: [1ms, 2ms]}"), parse("{empirical: [2ms, 1ms]}")
	sequence, other := parse("{sequence: [2ms, 1ms]}"), parse("{sequence: [1ms, 2ms]}")
	if up.Hash() != down.Hash() || sequence.Hash() == other.Hash() || sequence.Hash() == up.Hash() {
		t.Errorf("hashes %s and %s, in sequence %s and %s", up.Hash(), down.Hash(), sequence.Hash(), other.Hash())
	}
	if want := []int64{millisecond, 2 * millisecond}; !slices.Equal(down.Think.Samples, want) || !slices.Equal(sequence.Think.Samples, want) {
		t.Errorf("samples %v and %v", down.Think.Samples, sequence.Think.Samples)
	}
}

// The longest scenario fits into a file.
func TestLongestScenario(t *testing.T) {
	s := &Scenario{Name: "x", Workers: maxWorkers}
	s.Rounds = 1
	s.Work = choice.Law{Kind: choice.Empirical, Samples: make([]int64, maxSamples)}
	for i := range s.Work.Samples {
		s.Work.Samples[i] = longestDuration - 1
	}
	everybody := make([]int32, maxWorkers)
	for i := range everybody {
		everybody[i] = int32(i)
	}
	pause := worker.Pause{Where: worker.During, Step: history.Think, For: choice.Const(longestDuration - 1), Fraction: 1.0 / 3, Probability: 1.0 / 3, Workers: everybody}
	crash := worker.Pause{Crash: true, Where: worker.During, Step: history.Think, Fraction: 1.0 / 3, When: worker.InRound, Round: maxRounds - 1, Workers: everybody}
	for range maxPauses {
		s.Pauses = append(s.Pauses, pause)
	}
	for range maxPauses {
		s.Pauses = append(s.Pauses, crash)
	}
	again, err := Parse("x.yaml", s.YAML())
	if err != nil || again.Hash() != s.Hash() {
		t.Errorf("not the same, error %v", err)
	}
}
