package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Lines is what a file of records, cells, sweeps or events holds, in the file's order.
type Lines struct {
	Records []Record
	Cells   []Cell
	Sweeps  []Sweep
	Events  []Event
}

// ReadLines reads JSON lines: records, cells, sweeps and events, in any mixture. Empty lines are skipped. An error names
// the line.
func ReadLines(r io.Reader) (Lines, error) {
	var lines Lines
	in := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if bad := lines.add(line); bad != nil {
				return lines, fmt.Errorf("line %d: %w%s", number, bad, ifTorn(line))
			}
		}
		if err == io.EOF {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
	}
}

// ifTorn says what to do about a line that ends too early, if it does: the writing of it was interrupted.
func ifTorn(line []byte) string {
	if bytes.HasSuffix(line, []byte("\n")) || json.Valid(line) {
		return ""
	}
	return "; the file ends within this line: sweep --resume mends the file of a sweep; of any other, remove the line"
}

func (l *Lines) add(line []byte) error {
	var head struct {
		Kind  string `json:"kind"`
		Event string `json:"event"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return fmt.Errorf("not a JSON object: %v", err)
	}
	switch {
	case head.Kind == "run":
		return appendLine(&l.Records, line)
	case head.Kind == "cell":
		return appendLine(&l.Cells, line)
	case head.Kind == "sweep":
		return appendLine(&l.Sweeps, line)
	case head.Event != "":
		return appendLine(&l.Events, line)
	}
	return fmt.Errorf("neither a record, a cell, a sweep nor an event: want \"kind\":\"run\", \"cell\" or \"sweep\", or an \"event\"")
}

func appendLine[T any](to *[]T, line []byte) error {
	var v T
	if err := json.Unmarshal(line, &v); err != nil {
		return err
	}
	*to = append(*to, v)
	return nil
}

// WriteLine writes v, a Record, Cell, Sweep or Event, as one JSON line.
func WriteLine(w io.Writer, v any) error {
	c, ok := v.(*Cell)
	if !ok {
		return json.NewEncoder(w).Encode(v)
	}
	line, err := c.line()
	if err != nil {
		return err
	}
	_, err = w.Write(line)
	return err
}
