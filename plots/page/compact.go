package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"locklab/history"
)

// fill puts as many runs into the page as there is room for.
func (f *filled) fill(room int) error {
	c := compactor{sentences: make(map[string]int), commands: make(map[string]int), taken: make(map[string]bool)}
	c.data.Marks = markNames()
	for i := range f.Runs {
		before := c.size
		next := c.run(&f.Runs[i])
		text, err := json.Marshal(next)
		if err != nil {
			return err
		}
		if c.size+len(text) > room {
			c.size = before
			f.LeftOut = append(f.LeftOut, strings.TrimSpace(f.Runs[i].Scenario+" "+f.Runs[i].Name))
			continue
		}
		c.size += len(text)
		c.data.Runs = append(c.data.Runs, next)
	}
	text, err := json.Marshal(&c.data)
	f.Data = template.JS(text)
	return err
}

// A compactor makes runs small.
type compactor struct {
	data      pageData
	sentences map[string]int
	commands  map[string]int
	taken     map[string]bool // identifiers
	size      int
}

func (c *compactor) run(r *Run) runData {
	spans := history.NewSpans(r.Events)
	wrong := spans.Mistaken(r.Lease)
	d := runData{
		ID: c.identifier(r), Scenario: r.Scenario, Title: r.Title, Name: r.Name, World: string(r.World),
		Workers: len(spans.Workers), Stores: min(1, len(r.Flights)+len(spans.Holds)), End: spans.End / 1000,
		Steps: c.steps(r), Flights: c.flights(r.Flights), Spans: [][][]int64{}, Mistaken: [][]int64{},
		Bound: len(spans.Holds) == 0 && r.Lease > 0,
	}
	d.Telling, d.Window = look(r, spans, wrong)
	for i := range r.Flights {
		d.Stores = max(d.Stores, int(r.Flights[i].Store)+1)
	}
	for worker := range spans.Workers {
		var all [][]int64
		for _, s := range spans.Workers[worker] {
			all = append(all, gaps(s))
		}
		d.Spans = append(d.Spans, all)
		d.Mistaken = append(d.Mistaken, gaps(wrong[worker]))
	}
	d.Crowd = gaps(spans.Crowd)
	d.Holds = holds(spans.Holds, spans.End)
	return d
}

// identifier names a run in the address of a page. It is not empty, and no other run's.
func (c *compactor) identifier(r *Run) string {
	id := slug(r.Scenario + " " + r.Name)
	for n := 2; id == "" || c.taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", slug("run "+r.Scenario+" "+r.Name), n)
	}
	c.taken[id] = true
	return id
}

// slug is the letters and digits of a text, with hyphens for what stands between them.
func slug(text string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(text) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}

// steps are the events with their sentences.
func (c *compactor) steps(r *Run) stepData {
	tell := history.Narrator{Lease: r.Lease}
	var d stepData
	var numbers []string
	var truth, marked strings.Builder
	last := int64(0)
	for i := range r.Events {
		e := &r.Events[i]
		text := tell.Tell(e)
		if text == "" {
			continue
		}
		form, values := takeNumbers(text)
		d.After = append(d.After, e.At/1000-last)
		last = e.At / 1000
		d.Worker = append(d.Worker, e.Worker)
		d.Sentence = append(d.Sentence, c.index(c.sentences, &c.data.Sentences, form))
		numbers = append(numbers, values...)
		if e.Kind.IsTruth() {
			truth.WriteByte('1')
		} else {
			truth.WriteByte('0')
		}
		marked.WriteByte(markOf(e))
	}
	d.Numbers, d.Truth, d.Marks = strings.Join(numbers, " "), truth.String(), marked.String()
	return d
}

// index is the place of a text in a list of texts, at the end of which it is put if it is new.
func (c *compactor) index(known map[string]int, list *[]string, text string) int {
	i, ok := known[text]
	if !ok {
		i = len(*list)
		known[text] = i
		*list = append(*list, text)
		c.size += len(text) + 3
	}
	return i
}

func (c *compactor) flights(flights []history.Flight) []int64 {
	list := []int64{}
	last := int64(0)
	for i := range flights {
		f := &flights[i]
		sent, executed, back := f.Sent/1000, f.Executed/1000, int64(-1)
		if f.Replied >= 0 {
			back = f.Replied/1000 - executed
		}
		command := c.index(c.commands, &c.data.Commands, f.Command)
		list = append(list, int64(f.Worker), int64(f.Store), int64(command), sent-last, executed-sent, back)
		last = sent
	}
	return list
}

// gaps are spans in microseconds, each as the pause before it and its length.
func gaps(spans []history.Span) []int64 {
	list := []int64{}
	last := int64(0)
	for _, s := range spans {
		from, to := s.From/1000, s.To/1000
		list = append(list, from-last, to-from)
		last = to
	}
	return list
}

func holds(all []history.Hold, end int64) []int64 {
	list := []int64{}
	last := int64(0)
	for _, h := range all {
		from := h.From / 1000
		expired := int64(0)
		if h.Expired {
			expired = 1
		}
		list = append(list, int64(h.Worker), from-last, h.To/1000-from, min(h.Lease, end)/1000-from, expired)
		last = from
	}
	return list
}
