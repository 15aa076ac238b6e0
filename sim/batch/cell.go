package batch

import (
	"sync"

	"locklab/history"
	"locklab/sim"
)

// An openCell is a cell under way. All but what prepare sets is guarded by the schedule.
type openCell struct {
	index  int
	blocks int // as many as it can have

	made   sync.Once
	world  *sim.World
	source history.Source
	err    error // of making it

	next     int            // the block to be handed out next
	counted  int            // how many are in sum, the first ones
	ahead    map[int]*block // finished before their turn
	busy     bool           // a goroutine is counting
	sum      *history.Cell
	complete bool   // it needs no further runs
	parts    []Part // that wait for their turn
}

// prepare makes the cell's world, if nobody has done so.
func (c *openCell) prepare(g *Grid) error {
	c.made.Do(func() { c.world, c.source, c.err = g.Cell(c.index) })
	return c.err
}

// count adds the next block to the sum, and gives the parts that it makes: its records, and the cell if that is complete.
func (c *openCell) count(b *block, g *Grid) (parts []Part, complete bool, err error) {
	if c.sum == nil {
		c.sum = b.sum
	} else {
		c.sum.Merge(b.sum)
	}
	if g.Records {
		parts = append(parts, b.part)
	}
	if !g.Rule.enough(c.sum) {
		return parts, false, nil
	}
	cell := Part{Cell: c.sum}
	if err := g.encode(&cell); err != nil {
		return nil, false, err
	}
	return append(parts, cell), true, nil
}
