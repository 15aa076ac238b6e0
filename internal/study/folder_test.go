package study

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"locklab/history"
)

// A folder for results keeps what is in it, but for what it is to forget.
func TestFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out", "lesson")
	f, err := newFolder(path, historiesIn)
	if err != nil {
		t.Fatal(err)
	}
	measured := Measured{Record: history.Record{Run: 2, Source: history.Source{Scenario: "lesson/d"}}, Events: []history.Event{
		{Kind: history.Asked}, {Kind: history.Left, At: 5},
	}}
	if err := f.writeHistory(&measured); err != nil {
		t.Fatal(err)
	}
	if err := f.write("profile.yaml", []byte("mine")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(path, "histories", "lesson-d-2.jsonl")
	data, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	if lines, err := history.ReadLines(data); err != nil || len(lines.Events) != 2 || lines.Events[1] != measured.Events[1] {
		t.Errorf("read %+v, error %v", lines, err)
	}
	if f, err = newFolder(path, historiesIn); err != nil {
		t.Fatal(err)
	}
	if err := f.forget(historiesIn + "/lesson-*.jsonl"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the earlier history is still there: %v", err)
	}
	if kept, err := os.ReadFile(filepath.Join(path, "profile.yaml")); string(kept) != "mine" {
		t.Errorf("another file is gone: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(path, "try-*")); len(left) != 0 {
		t.Errorf("left behind %v, error %v", left, err)
	}
}

// That nothing can be written is found before any long work begins.
func TestFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := newFolder(filepath.Join(file, "lesson")); err == nil {
		t.Error("a folder below a file was made")
	}
}

// An error on the way, of the filling or of a value that has no JSON, is not lost.
func TestWriteLinesKeepsTheError(t *testing.T) {
	f, err := newFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	if err := f.writeLines("x.jsonl", func(func(any) error) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("error %v", err)
	}
	if err := f.writeLines("y.jsonl", func(put func(any) error) error { return put(func() {}) }); err == nil {
		t.Error("a value without JSON was written")
	}
}
