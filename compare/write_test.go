package compare

import (
	"bytes"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"locklab/history"
)

var rewrite = flag.Bool("rewrite", false, "write what the tests get into testdata")

// lessonLike is a table with one row of every kind that the lesson can give.
func lessonLike() history.Lines {
	r := rand.New(rand.NewPCG(9, 10))
	fifteen := int64(15)
	var all history.Lines
	for _, e := range []struct {
		scenario     string
		published    *history.Counts
		lab, machine law
		rejected     bool
		lost         law
		measured     []int64
	}{
		{"lesson/a", &history.Counts{Entries: 80, Conflicts: 41}, either(40, 42), constant(40), false, constant(0), []int64{40, 40, 40}},
		{"lesson/b", &history.Counts{Entries: 80}, constant(0), constant(0), false, constant(0), []int64{0, 0, 0}},
		{"lesson/c", &history.Counts{Entries: 80, Conflicts: 79}, constant(79), constant(79), false, constant(79), []int64{79, 79, 78}},
		{"lesson/d", &history.Counts{Entries: 80, Conflicts: 31}, normal(30.2, 2), normal(27.7, 1.5), false, normal(20, 0.5), []int64{28, 27, 30}},
		{"lesson/e", &history.Counts{Entries: 80, Conflicts: 15, RejectedWrites: &fifteen}, normal(15.1, 1.3), normal(16.5, 1), true, normal(20, 0.5), []int64{16, 17, 16, 18, 16, 17}},
		{"lesson/work-too-short", nil, constant(0), normal(0, 0.3), false, normal(20, 0.5), []int64{0, 0}},
	} {
		runs := func(l law, n int) []counts {
			out := conflictsOnly(l.sample(r, n)...)
			for i := range out {
				out[i].conflicts = max(0, out[i].conflicts)
				out[i].lost = e.lost(r)
				if e.rejected {
					out[i].rejected = out[i].conflicts
				}
			}
			return out
		}
		from := func(w history.World, profile string) history.Source {
			src := source(e.scenario, w, profile)
			src.Published = e.published
			return src
		}
		measured := runs(constant(0), len(e.measured))
		for i, x := range e.measured {
			measured[i].conflicts = x
			if e.rejected {
				measured[i].rejected = x
			}
		}
		all = join(all, history.Lines{
			Cells: []history.Cell{
				cellOf(from(history.Sim, "lab"), 1, runs(e.lab, MinRuns)...),
				cellOf(from(history.Sim, "machine"), 1, runs(e.machine, MinRuns)...),
			},
			Records: recordsOf(from(history.Real, "machine"), measured...),
		})
	}
	return all
}

// mixed is what tables seldom show: parameters, scales, several profiles, seeds and stores, two versions of a scenario.
func mixed() history.Lines {
	set := predictionOf("lesson/d", "ideal", 38)
	set.Cells[0].Params.Set = map[string]string{"work": "50ms", "lock.retry.every": "20ms|30ms"}
	scaled := predictionOf("lesson/d", "lab", 30)
	scaled.Cells[0].Params.Scale = 0.1
	older := experimentOf("lesson/d", []int64{27, 28}, 28, 27, 28)
	older.Records[0].Store = history.Store{Product: "valkey", Version: "8.0.2"}
	for i := range older.Records {
		older.Records[i].ScenarioHash = "fedcba9876543210"
	}
	older.Cells[0].ScenarioHash = "fedcba9876543210"
	newer := predictionOf("lesson/d", "machine", 28)
	newer.Cells[0].ScenarioHash, newer.Cells[0].Seed = "0123456789abcdef", 7
	return join(set, scaled, older, newer)
}

func TestGolden(t *testing.T) {
	writers := map[string]func(io.Writer, []Row) error{"txt": WriteText, "md": WriteMarkdown, "json": WriteJSON}
	for name, rows := range map[string][]Row{
		"lesson": Rows(lessonLike(), Options{Wanted: 3}),
		"mixed":  Rows(mixed(), Options{}),
	} {
		for ext, write := range writers {
			var got bytes.Buffer
			if err := write(&got, rows); err != nil {
				t.Fatal(err)
			}
			golden(t, "testdata/"+name+"."+ext, got.Bytes())
		}
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s", file, got)
	}
}

func TestTextOfTheLessonFitsATerminal(t *testing.T) {
	var out bytes.Buffer
	if err := WriteText(&out, Rows(lessonLike(), Options{})[:5]); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if n := utf8.RuneCountInString(line); n > 120 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestRepetitions(t *testing.T) {
	for _, c := range []struct {
		xs   []int64
		want string
	}{
		{[]int64{28, 27, 30}, "28 27 30"},
		{[]int64{79, 79, 79, 79, 79, 79}, "79 ×6"},
		{[]int64{26, 27, 28, 29, 27, 28}, "27.5 (26–29) ×6"},
	} {
		if got := repetitions(c.xs); got != c.want {
			t.Errorf("%v: got %q, want %q", c.xs, got, c.want)
		}
	}
}

// failing is a writer that cannot.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWritersReportErrors(t *testing.T) {
	rows := []Row{{Scenario: "lesson/d"}}
	for _, write := range []func(io.Writer, []Row) error{WriteText, WriteMarkdown, WriteJSON} {
		if err := write(failing{}, rows); err != io.ErrClosedPipe {
			t.Errorf("got %v, want %v", err, io.ErrClosedPipe)
		}
	}
}
