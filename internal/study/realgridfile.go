package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"locklab/history"
)

// A RealGridState is how far the file of a grid that is being measured has come.
type RealGridState struct {
	Records []history.Record // whole ones, disturbed ones among them, in the file's order
	Size    int64            // bytes up to the end of the last of them; what follows is torn. 0 if not even the first line is there

	measured map[realRun]bool // undisturbed
}

// A realRun is a cell's number and that of the repetition.
type realRun struct{ cell, rep int }

// Has reports whether a repetition of a cell, given by its number, was measured undisturbed.
func (s *RealGridState) Has(cell, rep int) bool { return s.measured[realRun{cell, rep}] }

// Measured is how many runs were measured undisturbed.
func (s *RealGridState) Measured() int { return len(s.measured) }

// ReadRealGrid reads how far a file with the given first line has come. It is an error if the file was made from something
// else, or is damaged elsewhere than at its end.
func ReadRealGrid(r io.Reader, header *history.Sweep) (*RealGridState, error) {
	f, err := openSweep(r)
	if errors.Is(err, errNoHeader) {
		return &RealGridState{}, nil
	}
	if err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(&f.header, header) {
		return nil, fmt.Errorf("it was made from something else: %s", differences(header, &f.header))
	}
	state, err := f.readReal()
	if err != nil {
		return nil, fmt.Errorf("%w; the file is damaged, and cannot be resumed", err)
	}
	return state, nil
}

// readReal reads the lines after the first of a file of real runs, which come in the order in which they were measured. Whatever
// the last line is, it is torn if it does not belong there.
func (s *sweepReader) readReal() (*RealGridState, error) {
	state := &RealGridState{Size: s.end, measured: make(map[realRun]bool)}
	cells := s.numbers()
	for number := 2; ; number++ {
		line, err := s.in.ReadBytes('\n')
		if err == io.EOF {
			return state, nil
		}
		if err != nil {
			return nil, err
		}
		record, run, wrong := s.belongs(line, cells)
		if wrong != nil {
			if _, err := s.in.Peek(1); err == io.EOF {
				return state, nil
			}
			return nil, fmt.Errorf("line %d: %w", number, wrong)
		}
		state.Records = append(state.Records, *record)
		state.Size += int64(len(line))
		if !record.Disturbed {
			state.measured[run] = true
		}
	}
}

// numbers are the numbers of the grid's cells, by what they set.
func (s *sweepReader) numbers() map[string]int {
	cells := make(map[string]int, s.all())
	for i := range s.all() {
		cells[describeSet(cellSet(&s.header, i))] = i
	}
	return cells
}

// belongs reads a record, and says which run of the grid it is of.
func (s *sweepReader) belongs(line []byte, cells map[string]int) (*history.Record, realRun, error) {
	record, h := new(history.Record), &s.header
	if err := json.Unmarshal(line, record); err != nil {
		return nil, realRun{}, fmt.Errorf("not a JSON object: %v", err)
	}
	cell, ok := cells[describeSet(record.Params.Set)]
	switch {
	case record.Kind != "run" || record.World != history.Real:
		return nil, realRun{}, errors.New("it is no record of a real run")
	case !ok || record.Scenario != h.Scenario || record.Params.Scale != h.Params.Scale || record.Seed != h.Seed || record.ProfileHash != h.ProfileHash:
		return nil, realRun{}, fmt.Errorf("it is no record of this grid, but of %s %s", record.Scenario, describeSet(record.Params.Set))
	case record.Run < 0 || int64(record.Run) >= h.Runs:
		return nil, realRun{}, fmt.Errorf("it is of repetition %d; the grid has %d, from 0", record.Run, h.Runs)
	}
	return record, realRun{cell, record.Run}, nil
}

// unfinishedReal says how far the file of a grid has come that was measured in part; ok is false if it is not that.
func (s *sweepReader) unfinishedReal() (what string, ok bool) {
	all := int64(s.all()) * s.header.Runs
	if s.all() > maxRealRuns || s.header.Runs < 1 || all > maxRealRuns {
		return "", false
	}
	state, err := s.readReal()
	if err != nil || int64(state.Measured()) >= all {
		return "", false
	}
	return fmt.Sprintf("an unfinished measurement, %d of %d runs", state.Measured(), all), true
}
