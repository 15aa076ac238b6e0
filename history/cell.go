package history

import "encoding/json"

// A Cell sums up many runs of one scenario under one profile, one JSON line. Counts are kept exactly, durations
// to within 1 %.
type Cell struct {
	Kind string `json:"kind"` // "cell"
	Source
	Runs                  int64     `json:"runs"`
	Bounded               int64     `json:"bounded,omitempty"` // runs that were cut short at a bound
	Entries               Histogram `json:"entries"`
	Conflicts             Histogram `json:"conflicts"`
	RejectedWrites        Histogram `json:"rejected_writes"`
	LostHolds             Histogram `json:"lost_holds"`
	GaveUp                Histogram `json:"gave_up"`
	LateWrites            Histogram `json:"late_writes"`
	StaleWrites           Histogram `json:"stale_writes"`
	OverlapNS             Histogram `json:"overlap_ns"`
	FalseBeliefNS         Histogram `json:"false_belief_ns"`
	WaitNS                Histogram `json:"wait_ns"`     // per run: the sum of its waits
	WaitMaxNS             Histogram `json:"wait_max_ns"` // per run: its longest wait
	EndNS                 Histogram `json:"end_ns"`
	Events                Histogram `json:"events"`
	EntriesTimesConflicts sum       `json:"entries_times_conflicts"` // the sum over runs of their product, for the interval of the rate
	Never                 Histogram `json:"never,omitzero"`          // of the runs in which an acquire could never succeed; see NeverOfAll
}

// NewCell is an empty cell for runs from the given source.
func NewCell(src Source) *Cell { return &Cell{Kind: "cell", Source: src} }

// Add counts one run.
func (c *Cell) Add(t *Tally, events int64, bounded bool) {
	c.Runs++
	if bounded {
		c.Bounded++
	}
	c.Entries.Add(t.Entries)
	c.Conflicts.Add(t.Conflicts)
	c.EntriesTimesConflicts.add(t.Entries, t.Conflicts)
	c.RejectedWrites.Add(t.RejectedWrites)
	c.LostHolds.Add(t.LostHolds)
	c.GaveUp.Add(t.GaveUp)
	c.LateWrites.Add(t.LateWrites)
	c.StaleWrites.Add(t.StaleWrites)
	c.OverlapNS.AddRounded(t.Overlap)
	c.FalseBeliefNS.AddRounded(t.FalseBelief)
	c.WaitNS.AddRounded(t.Wait)
	c.WaitMaxNS.AddRounded(t.WaitMax)
	c.EndNS.AddRounded(t.End)
	c.Events.AddRounded(events)
	if t.Never > 0 {
		c.Never.Add(t.Never)
	}
}

// NeverOfAll is how many acquires of a run could never succeed, in all runs.
func (c *Cell) NeverOfAll() Histogram {
	var all Histogram
	all.Merge(&c.Never)
	if rest := c.Runs - c.Never.Total(); rest > 0 {
		all.add(0, 0, rest)
	}
	return all
}

// Merge adds all runs that o counted.
func (c *Cell) Merge(o *Cell) {
	c.Runs += o.Runs
	c.Bounded += o.Bounded
	c.EntriesTimesConflicts.plus(o.EntriesTimesConflicts)
	c.Never.Merge(&o.Never)
	mine, theirs := c.histograms(), o.histograms()
	for i := range mine {
		mine[i].Merge(theirs[i].Histogram)
	}
}

// A namedHistogram is a histogram of a cell under its name in JSON.
type namedHistogram struct {
	name string
	*Histogram
}

// histograms are the cell's, in the order of its fields.
func (c *Cell) histograms() [13]namedHistogram {
	return [...]namedHistogram{
		{"entries", &c.Entries}, {"conflicts", &c.Conflicts}, {"rejected_writes", &c.RejectedWrites}, {"lost_holds", &c.LostHolds},
		{"gave_up", &c.GaveUp}, {"late_writes", &c.LateWrites}, {"stale_writes", &c.StaleWrites}, {"overlap_ns", &c.OverlapNS},
		{"false_belief_ns", &c.FalseBeliefNS}, {"wait_ns", &c.WaitNS}, {"wait_max_ns", &c.WaitMaxNS}, {"end_ns", &c.EndNS},
		{"events", &c.Events},
	}
}

// line is the cell as a JSON line: what encoding/json makes of it, in a quarter of the time.
func (c *Cell) line() ([]byte, error) {
	line, err := json.Marshal(struct {
		Kind string `json:"kind"`
		Source
		Runs    int64 `json:"runs"`
		Bounded int64 `json:"bounded,omitempty"`
	}{c.Kind, c.Source, c.Runs, c.Bounded})
	if err != nil {
		return nil, err
	}
	line = line[:len(line)-1]
	for _, h := range c.histograms() {
		line = append(append(append(line, `,"`...), h.name...), `":`...)
		line = h.appendJSON(line)
	}
	line = c.EntriesTimesConflicts.append(append(line, `,"entries_times_conflicts":`...))
	if c.Never.Total() > 0 {
		line = c.Never.appendJSON(append(line, `,"never":`...))
	}
	return append(line, '}', '\n'), nil
}
