package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"locklab/history"
)

// A PairedRow is the difference of two cells, run by run. One JSON line.
type PairedRow struct {
	A              history.Source `json:"a"`
	B              history.Source `json:"b"`
	Contrast       []Change       `json:"contrast"` // in what B differs from A
	Runs           int64          `json:"runs"`     // of each of the two
	BoundedA       int64          `json:"bounded_a,omitempty"`
	BoundedB       int64          `json:"bounded_b,omitempty"` // runs that were cut short
	Conflicts      Difference     `json:"conflicts"`
	LostHolds      Difference     `json:"lost_holds"`
	RejectedWrites Difference     `json:"rejected_writes"`
	OverlapNS      Difference     `json:"overlap_ns"`
}

// quantities are what is compared run by run, in order.
var quantities = [...]struct {
	name string
	show string  // the name as a table has it, with the unit
	unit float64 // how much of the value makes one of that unit
	of   func(*history.Record) int64
	in   func(*PairedRow) *Difference
}{
	{"conflicts", "conflicts", 1, func(r *history.Record) int64 { return r.Conflicts }, func(r *PairedRow) *Difference { return &r.Conflicts }},
	{"lost holds", "lost holds", 1, func(r *history.Record) int64 { return r.LostHolds }, func(r *PairedRow) *Difference { return &r.LostHolds }},
	{"rejected writes", "rejected writes", 1, func(r *history.Record) int64 { return r.RejectedWrites }, func(r *PairedRow) *Difference { return &r.RejectedWrites }},
	{"overlap", "overlap, ms", 1e6, func(r *history.Record) int64 { return r.OverlapNS }, func(r *PairedRow) *Difference { return &r.OverlapNS }},
}

// A Pairing compares the cells of A with those of B, run by run, from records that are fed to it in pairs. It keeps no record, and
// of the cell that is being fed the differences. The zero value is ready.
//
// Both sides must hold their cells in the same order, and each cell's runs in ascending order, as sim -o and sweep --each
// write them.
type Pairing struct {
	rows []PairedRow // of the cells that are complete
	open *pairedCell
}

// A pairedCell is the pair of cells whose runs are being fed.
type pairedCell struct {
	row  PairedRow
	run  int // the last one
	sums [len(quantities)]pairs
}

// Add takes the next record of A and the next of B; nil for a side that has no more. An error says why the two are no
// pair.
func (p *Pairing) Add(a, b *history.Record) error {
	if a == nil || b == nil {
		return p.ended(a, b)
	}
	if p.open == nil || !p.open.row.A.SameCell(&a.Source) && !p.open.row.B.SameCell(&b.Source) {
		if err := p.begin(&a.Source, &b.Source); err != nil {
			return err
		}
	} else if err := p.goesOn(a, b); err != nil {
		return err
	}
	if a.Run != b.Run {
		return fmt.Errorf("cell %d: A has run %d of %s where B has run %d of %s: %s",
			p.cell(), a.Run, cellName(&a.Source), b.Run, cellName(&b.Source), sameRuns)
	}
	p.open.add(a, b)
	return nil
}

// sameRuns is what has to be done about cells whose runs do not match.
const sameRuns = "both must have the same runs of every cell (--runs, not --precision), in ascending order"

// cell is the number of the pair that is being fed, from 1.
func (p *Pairing) cell() int { return len(p.rows) + 1 }

// ended is the error of two sides of which at most one has a record left.
func (p *Pairing) ended(a, b *history.Record) error {
	ended, other, more := "A", "B", b
	if b == nil {
		ended, other, more = "B", "A", a
	}
	if more == nil {
		return nil
	}
	return fmt.Errorf("%s ends in cell %d, where %s goes on with run %d of %s: %s",
		ended, p.cell(), other, more.Run, cellName(&more.Source), sameRuns)
}

// begin opens a pair of cells, if they are one.
func (p *Pairing) begin(a, b *history.Source) error {
	p.close()
	if a.World != history.Sim || b.World != history.Sim {
		return errors.New("there are measured runs: real ones share no random numbers, so no run answers another; leave out --paired")
	}
	if a.Seed != b.Seed {
		return fmt.Errorf("%s has seed %d in A, %s seed %d in B: runs answer each other only if both were made with the same --seed",
			cellName(a), a.Seed, cellName(b), b.Seed)
	}
	changes := contrast(a, b)
	if len(p.rows) > 0 && !slices.Equal(changes, p.rows[0].Contrast) {
		return fmt.Errorf("cell %d is %s in A and %s in B, which differ otherwise than cell 1 does: A and B must have the same cells in the same order, but for what is the same difference in all",
			p.cell(), cellName(a), cellName(b))
	}
	p.open = &pairedCell{row: PairedRow{A: *a, B: *b, Contrast: changes}, run: -1}
	return nil
}

// goesOn is the error of records of which not both continue their cells.
func (p *Pairing) goesOn(a, b *history.Record) error {
	row := &p.open.row
	side, other, next, longer := "A", "B", a, &row.B
	switch aGoesOn, bGoesOn := row.A.SameCell(&a.Source), row.B.SameCell(&b.Source); {
	case !bGoesOn:
		side, other, next, longer = "B", "A", b, &row.A
	case aGoesOn && a.Run <= p.open.run:
		return fmt.Errorf("cell %d: run %d of %s comes after run %d: %s", p.cell(), a.Run, cellName(&row.A), p.open.run, sameRuns)
	case aGoesOn:
		return nil
	}
	return fmt.Errorf("cell %d: %s goes on to %s after %d runs, where %s has more of %s: %s",
		p.cell(), side, cellName(&next.Source), row.Runs, other, cellName(longer), sameRuns)
}

func (c *pairedCell) add(a, b *history.Record) {
	c.run = a.Run
	c.row.Runs++
	if a.Bounded {
		c.row.BoundedA++
	}
	if b.Bounded {
		c.row.BoundedB++
	}
	for i := range quantities {
		c.sums[i].add(quantities[i].of(a), quantities[i].of(b))
	}
}

func (p *Pairing) close() {
	if p.open == nil {
		return
	}
	for i := range quantities {
		*quantities[i].in(&p.open.row) = p.open.sums[i].sum()
	}
	p.rows = append(p.rows, p.open.row)
	p.open = nil
}

// Rows are the differences of all cells that were fed, with their verdicts, in the order of the cells. Nothing can be added
// afterwards.
func (p *Pairing) Rows() []PairedRow {
	p.close()
	judgePairs(p.rows)
	return p.rows
}

// cellName names a cell by its scenario and what was changed from it.
func cellName(s *history.Source) string {
	words := append([]string{s.Scenario}, settings(s.Params.Set)...)
	if s.Params.Scale != 1 {
		words = append(words, scaleOf(s.Params))
	}
	return strings.Join(words, " ")
}
