package history

// A Cell sums up many runs of one scenario under one profile, one JSON line. Counts are kept exactly, durations
// to within 1 %.
type Cell struct {
	Kind string `json:"kind"` // "cell"
	Source
	Runs           int64     `json:"runs"`
	Bounded        int64     `json:"bounded,omitempty"` // runs that were cut short at a bound
	Entries        Histogram `json:"entries"`
	Conflicts      Histogram `json:"conflicts"`
	RejectedWrites Histogram `json:"rejected_writes"`
	LostHolds      Histogram `json:"lost_holds"`
	GaveUp         Histogram `json:"gave_up"`
	LateWrites     Histogram `json:"late_writes"`
	StaleWrites    Histogram `json:"stale_writes"`
	OverlapNS      Histogram `json:"overlap_ns"`
	FalseBeliefNS  Histogram `json:"false_belief_ns"`
	WaitNS         Histogram `json:"wait_ns"`     // per run: the sum of its waits
	WaitMaxNS      Histogram `json:"wait_max_ns"` // per run: its longest wait
	EndNS          Histogram `json:"end_ns"`
	Events         Histogram `json:"events"`
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
}

// Merge adds all runs that o counted.
func (c *Cell) Merge(o *Cell) {
	c.Runs += o.Runs
	c.Bounded += o.Bounded
	mine, theirs := c.histograms(), o.histograms()
	for i := range mine {
		mine[i].Merge(theirs[i])
	}
}

func (c *Cell) histograms() []*Histogram {
	return []*Histogram{
		&c.Entries, &c.Conflicts, &c.RejectedWrites, &c.LostHolds, &c.GaveUp, &c.LateWrites, &c.StaleWrites,
		&c.OverlapNS, &c.FalseBeliefNS, &c.WaitNS, &c.WaitMaxNS, &c.EndNS, &c.Events,
	}
}
