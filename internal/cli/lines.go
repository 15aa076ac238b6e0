package cli

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"locklab/history"
)

// readFile reads records, cells and events from a file; "-" is standard input.
func readFile(path string) (history.Lines, error) {
	in := os.Stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return history.Lines{}, err
		}
		defer f.Close()
		in = f
	}
	lines, err := history.ReadLines(in)
	if err != nil && strings.EqualFold(filepath.Ext(path), ".csv") {
		return lines, fmt.Errorf("%s: a table cannot be read; want the JSON lines of the same command without --csv", path)
	}
	if err != nil {
		return lines, fmt.Errorf("%s: %w", path, err)
	}
	return lines, nil
}

// readFiles reads several files as if they were one.
func readFiles(paths []string) (history.Lines, error) {
	files, err := readEach(paths)
	return joined(files), err
}

// readEach reads several files.
func readEach(paths []string) ([]history.Lines, error) {
	var files []history.Lines
	for _, path := range paths {
		lines, err := readFile(path)
		if err != nil {
			return nil, err
		}
		files = append(files, lines)
	}
	return files, nil
}

// joined is the lines of several files as if they were one.
func joined(files []history.Lines) history.Lines {
	var all history.Lines
	for _, lines := range files {
		all.Records = append(all.Records, lines.Records...)
		all.Cells = append(all.Cells, lines.Cells...)
		all.Sweeps = append(all.Sweeps, lines.Sweeps...)
		all.Events = append(all.Events, lines.Events...)
	}
	return all
}

// printEvents writes events as JSON lines.
func printEvents(w io.Writer, events []history.Event) error {
	for i := range events {
		if err := history.WriteLine(w, &events[i]); err != nil {
			return err
		}
	}
	return nil
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
