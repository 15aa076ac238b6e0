package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"locklab/history"
	"locklab/internal/study"
)

// A sweepFile is what a sweep is written to. Nothing is buffered: whoever ends the program finds whole lines, but for the last
// at the worst.
type sweepFile struct {
	w             io.Writer
	file          *os.File // nil for standard output
	path          string
	cells, before int // that are in it, and that were when it was opened
	all           int
}

// open opens the output, and writes its first line if that is not there yet.
func (c *sweepCommand) open(s *study.Sweep, stdout io.Writer) (*sweepFile, error) {
	out := &sweepFile{w: stdout, all: s.Cells(), path: c.output}
	switch {
	case c.output == "" || c.output == "-":
		out.path = ""
	case c.resume:
		if resumed, err := out.resume(s); resumed || err != nil {
			return out, err
		}
	default:
		if err := refuseToLose(c.output); err != nil {
			return nil, err
		}
		f, err := os.Create(c.output)
		if err != nil {
			return nil, fmt.Errorf("write results: %w", err)
		}
		out.w, out.file = f, f
	}
	if c.csv {
		header, err := s.CSVHeader()
		if err != nil {
			return nil, err
		}
		return out, out.write(header)
	}
	return out, history.WriteLine(out.w, s.Header())
}

// resume opens a file at the end of its last whole cell. resumed is false if not even its first line is there.
func (f *sweepFile) resume(s *study.Sweep) (resumed bool, err error) {
	file, err := os.OpenFile(f.path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return false, fmt.Errorf("resume: %w", err)
	}
	f.w, f.file = file, file
	state, err := f.state(s)
	if err == nil {
		err = file.Truncate(state.Size)
	}
	if err == nil {
		_, err = file.Seek(state.Size, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return false, fmt.Errorf("resume %s: %w", f.path, err)
	}
	f.cells, f.before = state.Cells, state.Cells
	return state.Size > 0, nil
}

var errNotRegular = errors.New("it is no regular file; only such a one can be read and written")

func (f *sweepFile) state(s *study.Sweep) (study.SweepState, error) {
	if !isRegular(f.path) {
		return study.SweepState{}, errNotRegular
	}
	return s.State(f.file)
}

// refuseToLose is an error if a file holds a sweep or a measured grid that is not finished: what may have taken hours is not to be lost by a
// forgotten --resume.
func refuseToLose(path string) error {
	if !isRegular(path) {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil // creating it says what is wrong
	}
	defer file.Close()
	if what, ok := study.Unfinished(file); ok {
		return fmt.Errorf("%s holds %s: --resume goes on with it; remove the file to begin anew", path, what)
	}
	return nil
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func (f *sweepFile) write(text []byte) error {
	if _, err := f.w.Write(text); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return nil
}

func (f *sweepFile) close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// howToGoOn adds to an error that has ended the sweep what is kept, and how to go on.
func (f *sweepFile) howToGoOn(err error, csv bool) error {
	if !errors.Is(err, context.Canceled) {
		return err
	}
	switch {
	case f.file == nil:
		return fmt.Errorf("%w; %d of %d cells were written", err, f.cells, f.all)
	case csv:
		return fmt.Errorf("%w; %s has the rows of %d of %d cells", err, f.path, f.cells, f.all)
	}
	return fmt.Errorf("%w; %s has %d of %d cells: the same command with --resume goes on", err, f.path, f.cells, f.all)
}
