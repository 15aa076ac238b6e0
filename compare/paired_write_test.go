package compare

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"locklab/history"
)

// sweepLike are two sweeps over work, which differ in the TTL: longer, it prevents most of the damage; in the last cell
// a few runs are much worse.
func sweepLike() (a, b []history.Record) {
	r := rand.New(rand.NewPCG(5, 6))
	for cell := range 3 {
		var left, right []counts
		for i := range 100 {
			x := 10*int64(cell) + r.Int64N(20)
			left = append(left, counts{conflicts: x + r.Int64N(3), lost: 20})
			right = append(right, counts{conflicts: max(0, x-10*int64(cell)), lost: 20 - 10*int64(cell)})
			if cell == 2 && i%10 == 0 {
				right[i].conflicts = 900
			}
		}
		src := with(simulated("lesson/d"), "work", fmt.Sprintf("%d00ms", cell+1))
		short, long := with(src, "lock.ttl", "1s"), with(src, "lock.ttl", "2s")
		a, b = append(a, recordsOf(short, left...)...), append(b, recordsOf(long, right...)...)
	}
	for i := range a {
		a[i].OverlapNS, b[i].OverlapNS = 250_000_000*a[i].Conflicts, 250_000_000*b[i].Conflicts+1_000
		b[i].Bounded = i == 7
	}
	return a, b
}

func TestPairedGolden(t *testing.T) {
	a, b := sweepLike()
	e := recordsOf(source("lesson/e", history.Sim, "ideal"), conflictsOnly(0, 0, 0, 0)...)
	d := recordsOf(source("lesson/d", history.Sim, "lab"), conflictsOnly(0, 0, 0, 0)...)
	writers := map[string]func(io.Writer, []PairedRow) error{"txt": WritePairedText, "md": WritePairedMarkdown, "json": WritePairedJSON}
	for name, rows := range map[string][]PairedRow{
		"paired-sweep": mustFeed(t, a, b), "paired-few": mustFeed(t, d, e), "paired-same": mustFeed(t, a[:100], a[:100]),
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

// What decides how many digits are shown is the interval.
func TestWordsOfADifference(t *testing.T) {
	for _, c := range []struct {
		half, unit float64
		want       string
	}{{0.0123, 1, "1234.568"}, {0.45, 1, "1234.57"}, {61, 1, "1235"}, {0, 1, "1234.6"}, {6.1e7, 1e6, "0"}} {
		d := Difference{Mean: 1234.5678, HalfWidth: &c.half}
		if got := d.words(c.unit)[2]; got != c.want {
			t.Errorf("half width %g: got %s, want %s", c.half, got, c.want)
		}
	}
}

func TestPairedWritersReportErrors(t *testing.T) {
	rows := rowsOf([3]int{1, 1, 1})
	for _, write := range []func(io.Writer, []PairedRow) error{WritePairedText, WritePairedMarkdown, WritePairedJSON} {
		if err := write(failing{}, rows); err != io.ErrClosedPipe {
			t.Errorf("got %v, want %v", err, io.ErrClosedPipe)
		}
	}
}
