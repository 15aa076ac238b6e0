package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"locklab/history"
)

// A Run is one run that a timeline shows.
type Run struct {
	Scenario string // its name; runs of one scenario can be shown one above the other
	Title    string // of the scenario, "" if it has none
	Name     string // of the run, e.g. "simulated, profile lab, seed 1, run 0"
	World    history.World
	Events   []history.Event  // sorted
	Flights  []history.Flight // nil in the real world, where nobody sees them
	Lease    int64            // as history.Narrator has it

	Disturbed bool // the machine was not what its profile says, so the run was no measurement
}

// runData is a run as the script reads it. Times are in microseconds, and each list of them has the differences.
type runData struct {
	ID       string      `json:"id"`
	Scenario string      `json:"scenario"`
	Title    string      `json:"title"`
	Name     string      `json:"name"`
	World    string      `json:"world"`
	Workers  int         `json:"workers"`
	Stores   int         `json:"stores"`
	End      int64       `json:"end"`
	Telling  int         `json:"telling"` // how much it has to tell: see look
	Window   [2]int64    `json:"window"`  // what is to be seen first: from, to
	Steps    stepData    `json:"steps"`
	Spans    [][][]int64 `json:"spans"`    // by worker and history.Activity: pause before it, length, and so on
	Mistaken [][]int64   `json:"mistaken"` // by worker: when it believes in a lease that has ended
	Holds    []int64     `json:"holds"`    // worker, pause since the last began, length, length of the lease, 1 if that ended it; and so on
	Crowd    []int64     `json:"crowd"`    // with two or more inside
	Flights  []int64     `json:"flights"`  // worker, store, command, sent after the one before, time there, time back or -1; and so on
	Bound    bool        `json:"bound"`    // the ends of leases are only known as bounds
}

// stepData is the events that the timeline steps through. Each sentence is one of few, with its numbers in a text of their own.
type stepData struct {
	After    []int64 `json:"after"`
	Worker   []int32 `json:"worker"`
	Sentence []int   `json:"sentence"`
	Numbers  string  `json:"numbers"` // parted by spaces
	Truth    string  `json:"truth"`   // for each, 1 if only the simulator can see it
	Marks    string  `json:"marks"`   // for each a letter of marks, or a dot
}

// pageData is all runs.
type pageData struct {
	Sentences []string  `json:"sentences"` // with # for a number
	Commands  []string  `json:"commands"`
	Runs      []runData `json:"runs"`
}

// marks are what a timeline marks, each by a letter.
var marks = map[history.Kind]byte{
	history.Rejected: 'r', history.StaleWrite: 's', history.StaleAccepted: 'S', history.LateWrite: 'l', history.Lost: 'o',
	history.Crashed: 'x', history.TokenDisorder: 't', history.Accepted: 'a', history.GaveUp: 'g',
}

func markOf(e *history.Event) byte {
	if e.Kind == history.Entered && e.Inside > 1 {
		return 'c'
	}
	if m, ok := marks[e.Kind]; ok {
		return m
	}
	return '.'
}

// fill puts as many runs into the page as there is room for.
func (f *filled) fill(room int) error {
	c := compactor{sentences: make(map[string]int), commands: make(map[string]int), taken: make(map[string]bool)}
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
	d.Holds = holds(spans.Holds)
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

// look finds what is to be seen first of a run, and how much that tells: 2 for a mistaken belief that led to a conflict, from the
// belief's begin on, and 3 if its worker was stopped meanwhile; 1 for the first conflict; 0 for the begin of the run.
func look(r *Run, s *history.Spans, wrong [][]history.Span) (int, [2]int64) {
	conflicts := conflictsOf(r.Events)
	struck := func(w history.Span) bool {
		i, _ := slices.BinarySearch(conflicts, w.From)
		return i < len(conflicts) && conflicts[i] <= w.To
	}
	first, telling := history.Span{From: -1}, 2
	for worker := range wrong {
		i := slices.IndexFunc(wrong[worker], struck)
		if i >= 0 && (first.From < 0 || wrong[worker][i].From < first.To) {
			first = history.Span{From: believedSince(s, worker, wrong[worker][i]), To: wrong[worker][i].To}
			if wasStopped(s, worker, first) {
				telling = 3
			}
		}
	}
	const around, begin = 500e6, 3e9
	switch {
	case first.From >= 0:
		return telling, widened(first)
	case len(conflicts) > 0:
		return 1, widened(history.Span{From: max(0, conflicts[0]-around), To: conflicts[0] + around})
	}
	return 0, widened(history.Span{To: min(s.End, begin)})
}

func conflictsOf(events []history.Event) []int64 {
	var at []int64
	for i := range events {
		if markOf(&events[i]) == 'c' {
			at = append(at, events[i].At)
		}
	}
	return at
}

// widened is a window around a span, in microseconds. If it is near the begin of the run it has that, too.
func widened(s history.Span) [2]int64 {
	const least = 50_000
	length := max((s.To-s.From)/1000, least)
	from, to := s.From/1000-length/10, s.From/1000+length*115/100
	if from < length {
		from = 0
	}
	return [2]int64{from, to}
}

// believedSince is when the hold was granted, or else the belief began, that turned out to be wrong.
func believedSince(s *history.Spans, worker int, wrong history.Span) int64 {
	since := wrong.From
	for _, b := range s.Workers[worker][history.Believing] {
		if b.To >= wrong.To {
			since = b.From
			break
		}
	}
	for i := len(s.Holds) - 1; i >= 0; i-- {
		if h := &s.Holds[i]; int(h.Worker) == worker && h.From <= since {
			return h.From
		}
	}
	return since
}

// wasStopped reports whether a worker's process was stopped within a span.
func wasStopped(s *history.Spans, worker int, within history.Span) bool {
	return slices.ContainsFunc(s.Workers[worker][history.Stopped], func(p history.Span) bool {
		return p.From < within.To && within.From < p.To
	})
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

func holds(all []history.Hold) []int64 {
	list := []int64{}
	last := int64(0)
	for _, h := range all {
		from := h.From / 1000
		expired := int64(0)
		if h.Expired {
			expired = 1
		}
		list = append(list, int64(h.Worker), from-last, h.To/1000-from, h.Lease/1000-from, expired)
		last = from
	}
	return list
}
