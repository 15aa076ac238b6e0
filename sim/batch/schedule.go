package batch

import (
	"context"
	"sync"
)

// A schedule hands out blocks to the goroutines of a grid, and passes on in order what they made. It keeps few cells open, so
// that a goroutine that is too far ahead waits; that, too, changes no result.
type schedule struct {
	grid     *Grid
	perBlock int64 // runs
	ahead    int   // by so many blocks a goroutine may be ahead of a cell's first unfinished one
	mostOpen int   // so many cells are open at most

	mu      sync.Mutex
	moved   *sync.Cond
	open    []*openCell // in order; the first is the one whose turn it is
	opened  int         // cells so far
	held    int         // the size of all parts that wait for their turn
	putting bool        // a goroutine is passing on a part
	ended   bool        // early: nothing is handed out or passed on any more
}

// mostHeld is how large all parts that wait may be, in bytes, before only the cell whose turn it is goes on.
const mostHeld = 32 << 20

func newSchedule(g *Grid, processors int) *schedule {
	s := &schedule{
		grid: g, perBlock: g.Rule.blockRuns(g.Cells, processors),
		ahead: 4 * processors, mostOpen: 16 * processors,
	}
	s.moved = sync.NewCond(&s.mu)
	return s
}

// end makes all goroutines stop.
func (s *schedule) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.moved.Broadcast()
}

// work is what a goroutine of the grid does.
func (s *schedule) work(ctx context.Context) error {
	space := simulator{grid: s.grid}
	for {
		b := s.take()
		if b == nil {
			return nil
		}
		if err := b.cell.prepare(s.grid); err != nil {
			return err
		}
		if err := space.simulate(ctx, b); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
		if err := s.finish(b); err != nil {
			return err
		}
	}
}

// take waits for a block to simulate. It gives nil if there are none any more.
func (s *schedule) take() *block {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.ended && !s.isDone() {
		if b := s.next(); b != nil {
			return b
		}
		s.moved.Wait()
	}
	return nil
}

// isDone reports whether everything was passed on.
func (s *schedule) isDone() bool { return s.opened == s.grid.Cells && len(s.open) == 0 }

// next is the block to simulate now, or nil if that has to wait.
func (s *schedule) next() *block {
	if s.held >= mostHeld {
		return s.nextOfFirst()
	}
	c, ahead := s.leastAhead()
	// Whether a cell with a precision needs its next block is known when the last has been counted. So others come first.
	sure := c != nil && (ahead == 0 || s.grid.Rule.Precision == 0)
	if !sure && s.opened < s.grid.Cells && len(s.open) < s.mostOpen {
		c = &openCell{index: s.opened, blocks: s.blocks(), ahead: make(map[int]*block)}
		s.opened++
		s.open = append(s.open, c)
	}
	if c == nil {
		return nil
	}
	return s.handOut(c)
}

// leastAhead is the open cell of whose blocks the fewest are under way, the first of several, and how many they are.
func (s *schedule) leastAhead() (least *openCell, ahead int) {
	for _, c := range s.open {
		if n := c.next - c.counted; s.wants(c) && (least == nil || n < ahead) {
			least, ahead = c, n
		}
	}
	return least, ahead
}

// nextOfFirst is the next block of the cell whose turn it is, unless what it has made waits itself.
func (s *schedule) nextOfFirst() *block {
	if s.putting || len(s.open) == 0 || len(s.open[0].parts) > 0 || !s.wants(s.open[0]) {
		return nil
	}
	return s.handOut(s.open[0])
}

// blocks is how many blocks a cell can have. One without runs has an empty one.
func (s *schedule) blocks() int {
	return int(max(1, (s.grid.Rule.Most()+s.perBlock-1)/s.perBlock))
}

// wants reports whether a cell has a block to hand out.
func (s *schedule) wants(c *openCell) bool {
	return !c.complete && c.next < c.blocks && c.next-c.counted < s.ahead
}

func (s *schedule) handOut(c *openCell) *block {
	first := int64(c.next) * s.perBlock
	b := &block{cell: c, number: c.next, first: first, last: min(first+s.perBlock, s.grid.Rule.Most())}
	c.next++
	return b
}

// finish counts a finished block and all that have waited for it, and passes on what has its turn. With an error nothing is
// handed out or passed on any more.
func (s *schedule) finish(b *block) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.keep(b)
	if err == nil {
		err = s.pass()
	}
	if err != nil {
		s.ended = true
		s.moved.Broadcast()
	}
	return err
}

func (s *schedule) keep(b *block) error {
	c := b.cell
	if c.complete {
		return nil // it was tried, and is not needed
	}
	c.ahead[b.number] = b
	s.held += b.part.size()
	for !c.busy && !c.complete && c.ahead[c.counted] != nil {
		if err := s.count(c); err != nil {
			return err
		}
	}
	return nil
}

// count counts a cell's next block. The lock is free meanwhile.
func (s *schedule) count(c *openCell) error {
	b := c.ahead[c.counted]
	delete(c.ahead, c.counted)
	s.held -= b.part.size()
	c.busy = true
	s.mu.Unlock()
	parts, complete, err := c.count(b, s.grid)
	s.mu.Lock()
	c.busy = false
	if err != nil {
		return err
	}
	c.counted++
	c.parts = append(c.parts, parts...)
	for i := range parts {
		s.held += parts[i].size()
	}
	if complete {
		s.close(c)
	}
	s.moved.Broadcast()
	return nil
}

// close makes a cell complete, and forgets all but its parts.
func (s *schedule) close(c *openCell) {
	c.complete = true
	for _, b := range c.ahead {
		s.held -= b.part.size()
	}
	c.ahead, c.sum = nil, nil
}

// pass passes on all parts whose turn has come, unless another goroutine does. The lock is free meanwhile.
func (s *schedule) pass() error {
	for !s.ended && !s.putting && len(s.open) > 0 && len(s.open[0].parts) > 0 {
		c := s.open[0]
		p := &c.parts[0]
		c.parts = c.parts[1:]
		s.held -= p.size()
		s.putting = true
		s.mu.Unlock()
		err := s.grid.Put(p)
		s.mu.Lock()
		s.putting = false
		if err != nil {
			return err
		}
		if c.complete && len(c.parts) == 0 {
			s.open = s.open[1:]
		}
		s.moved.Broadcast()
	}
	return nil
}
