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
	"locklab/plots/page"
)

// A folder is where a lesson or a truth puts its results.
type folder struct {
	path string
}

// historiesIn is the subfolder for the events of measured runs.
const historiesIn = "histories"

// newFolder makes the folder ready, and its subfolders, and makes sure that files can be written there before any long work
// begins.
func newFolder(path string, subfolders ...string) (*folder, error) {
	f := &folder{path}
	for _, name := range append(subfolders, ".") {
		if err := os.MkdirAll(f.file(name), 0o755); err != nil {
			return nil, fmt.Errorf("make the folder for results: %w", err)
		}
	}
	try, err := os.CreateTemp(path, "try-*")
	if err != nil {
		return nil, fmt.Errorf("write to the folder for results: %w", err)
	}
	try.Close()
	return f, os.Remove(try.Name())
}

// file is the path of a file in the folder.
func (f *folder) file(name string) string { return filepath.Join(f.path, name) }

// forget removes the files of earlier work that match a pattern, which what comes would leave behind.
func (f *folder) forget(patterns ...string) error {
	for _, pattern := range patterns {
		old, err := filepath.Glob(f.file(pattern))
		if err != nil {
			return err
		}
		for _, file := range old {
			if err := os.Remove(file); err != nil {
				return fmt.Errorf("remove an earlier result: %w", err)
			}
		}
	}
	return nil
}

func (f *folder) create(name string) (*os.File, error) {
	return os.Create(f.file(name))
}

func (f *folder) write(name string, data []byte) error {
	return os.WriteFile(f.file(name), data, 0o644)
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
	return f.writeLines(filepath.Join(historiesIn, m.HistoryFile()), func(put func(any) error) error {
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
		if err := plots.Save(figure, f.file(name+format)); err != nil {
			return err
		}
	}
	return nil
}

// writePage writes a page.
func (f *folder) writePage(name string, p *page.Page) error {
	file, err := f.create(name)
	if err != nil {
		return err
	}
	err = p.Write(file)
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}
