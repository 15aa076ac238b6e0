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
	Commands              Histogram `json:"commands"`
	Updates               Histogram `json:"updates"` // this and what follows is not written if it is 0 in every run
	LostUpdates           Histogram `json:"lost_updates"`
	DoneTwice             Histogram `json:"done_twice"`
	NotDone               Histogram `json:"not_done"`
	Damage                Histogram `json:"damage"` // the sum of the three
	Missing               Histogram `json:"missing"`
	Retries               Histogram `json:"retries"`
	WastedNS              Histogram `json:"wasted_ns"`
	Never                 Histogram `json:"never"`
	EachWaitNS            Histogram `json:"each_wait_ns"`            // of all runs together
	EntriesTimesConflicts sum       `json:"entries_times_conflicts"` // the sum over runs of their product, for the interval of the rate
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
	c.Commands.Add(t.Commands)
	c.Updates.Add(t.Updates)
	c.LostUpdates.Add(t.LostUpdates)
	c.DoneTwice.Add(t.DoneTwice)
	c.NotDone.Add(t.NotDone)
	c.Damage.Add(t.Damage())
	c.Missing.Add(t.Missing)
	c.Retries.Add(t.Retries)
	c.WastedNS.AddRounded(t.Wasted)
	c.Never.Add(t.Never)
}

// AddWaits counts the waits of runs that were or will be added, one by one.
func (c *Cell) AddWaits(w *Waits) {
	each := w.Histogram()
	c.EachWaitNS.Merge(&each)
}

// Merge adds all runs that o counted.
func (c *Cell) Merge(o *Cell) {
	c.Runs += o.Runs
	c.Bounded += o.Bounded
	c.EntriesTimesConflicts.plus(o.EntriesTimesConflicts)
	mine, theirs := c.histograms(), o.histograms()
	for i := range mine {
		mine[i].Merge(theirs[i].Histogram)
	}
}

// A NamedHistogram is a histogram of a cell under its name in JSON.
type NamedHistogram struct {
	Name string
	*Histogram
}

const (
	numHistograms = 24 // of a cell
	numWritten    = 14 // the first of them are written even if they are 0 in every run
)

// Values are the cell's histograms of what was counted in each run, in the order in which they are shown.
func (c *Cell) Values() []NamedHistogram {
	all := c.histograms()
	return all[:numHistograms-1]
}

// IsSpecial reports whether the name is that of a histogram which most scenarios do not fill: of what becomes of a resource, and of
// waits that never end.
func IsSpecial(name string) bool {
	switch name {
	case "never", "updates", "lost_updates", "done_twice", "not_done", "damage", "missing", "retries", "wasted_ns":
		return true
	}
	return false
}

// UnmarshalJSON reads what WriteLine wrote: a histogram that is not there was 0 in every run.
func (c *Cell) UnmarshalJSON(data []byte) error {
	type plain Cell
	if err := json.Unmarshal(data, (*plain)(c)); err != nil {
		return err
	}
	for _, h := range c.Values()[numWritten:] {
		if h.total == 0 && c.Runs > 0 {
			h.add(0, 0, c.Runs)
		}
	}
	return nil
}

// histograms are the cell's, in the order of its fields.
func (c *Cell) histograms() [numHistograms]NamedHistogram {
	return [...]NamedHistogram{
		{"entries", &c.Entries}, {"conflicts", &c.Conflicts}, {"rejected_writes", &c.RejectedWrites}, {"lost_holds", &c.LostHolds},
		{"gave_up", &c.GaveUp}, {"late_writes", &c.LateWrites}, {"stale_writes", &c.StaleWrites}, {"overlap_ns", &c.OverlapNS},
		{"false_belief_ns", &c.FalseBeliefNS}, {"wait_ns", &c.WaitNS}, {"wait_max_ns", &c.WaitMaxNS}, {"end_ns", &c.EndNS},
		{"events", &c.Events}, {"commands", &c.Commands},
		{"updates", &c.Updates}, {"lost_updates", &c.LostUpdates}, {"done_twice", &c.DoneTwice}, {"not_done", &c.NotDone},
		{"damage", &c.Damage}, {"missing", &c.Missing}, {"retries", &c.Retries}, {"wasted_ns", &c.WastedNS}, {"never", &c.Never}, {"each_wait_ns", &c.EachWaitNS},
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
	for i, h := range c.histograms() {
		if i >= numWritten && h.lo == 0 && h.hi == 0 {
			continue
		}
		line = append(append(append(line, `,"`...), h.Name...), `":`...)
		line = h.appendJSON(line)
	}
	line = c.EntriesTimesConflicts.append(append(line, `,"entries_times_conflicts":`...))
	return append(line, '}', '\n'), nil
}
