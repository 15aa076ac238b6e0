package history

// A Sweep is the first line of a sweep's file, and says what the cells below it are made of: there is one for each
// combination of the axes' values, in order, the last axis moving fastest. The Source is that of the cells, without
// what the axes set.
type Sweep struct {
	Kind string `json:"kind"` // "sweep"
	Source
	Axes        []Axis           `json:"axes"`
	Runs        int64            `json:"runs,omitempty"`      // of each cell; 0 if Precision decides
	Precision   float64          `json:"precision,omitempty"` // how wide the 95 % interval of the conflict rate may be
	MostRuns    int64            `json:"most_runs,omitempty"` // of a cell, with Precision
	Each        bool             `json:"each,omitempty"`      // a cell is preceded by the records of its runs
	Shard       string           `json:"shard,omitempty"`     // "i/n" in a file that holds the i-th of n parts (from 0); empty in a whole one
	DurationsNS map[string]int64 `json:"durations_ns"`        // the scenario's constant durations by path, before the axes set theirs
}

// An Axis is one parameter and the values that it takes, in order.
type Axis struct {
	Path   string   `json:"path"`   // as in Params.Set, e.g. lock.ttl
	Values []string `json:"values"` // as in Params.Set, e.g. 100ms
}
