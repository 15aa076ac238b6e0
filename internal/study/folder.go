package study

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"locklab/compare"
	"locklab/history"
	"locklab/plots"
)

// A folder is where a lesson puts its results.
type folder struct {
	path string
}

// newFolder makes the folder ready, and makes sure that files can be written there before any long work begins.
func newFolder(path string) (*folder, error) {
	f := &folder{path}
	if err := os.MkdirAll(f.histories(), 0o755); err != nil {
		return nil, fmt.Errorf("make the folder for results: %w", err)
	}
	try, err := os.CreateTemp(path, "try-*")
	if err != nil {
		return nil, fmt.Errorf("write to the folder for results: %w", err)
	}
	try.Close()
	if err := os.Remove(try.Name()); err != nil {
		return nil, err
	}
	return f, f.forget()
}

func (f *folder) histories() string { return filepath.Join(f.path, "histories") }

// forget removes the histories of an earlier lesson: one with more repetitions would leave some behind.
func (f *folder) forget() error {
	old, err := filepath.Glob(filepath.Join(f.histories(), "lesson-*.jsonl"))
	if err != nil {
		return err
	}
	for _, file := range old {
		if err := os.Remove(file); err != nil {
			return fmt.Errorf("remove an earlier history: %w", err)
		}
	}
	return nil
}

func (f *folder) create(name string) (*os.File, error) {
	return os.Create(filepath.Join(f.path, name))
}

func (f *folder) write(name string, data []byte) error {
	return os.WriteFile(filepath.Join(f.path, name), data, 0o644)
}

// writeLines writes a file of JSON lines: fill puts them one by one.
func (f *folder) writeLines(name string, fill func(put func(any) error) error) error {
	file, err := f.create(name)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	err = fill(func(v any) error { return history.WriteLine(out, v) })
	for _, finish := range []func() error{out.Flush, file.Close} {
		if e := finish(); err == nil {
			err = e
		}
	}
	return err
}

// writeHistory writes the events of a measured run.
func (f *folder) writeHistory(m *Measured) error {
	return f.writeLines(filepath.Join("histories", m.HistoryFile()), func(put func(any) error) error {
		for i := range m.Events {
			if err := put(&m.Events[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeRows writes the comparison for machines and for people.
func (f *folder) writeRows(rows []compare.Row) error {
	var json, markdown strings.Builder
	if err := compare.WriteJSON(&json, rows); err != nil {
		return err
	}
	if err := compare.WriteMarkdown(&markdown, rows); err != nil {
		return err
	}
	if err := f.write("comparison.json", []byte(json.String())); err != nil {
		return err
	}
	return f.write("comparison.md", []byte(markdown.String()))
}

// draw saves a figure in both formats.
func (f *folder) draw(figure plots.Figure, name string) error {
	for _, format := range []string{".svg", ".png"} {
		if err := plots.Save(figure, filepath.Join(f.path, name+format)); err != nil {
			return err
		}
	}
	return nil
}
