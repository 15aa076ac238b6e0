package cli

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The command prints where it serves, serves there until it is interrupted, and then ends well.
func TestViewServesUntilItIsInterrupted(t *testing.T) {
	dir := t.TempDir()
	event := `{"at_ns":1000000,"worker":0,"round":0,"event":"asked"}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "lesson-d-0.jsonl"), []byte(event), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("notes"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	root := newRoot()
	out, stdout := io.Pipe()
	root.SetArgs([]string{"view", dir, "--no-browser"})
	root.SetOut(stdout)
	root.SetErr(io.Discard)
	ended := make(chan error, 1)
	go func() { ended <- root.ExecuteContext(ctx) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(strings.TrimSpace(line))
	if err != nil || address.Hostname() != "127.0.0.1" {
		t.Fatalf("printed %q", line)
	}
	for target, want := range map[string]string{
		"/": "lesson-d-0.jsonl", "/file/notes.txt": "notes", "/run/lesson-d-0.jsonl": `"worker #, round #: asks for the lock"`,
	} {
		if got := fetched(t, address.JoinPath(target).String()); !strings.Contains(got, want) {
			t.Errorf("%s has no %s", target, want)
		}
	}
	interrupt()
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}

func fetched(t *testing.T, address string) string {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
