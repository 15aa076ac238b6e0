package batch

import "locklab/history"

// BatchRuns is the number of runs after which a cell with a precision is looked at, again and again.
const BatchRuns = 100

// A Rule says how many runs a cell has: Runs, or, if Precision is above 0, as few batches of BatchRuns as make the 95 %
// interval of the conflict rate at most Precision wide, from its lower to its upper end; at most MostRuns, at least one batch.
type Rule struct {
	Runs      int64
	Precision float64
	MostRuns  int64
}

// Most is the most runs that a cell can have.
func (r Rule) Most() int64 {
	if r.Precision == 0 {
		return r.Runs
	}
	return max(BatchRuns, r.MostRuns)
}

// enough reports whether a cell needs no further runs.
func (r Rule) enough(c *history.Cell) bool {
	if c.Runs >= r.Most() {
		return true
	}
	return r.Precision > 0 && c.ConflictRate().Width() <= r.Precision
}

// longestBlock bounds the runs that are simulated at a stretch, and with them the records that wait for their turn.
const longestBlock = 1024

// blockRuns is how many runs are simulated at a stretch: as many as possible, as a block costs something itself, but few enough
// to share out the work of few cells evenly. With a precision it is a batch.
func (r Rule) blockRuns(cells, processors int) int64 {
	if r.Precision > 0 {
		return BatchRuns
	}
	const shares = 16 // of each processor
	perBlock := min(r.Runs, longestBlock)
	if blocks := int64(shares * processors); int64(cells) < blocks {
		perBlock = min(perBlock, (r.Runs*int64(cells)+blocks-1)/blocks)
	}
	return max(perBlock, 1)
}
