// Package view serves the results in a folder to a browser on the same machine: read-only, over loopback only, and nothing but
// the files that it lists.
package view

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"locklab/history"
)

// mostFiles is how many files of a folder are listed.
const mostFiles = 20_000

// types are the kinds of files that are served, by extension.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png", ".pdf": "application/pdf",
	".jsonl": plain, ".json": plain, ".yaml": plain, ".md": plain, ".csv": plain, ".txt": plain,
}

const plain = "text/plain; charset=utf-8"

// A Folder is results to be served. It must be closed.
type Folder struct {
	Name  string // of the folder, or of the one file
	files []string
	runs  []string // of files, those that hold the events of a run
	root  *os.Root
}

// Open lists a folder, or takes one file. Files whose names begin with a dot, and what links lead to, are left out.
func Open(name string) (*Folder, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	dir, only := name, ""
	if !info.IsDir() {
		dir, only = filepath.Split(name)
		dir = filepath.Clean(dir + ".")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{Name: filepath.Base(name), root: root}
	if err := f.list(only); err != nil {
		root.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// Close ends the access to the folder.
func (f *Folder) Close() error { return f.root.Close() }

var errFull = fmt.Errorf("more than %d files; name a folder with fewer", mostFiles)

func (f *Folder) list(only string) error {
	if only != "" {
		f.add(only)
	} else if err := fs.WalkDir(f.root.FS(), ".", f.visit); err != nil {
		return err
	}
	if len(f.files) == 0 {
		return errors.New("no results in it: want .html, .svg, .png, .pdf, .jsonl, .json, .yaml, .md, .csv or .txt")
	}
	return nil
}

func (f *Folder) visit(name string, entry fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case entry.IsDir() && name != "." && strings.HasPrefix(entry.Name(), "."):
		return fs.SkipDir
	case !entry.Type().IsRegular() || strings.HasPrefix(entry.Name(), "."):
		return nil
	case len(f.files) == mostFiles:
		return errFull
	}
	f.add(name)
	return nil
}

func (f *Folder) add(name string) {
	ext := strings.ToLower(path.Ext(name))
	if _, known := types[ext]; !known {
		return
	}
	f.files = append(f.files, name)
	if ext == ".jsonl" && f.holdsEvents(name) {
		f.runs = append(f.runs, name)
	}
}

// holdsEvents reports whether the first line of a file is an event.
func (f *Folder) holdsEvents(name string) bool {
	file, err := f.root.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	line, _ := bufio.NewReader(file).ReadSlice('\n') // one longer than the buffer is no event
	var e history.Event
	return json.Unmarshal(line, &e) == nil && e.Kind != 0
}

// events are those in a file.
func (f *Folder) events(name string) ([]history.Event, error) {
	file, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines, err := history.ReadLines(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return lines.Events, nil
}

// repetition is what the name of a run's file has behind its scenario's.
var repetition = regexp.MustCompile(`-[0-9]+(-disturbed-[0-9]+)?\.jsonl$`)

// A group is the runs of one scenario in one folder.
type group struct {
	Name  string
	Files []string
}

// groups are the runs by scenario.
func (f *Folder) groups() []group {
	var all []group
	for _, name := range f.runs {
		scenario := strings.TrimSuffix(repetition.ReplaceAllString(name, ""), ".jsonl")
		i := slices.IndexFunc(all, func(g group) bool { return g.Name == scenario })
		if i < 0 {
			i = len(all)
			all = append(all, group{Name: scenario})
		}
		all[i].Files = append(all[i].Files, name)
	}
	return all
}

// Sources are what the records of measured runs in the folder came from, each once. Files that cannot be read have none.
func (f *Folder) Sources() []history.Source {
	var all []history.Source
	for _, name := range f.files {
		if path.Ext(name) == ".jsonl" && !slices.Contains(f.runs, name) {
			all = f.addSources(name, all)
		}
	}
	return all
}

func (f *Folder) addSources(name string, all []history.Source) []history.Source {
	file, err := f.root.Open(name)
	if err != nil {
		return all
	}
	defer file.Close()
	reader := history.NewRecordReader(file)
	for {
		r, err := reader.Next()
		if err != nil || r == nil {
			return all
		}
		known := slices.ContainsFunc(all, func(s history.Source) bool { return s.SameCell(&r.Source) })
		if r.World == history.Real && !known {
			all = append(all, r.Source)
		}
	}
}
