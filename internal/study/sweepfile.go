package study

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"locklab/history"
	"locklab/scenarios"
)

// A sweepReader reads a sweep's file line by line, and checks that each is the one that has its turn.
type sweepReader struct {
	in     *bufio.Reader
	header history.Sweep
	shard  Shard

	first, last int // the cells of the grid [first, last) that the file is to have

	cells int   // complete ones so far, of the file's part of the grid
	end   int64 // bytes up to the end of the last of them, or of the header
	torn  bool  // what follows them is not complete
}

var (
	errNoHeader = errors.New("it is empty, or was cut off within its first line")
	errNoSweep  = errors.New("it is no sweep's file: its first line does not say what it is made of")
)

// openSweep reads the first line of a sweep's file.
func openSweep(r io.Reader) (*sweepReader, error) {
	s := &sweepReader{in: bufio.NewReaderSize(r, 1<<16)}
	const begin = `{"kind":"sweep",`
	if head, _ := s.in.Peek(len(begin)); !strings.HasPrefix(begin, string(head)) {
		return nil, errNoSweep
	}
	line, err := s.in.ReadBytes('\n')
	if err == io.EOF {
		return nil, errNoHeader
	}
	if err != nil {
		return nil, err
	}
	s.end = int64(len(line))
	if json.Unmarshal(line, &s.header) != nil || s.header.Kind != "sweep" {
		return nil, errNoSweep
	}
	var again bytes.Buffer
	if err := history.WriteLine(&again, &s.header); err != nil || !bytes.Equal(again.Bytes(), line) {
		return nil, errors.New("its first line was changed, or comes from another version of locklab")
	}
	whole, err := scenarios.CountCells(s.header.Axes)
	if err != nil {
		return nil, err
	}
	if s.shard, err = ParseShard(s.header.Shard, func(string) string { return "" }); err != nil {
		return nil, err
	}
	s.first, s.last = s.shard.Bounds(whole)
	return s, nil
}

// all is how many cells the file has when it is finished.
func (s *sweepReader) all() int { return s.last - s.first }

// finished reports whether the file, read to its end, holds all.
func (s *sweepReader) finished() bool { return !s.torn && s.cells == s.all() }

// read reads the lines after the first, and calls each, if not nil, with every one. A file that ends before all its cells are
// complete, or within a line, is no error; lines that do not belong there are.
func (s *sweepReader) read(each func(line []byte) error) error {
	position := s.end
	turn := sweepTurn{header: &s.header, cell: s.first}
	for number := 2; ; number++ {
		line, err := s.in.ReadBytes('\n')
		if err == io.EOF {
			s.torn = len(line) > 0 || turn.records > 0
			return nil
		}
		if err != nil {
			return err
		}
		complete, wrong := turn.take(line)
		if s.cells == s.all() {
			wrong = errors.New("the cells before it are all that the sweep has")
		}
		if wrong != nil {
			if _, err := s.in.Peek(1); err == io.EOF && s.cells < s.all() {
				s.torn = true
				return nil
			}
			return fmt.Errorf("line %d: %w", number, wrong)
		}
		position += int64(len(line))
		if complete {
			s.cells, s.end = s.cells+1, position
		}
		if each != nil {
			if err := each(line); err != nil {
				return err
			}
		}
	}
}

// A sweepTurn says which line of a sweep's file comes next.
type sweepTurn struct {
	header  *history.Sweep
	cell    int   // in the whole grid
	records int64 // of its runs, so far
	set     map[string]string
}

// take checks a line. complete says that it ends a cell.
func (t *sweepTurn) take(line []byte) (complete bool, err error) {
	var is struct {
		Kind   string         `json:"kind"`
		Seed   uint64         `json:"seed"`
		Params history.Params `json:"params"`
		Run    int64          `json:"run"`
		Runs   int64          `json:"runs"`
	}
	if err := json.Unmarshal(line, &is); err != nil {
		return false, fmt.Errorf("not a JSON object: %v", err)
	}
	if t.set == nil {
		t.set = cellSet(t.header, t.cell)
	}
	if is.Seed != t.header.Seed || is.Params.Scale != t.header.Params.Scale || !maps.Equal(is.Params.Set, t.set) {
		return false, fmt.Errorf("it does not belong to the cell that has its turn, %s", describeSet(t.set))
	}
	switch {
	case t.header.Each && is.Kind == "run" && is.Run == t.records:
		t.records++
		return false, nil
	case is.Kind != "cell" || t.header.Each && is.Runs != t.records || t.header.Precision == 0 && is.Runs != t.header.Runs:
		return false, fmt.Errorf("it is not the record or the cell that has its turn, of %s", describeSet(t.set))
	}
	t.cell, t.records, t.set = t.cell+1, 0, nil
	return true, nil
}

// differences says what another sweep is made of otherwise.
func differences(here, there *history.Sweep) string {
	var all []string
	note := func(name string, a, b any) {
		if !reflect.DeepEqual(a, b) {
			all = append(all, fmt.Sprintf("%s %v, not %v", name, b, a))
		}
	}
	note("world", here.World, there.World)
	note("scenario", here.Scenario, there.Scenario)
	note("set", describeSet(here.Params.Set), describeSet(there.Params.Set))
	note("scale", here.Params.Scale, there.Params.Scale)
	note("seed", here.Seed, there.Seed)
	note("profile", here.Profile, there.Profile)
	note("store", storeName(here.Store), storeName(there.Store))
	note("axes", describeAxes(here.Axes), describeAxes(there.Axes))
	note("runs", here.Runs, there.Runs)
	note("precision", here.Precision, there.Precision)
	note("most runs", here.MostRuns, there.MostRuns)
	note("each", here.Each, there.Each)
	note("shard", here.Shard, there.Shard)
	if here.Scenario == there.Scenario {
		note("scenario hash", here.ScenarioHash, there.ScenarioHash)
	}
	if here.Profile == there.Profile {
		note("profile hash", here.ProfileHash, there.ProfileHash)
	}
	if len(all) == 0 {
		return "what is published or which constants the scenario has"
	}
	return strings.Join(all, "; ")
}

func storeName(s history.Store) string { return strings.TrimSpace(s.Product + " " + s.Version) }

// describeSet shows what was set, by path, e.g. "lock.ttl=1s work=300ms".
func describeSet(set map[string]string) string { return strings.Join(settings(set), " ") }

// settings are what was set, each as "path=value", by path.
func settings(set map[string]string) []string {
	var parts []string
	for _, path := range slices.Sorted(maps.Keys(set)) {
		parts = append(parts, path+"="+set[path])
	}
	return parts
}

func describeAxes(axes []history.Axis) string {
	var parts []string
	for _, axis := range axes {
		values := strings.Join(axis.Values, ",")
		if n := len(axis.Values); n > 4 {
			values = fmt.Sprintf("%s,%s,…,%s (%d)", axis.Values[0], axis.Values[1], axis.Values[n-1], n)
		}
		parts = append(parts, axis.Path+"="+values)
	}
	return strings.Join(parts, " ")
}

// A SweepState is how far a sweep's file has come.
type SweepState struct {
	Cells int   // complete ones
	All   int   // as many as it is to have
	Size  int64 // bytes up to the end of the last complete cell; what follows is torn
}

// Finished reports whether there is nothing left to do.
func (s SweepState) Finished() bool { return s.Cells == s.All }

// State reads how far a file of this sweep has come. It is an error if the file was made from something else, or is damaged
// elsewhere than at its end. A file that has no first line yet is at its very beginning, with size 0.
func (s *Sweep) State(r io.Reader) (SweepState, error) {
	f, err := openSweep(r)
	if errors.Is(err, errNoHeader) {
		return SweepState{All: s.Cells()}, nil
	}
	if err != nil {
		return SweepState{}, err
	}
	if !reflect.DeepEqual(f.header, s.header) {
		return SweepState{}, fmt.Errorf("it was made from something else: %s", differences(&s.header, &f.header))
	}
	if err := f.read(nil); err != nil {
		return SweepState{}, fmt.Errorf("%w; the file is damaged, and cannot be resumed", err)
	}
	return SweepState{f.cells, f.all(), f.end}, nil
}

// Unfinished says how far a file has come if it holds a sweep, or a grid that is measured, that is not finished: e.g. "an
// unfinished sweep, 3 of 25 cells". ok is false if it does not.
func Unfinished(r io.Reader) (what string, ok bool) {
	f, err := openSweep(r)
	switch {
	case err != nil:
		return "", false
	case f.header.World == history.Real:
		return f.unfinishedReal()
	case f.read(nil) != nil || f.finished():
		return "", false
	}
	return fmt.Sprintf("an unfinished sweep, %d of %d cells", f.cells, f.all()), true
}
