package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"locklab/compare"
	"locklab/history"
)

// runPaired is compare --paired.
func runPaired(cmd *cobra.Command, paths []string, json, markdown bool) error {
	rows, err := pairedRows(cmd.Context(), paths)
	if err != nil {
		return fmt.Errorf("compare --paired: %w", err)
	}
	write := compare.WritePairedText
	switch {
	case json:
		write = compare.WritePairedJSON
	case markdown:
		write = compare.WritePairedMarkdown
	}
	if err := write(cmd.OutOrStdout(), rows); err != nil {
		return err
	}
	return exitWith(compare.PairedExitCode(rows))
}

// pairedRows reads two files side by side, or one with two cells, and keeps no record.
func pairedRows(ctx context.Context, paths []string) ([]compare.PairedRow, error) {
	a, b, err := openPair(paths)
	if err != nil {
		return nil, err
	}
	defer a.close()
	defer b.close()
	var pairing compare.Pairing
	for {
		left, err := a.next()
		if err != nil {
			return nil, err
		}
		right, err := b.next()
		if err != nil {
			return nil, err
		}
		if err := cmp.Or(a.empty(left), b.empty(right), ctx.Err(), pairing.Add(left, right)); err != nil {
			return nil, err
		}
		if left == nil {
			return pairing.Rows(), nil
		}
	}
}

// openPair opens the two sides.
func openPair(paths []string) (a, b *recordFile, err error) {
	switch {
	case len(paths) > 2:
		return nil, nil, fmt.Errorf("%d files; name two, or one with two cells", len(paths))
	case len(paths) == 1 && paths[0] == "-":
		return nil, nil, errors.New("one file is read twice, so it cannot be standard input; name a file, or two")
	case len(paths) == 2 && paths[0] == "-" && paths[1] == "-":
		return nil, nil, errors.New("both files are standard input; name at least one")
	}
	if a, err = openRecords(paths[0]); err != nil {
		return nil, nil, err
	}
	if b, err = openRecords(paths[len(paths)-1]); err != nil {
		a.close()
		return nil, nil, err
	}
	if len(paths) == 1 {
		a.part, b.part = firstCell, otherCell
	}
	return a, b, nil
}

// A part is what of a file is read.
type part int

const (
	everyCell part = iota
	firstCell
	otherCell // the second, of two
)

// A recordFile is a file of records that is read once, from its beginning.
type recordFile struct {
	path  string
	in    io.ReadCloser
	lines *history.RecordReader
	part  part
	first *history.Source // of the first cell, once it is known and if only a part is read
	other *history.Source // of the second
}

// openRecords opens a file; "-" is standard input.
func openRecords(path string) (*recordFile, error) {
	in := os.Stdin
	if path != "-" {
		var err error
		if in, err = os.Open(path); err != nil {
			return nil, err
		}
	}
	return &recordFile{path: path, in: in, lines: history.NewRecordReader(in)}, nil
}

func (f *recordFile) close() { f.in.Close() }

// next is the next record of the part, nil at its end.
func (f *recordFile) next() (*history.Record, error) {
	for {
		r, err := f.lines.Next()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
		if r == nil || f.part == everyCell {
			return r, nil
		}
		if f.first == nil {
			f.first = &r.Source
		}
		switch isFirst := f.first.SameCell(&r.Source); {
		case f.part == firstCell && isFirst:
			return r, nil
		case f.part == firstCell:
			return nil, nil
		case !isFirst || f.other != nil:
			return r, f.second(&r.Source)
		}
	}
}

// second is an error if the source, which comes after the first cell, is not that of the second.
func (f *recordFile) second(s *history.Source) error {
	if f.other == nil {
		f.other = s
	}
	if f.other.SameCell(s) {
		return nil
	}
	return fmt.Errorf("%s has more than two cells; name two files, whose cells are paired in their order", f.path)
}

// empty is the error of a file that has ended, with r, before it had any record of its part.
func (f *recordFile) empty(r *history.Record) error {
	if r != nil {
		return nil
	}
	switch records, cells := f.lines.Seen(); {
	case records == 0 && cells > 0:
		return fmt.Errorf("%s has cells, but no records of single runs, which pairs are made of; sweep --each and sim -o write them", f.path)
	case records == 0:
		return fmt.Errorf("%s has no records; sim -o and sweep --each write them", f.path)
	case f.part == otherCell && f.other == nil:
		return fmt.Errorf("%s has one cell; name a second file, or one with two cells", f.path)
	}
	return nil
}
