package history_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"locklab/history"
)

// Whatever lines are read, an error is one line, what they are written as is stable, and what the program does with them makes
// sense.
func FuzzUseLines(f *testing.F) {
	f.Add([]byte(`{"kind":"run","scenario":"lesson/d","scenario_hash":"aa6b","params":{"scale":1,"set":{"work":"1s"}},"world":"sim","seed":1,` +
		`"profile":"lab","profile_hash":"d3","store":{"product":"model"},"run":7,"entries":80,"conflicts":31,"overlap_ns":5,"late_writes":0,"events":2900,"history_hash":"01"}` + "\n"))
	f.Add([]byte(`{"kind":"cell","scenario":"lesson/d","params":{"scale":0.5},"world":"sim","published":{"entries":80,"conflicts":31},"runs":3,` +
		`"conflicts":{"sum":93,"min":30,"max":32,"bins":[[30,1],[31,1],[32,1]]},"end_ns":{"sum":12,"min":4,"max":4,"bins":[[4,3]]}}` + "\n"))
	f.Add([]byte(`{"at_ns":5,"worker":1,"round":2,"event":"entered","inside":2,"order":3,"server_us":17,"overlap_ns":4}` + "\n\n" +
		`{"at_ns":6,"worker":1,"round":2,"event":"rejected","step":"commit","token":4}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines, err := history.ReadLines(bytes.NewReader(data))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
			return
		}
		once := written(t, lines)
		again, err := history.ReadLines(bytes.NewReader(once))
		if err != nil {
			t.Fatalf("%v in what was written:\n%s", err, once)
		}
		if twice := written(t, again); !bytes.Equal(once, twice) {
			t.Fatalf("written\n%s, read and written again\n%s", once, twice)
		}
		use(t, lines)
	})
}

// written is the lines as a file has them.
func written(t *testing.T, lines history.Lines) []byte {
	t.Helper()
	var out bytes.Buffer
	write := func(v any) {
		if err := history.WriteLine(&out, v); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range lines.Records {
		write(r)
	}
	for _, c := range lines.Cells {
		write(c)
	}
	for _, e := range lines.Events {
		write(e)
	}
	return out.Bytes()
}

// use does with lines what the program does.
func use(t *testing.T, lines history.Lines) {
	t.Helper()
	sum := history.NewCell(history.Source{})
	for i := range lines.Cells {
		c := &lines.Cells[i]
		for _, h := range []history.Histogram{c.Conflicts, c.EndNS} {
			checkStat(t, h)
		}
		sum.Merge(c)
	}
	var tally history.Tally
	var hash history.Hash
	for i := range lines.Events {
		tally.Add(&lines.Events[i])
		hash.Add(&lines.Events[i])
	}
	history.Sort(lines.Events)
	var story bytes.Buffer
	if err := history.WriteStory(&story, lines.Events); err != nil {
		t.Error(err)
	}
}

// checkStat makes sure that what a histogram is summed up to makes sense.
func checkStat(t *testing.T, h history.Histogram) {
	t.Helper()
	s := h.Stat()
	if math.IsNaN(s.Mean) || math.IsNaN(s.SD) || math.IsInf(s.SD, 0) || h.Total() < 0 {
		t.Errorf("%d values, %+v", h.Total(), s)
	}
	if s.Min > s.P50 || s.P50 > s.Max || s.P2_5 > s.P97_5 {
		t.Errorf("not in order: %+v", s)
	}
}
