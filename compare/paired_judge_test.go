package compare

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"locklab/history"
)

// rowsOf are tables of conflicts: in each row so many runs of B are lower, equal and higher.
func rowsOf(splits ...[3]int) []PairedRow {
	var a, b []history.Record
	for cell, split := range splits {
		var left, right []counts
		for way, runs := range split {
			for range runs {
				left, right = append(left, counts{conflicts: 10}), append(right, counts{conflicts: int64(9 + way)})
			}
		}
		src := with(simulated("d"), "work", fmt.Sprint(cell))
		a = append(a, recordsOf(with(src, "lock.ttl", "1s"), left...)...)
		b = append(b, recordsOf(with(src, "lock.ttl", "2s"), right...)...)
	}
	rows, err := feed(a, b)
	if err != nil {
		panic(err)
	}
	return rows
}

func TestPairedVerdicts(t *testing.T) {
	for _, c := range []struct {
		name    string
		split   [3]int
		verdict Verdict
		why     string
		exit    int
	}{
		{"all lower", [3]int{8, 0, 0}, Differ, "", 1},
		{"all higher", [3]int{0, 0, 8}, Differ, "", 1},
		{"all equal", [3]int{0, 8, 0}, Agree, "", 0},
		{"one goes the other way", [3]int{7, 0, 1}, Agree, "", 0},
		{"few differ", [3]int{5, 100, 0}, Agree, "", 0},
		{"too few runs", [3]int{7, 0, 0}, Unknown, "only 7 runs, need 8", 3},
		{"too few equal runs", [3]int{0, 7, 0}, Unknown, "only 7 runs, need 8", 3},
	} {
		rows := rowsOf(c.split)
		if d := rows[0].Conflicts; d.Verdict != c.verdict || d.Why != c.why {
			t.Errorf("%s: %s, %q, want %s, %q", c.name, d.Verdict, d.Why, c.verdict, c.why)
		}
		if exit := PairedExitCode(rows); exit != c.exit {
			t.Errorf("%s: exit code %d, want %d", c.name, exit, c.exit)
		}
	}
	if exit := PairedExitCode(nil); exit != 2 {
		t.Errorf("exit code of no rows %d, want 2", exit)
	}
}

// Eight runs that go one way are enough in a row on its own, not among ten; rows in which nothing differs take no part.
func TestPairedRowsShareTheLevel(t *testing.T) {
	splits := [][3]int{{8, 0, 0}}
	for range 9 {
		splits = append(splits, [3]int{0, 20, 0})
	}
	if d := rowsOf(splits...)[0].Conflicts; d.Verdict != Differ {
		t.Errorf("among rows without a difference: %s, want differ", d.Verdict)
	}
	for i := range splits[1:] {
		splits[i+1] = [3]int{10, 0, 10}
	}
	rows := rowsOf(splits...)
	if d := rows[0].Conflicts; d.Verdict != Unknown || d.Why != "only 8 runs, need 11" {
		t.Errorf("among rows with differences: %s, %q", d.Verdict, d.Why)
	}
	if d := rows[1].Conflicts; d.Verdict != Agree {
		t.Errorf("10 to 10: %s, want agree", d.Verdict)
	}
}

// Most runs of B are a little lower, a few much higher: the test and the mean point in different directions, and that is said.
func TestRunsAgainstTheMean(t *testing.T) {
	a, b := make([]counts, 100), make([]counts, 100)
	for i := range a {
		a[i].conflicts, b[i].conflicts = 10, 9
		if i%20 == 0 {
			b[i].conflicts = 70
		}
	}
	there := mustFeed(t, recordsOf(simulated("d"), a...), recordsOf(simulated("e"), b...))[0].Conflicts
	back := mustFeed(t, recordsOf(simulated("e"), b...), recordsOf(simulated("d"), a...))[0].Conflicts
	if want := "the runs lean to less in B, but a few have so much more that its mean is higher"; there.Verdict != Differ || there.Why != want {
		t.Errorf("%s, %q, want %q", there.Verdict, there.Why, want)
	}
	if want := "the runs lean to more in B, but a few have so much less that its mean is lower"; back.Why != want {
		t.Errorf("%q, want %q", back.Why, want)
	}
}

// Where neither side is favoured, at most 1 % of all tables have any differ.
func TestPairedSize(t *testing.T) {
	const tables, cells, runs = 1000, 5, 40
	r := rand.New(rand.NewPCG(3, 4))
	var wrong int
	for range tables {
		splits := make([][3]int, cells)
		for i := range splits {
			for range runs {
				splits[i][r.IntN(3)]++
			}
		}
		if PairedExitCode(rowsOf(splits...)) == 1 {
			wrong++
		}
	}
	if wrong > tables/100+10 {
		t.Errorf("%d of %d tables have a wrong differ", wrong, tables)
	}
}
