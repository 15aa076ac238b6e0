package study

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locklab/scenarios"

	"pgregory.net/rapid"
)

// However a sweep is cut into shards, and in whatever order they are given, the merge is the sweep.
func TestMergeIsTheWhole(t *testing.T) {
	whole := map[bool][]byte{}
	for _, each := range []bool{false, true} {
		plan := smallPlan(t)
		plan.Each = each
		whole[each] = fileOf(t, newSweep(t, plan))
	}
	rapid.Check(t, func(rt *rapid.T) {
		plan := smallPlan(t)
		plan.Each = rapid.Bool().Draw(rt, "each")
		n := rapid.IntRange(1, 12).Draw(rt, "n") // of nine cells, so that some are empty
		dir := t.TempDir()
		var paths []string
		for i := range n {
			plan.Shard = Shard{i, n}
			paths = append(paths, filepath.Join(dir, fmt.Sprint(i)))
			if err := os.WriteFile(paths[i], fileOf(t, newSweep(t, plan)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var merged bytes.Buffer
		result, err := Merge(&merged, rapid.Permutation(paths).Draw(rt, "order"))
		if err != nil || result != (Merged{n, 9}) || !bytes.Equal(merged.Bytes(), whole[plan.Each]) {
			rt.Fatalf("%+v, error %v", result, err)
		}
	})
}

// Wherever a sweep's file ends, what is resumed after it is the sweep, to the byte.
func TestResumeIsTheWhole(t *testing.T) {
	type kind struct{ each, shard bool }
	files := make(map[kind][]byte)
	sweeps := make(map[kind]*Sweep)
	for _, k := range []kind{{}, {each: true}, {shard: true}, {true, true}} {
		plan := smallPlan(t)
		if plan.Each = k.each; k.shard {
			plan.Shard = Shard{1, 2}
		}
		sweeps[k] = newSweep(t, plan)
		files[k] = fileOf(t, sweeps[k])
	}
	rapid.Check(t, func(rt *rapid.T) {
		k := kind{rapid.Bool().Draw(rt, "each"), rapid.Bool().Draw(rt, "shard")}
		s, whole := sweeps[k], files[k]
		cut := whole[:rapid.IntRange(0, len(whole)).Draw(rt, "cut")]
		if rapid.Bool().Draw(rt, "rubbish") { // as a file system may leave it
			cut = append(bytes.Clone(cut), 0, 0, 0)
		}
		state, err := s.State(bytes.NewReader(cut))
		if len(cut) > 2 && !bytes.ContainsRune(cut, '\n') && bytes.ContainsRune(cut, 0) && err != nil {
			return // no sign of a sweep in it, so that it is not overwritten
		}
		if err != nil || state.All != s.Cells() || state.Size > int64(len(cut)) || state.Finished() != (state.Cells == s.Cells()) {
			rt.Fatalf("%+v, error %v", state, err)
		}
		rest := cellsOf(t, s, state.Cells)
		if state.Size == 0 {
			rest = whole
		}
		if got := append(bytes.Clone(whole[:state.Size]), rest...); !bytes.Equal(got, whole) {
			rt.Fatalf("cut at %d of %d: %+v, and then another file", len(cut), len(whole), state)
		}
	})
}

// What is not a file of this sweep, or damaged elsewhere than at its end, is not resumed.
func TestResumeRefuses(t *testing.T) {
	plan := smallPlan(t)
	s := newSweep(t, plan)
	lines := bytes.SplitAfter(fileOf(t, s), []byte("\n"))
	other := func(change func(p *SweepPlan)) []byte {
		p := smallPlan(t)
		change(&p)
		return fileOf(t, newSweep(t, p))
	}
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for _, test := range []struct {
		file []byte
		want string
	}{
		{[]byte("my notes"), "it is no sweep's file"},
		{[]byte(`{"kind":"sweep","axes":7}` + "\n"), "it is no sweep's file"},
		{[]byte(`{"kind":"sweep","new":7}` + "\n"), "its first line was changed, or comes from another version of locklab"},
		{lines[1], "it is no sweep's file"},
		{other(func(p *SweepPlan) { p.Seed = 6 }), "it was made from something else: seed 6, not 5"},
		{other(func(p *SweepPlan) { p.Rule.Runs = 3 }), "runs 3, not 2"},
		{other(func(p *SweepPlan) { p.Each = true }), "each true, not false"},
		{other(func(p *SweepPlan) { p.Shard = Shard{0, 2} }), "shard 0/2, not "},
		{other(func(p *SweepPlan) { p.Set = []string{"rounds=4"} }), "set rounds=4, not rounds=3"},
		{other(func(p *SweepPlan) { p.Axes = p.Axes[:1] }), "axes lock.ttl=400ms,1200ms,2s, not lock.ttl=400ms,1200ms,2s pauses[0].for=0ms,1s,2s"},
		{other(func(p *SweepPlan) { p.Profile = new(scenarios.Ideal()) }), "profile ideal, not lab"},
		{join(lines[0], lines[1], lines[3], lines[3]), "line 3: it does not belong to the cell that has its turn, lock.ttl=400ms pauses[0].for=1s rounds=3; the file is damaged, and cannot be resumed"},
		{join(lines[0], lines[1], []byte("oops\n"), lines[2]), "line 3: not a JSON object"},
		{join(append(lines, lines[1])...), "line 11: the cells before it are all that the sweep has"},
	} {
		if state, err := s.State(bytes.NewReader(test.file)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.60s…: %+v, error %v, want %s", test.file, state, err, test.want)
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, change func(p *SweepPlan), cut int) {
		plan := smallPlan(t)
		change(&plan)
		file := fileOf(t, newSweep(t, plan))
		if err := os.WriteFile(filepath.Join(dir, name), file[:len(file)-cut], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	shard := func(i, n int) func(p *SweepPlan) { return func(p *SweepPlan) { p.Shard = Shard{i, n} } }
	write("0", shard(0, 3), 0)
	write("1", shard(1, 3), 0)
	write("2", shard(2, 3), 0)
	write("torn", shard(2, 3), 1)
	write("four", shard(3, 4), 0)
	write("whole", func(*SweepPlan) {}, 0)
	write("other", func(p *SweepPlan) { p.Shard, p.Seed = Shard{2, 3}, 9 }, 0)
	for _, test := range []struct{ files, want string }{
		{"0 1", "of 3 shards 1 are missing: 2/3"},
		{"1", "of 3 shards 2 are missing: 0/3, 2/3"},
		{"0 1 2 1", "1 and DIR/1 both are shard 1/3"},
		{"0 1 torn", "torn is not finished: 2 of 3 cells; the command that made it goes on with --resume"},
		{"0 1 four", "four is one of 4 shards, DIR/0 one of 3"},
		{"0 1 other", "other belongs to another sweep than DIR/0: seed 9, not 5"},
		{"0 whole", "whole is a whole sweep, no shard of one"},
		{"0 1 missing", "missing: no such file"},
	} {
		var paths []string
		for _, name := range strings.Fields(test.files) {
			paths = append(paths, filepath.Join(dir, name))
		}
		want := strings.ReplaceAll(test.want, "DIR", dir)
		if _, err := Merge(&bytes.Buffer{}, paths); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", test.files, err, want)
		}
	}
}
