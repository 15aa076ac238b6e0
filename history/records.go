package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
)

// A RecordReader reads the records of a file one after the other, and keeps none. It passes over all other lines.
type RecordReader struct {
	in      *bufio.Reader
	number  int
	records int64
	cells   int64
}

// NewRecordReader is a reader of the records in r.
func NewRecordReader(r io.Reader) *RecordReader {
	return &RecordReader{in: bufio.NewReaderSize(r, 1<<16)}
}

// Next is the next record, or nil at the end of the file. An error names the line.
func (r *RecordReader) Next() (*Record, error) {
	for {
		line, end := r.in.ReadBytes('\n')
		r.number++
		if end != nil && end != io.EOF {
			return nil, end
		}
		if len(bytes.TrimSpace(line)) > 0 {
			record, err := r.decode(line)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", r.number, err)
			}
			if record != nil {
				return record, nil
			}
		}
		if end == io.EOF {
			return nil, nil
		}
	}
}

// Seen is how many records and how many cells the reader has met so far.
func (r *RecordReader) Seen() (records, cells int64) { return r.records, r.cells }

// decode is the line as a record, or nil if it is something else.
func (r *RecordReader) decode(line []byte) (*Record, error) {
	kind, err := kindOf(line)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "run":
		r.records++
		record := new(Record)
		return record, json.Unmarshal(line, record)
	case "cell":
		r.cells++
	}
	return nil, nil
}

// kindOf is the line's kind, "" if it has none. A record as WriteLine writes it is known by its first bytes, so that it is
// not scanned twice.
func kindOf(line []byte) (string, error) {
	if bytes.HasPrefix(line, []byte(`{"kind":"run",`)) {
		return "run", nil
	}
	var head struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return "", fmt.Errorf("not a JSON object: %v", err)
	}
	return head.Kind, nil
}

// SameCell reports whether runs of the two sources are runs of one cell: the same scenario with the same parameters, in one
// world, under one profile, with one seed.
func (s *Source) SameCell(o *Source) bool {
	return s.Scenario == o.Scenario && s.ScenarioHash == o.ScenarioHash && s.World == o.World && s.Seed == o.Seed &&
		s.Profile == o.Profile && s.ProfileHash == o.ProfileHash &&
		s.Params.Scale == o.Params.Scale && maps.Equal(s.Params.Set, o.Params.Set)
}
