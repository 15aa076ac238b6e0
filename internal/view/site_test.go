package view

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locklab/history"
)

const event = `{"at_ns":1,"worker":0,"round":0,"event":"asked"}` + "\n"

const record = `{"kind":"run","scenario":"lesson/d","world":"real","params":{"scale":1}}` + "\n"

// written is a folder with files in it, beside which lies one that is nobody's business.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	top := t.TempDir()
	dir := filepath.Join(top, "results")
	files["../secret.txt"] = "secret"
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func opened(t *testing.T, name string) *Folder {
	t.Helper()
	f, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// siteOf is the site of a folder, at port 4711.
func siteOf(t *testing.T, name string) *Site {
	t.Helper()
	timeline := func(w io.Writer, title string, names []string, events [][]history.Event) error {
		_, err := fmt.Fprintf(w, "timeline of %s: %q, %d events", title, names, len(events[0]))
		return err
	}
	return NewSite(opened(t, name), &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4711}, timeline)
}

func ask(s *Site, method, target string) *http.Response {
	r := httptest.NewRequest(method, "/", nil)
	r.Host = "127.0.0.1:4711"
	r.URL.Path = target
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func results(t *testing.T) string {
	return written(t, map[string]string{
		"report.html": "<p>report", "figure.svg": "<svg/>", "real.jsonl": record, "run": "a program", ".hidden/x.txt": "x", ".env.txt": "x",
		"histories/lesson-d-0.jsonl": event, "histories/lesson-d-1.jsonl": event + event, "histories/lesson-d-1-disturbed-0.jsonl": event,
		"a <b> & c?.txt": "odd",
	})
}

func TestSiteServesWhatItLists(t *testing.T) {
	s := siteOf(t, results(t))
	for target, want := range map[string]string{
		"/file/report.html":                "<p>report",
		"/file/figure.svg":                 "<svg/>",
		"/file/a <b> & c?.txt":             "odd",
		"/run/histories/lesson-d-1.jsonl":  `timeline of histories/lesson-d-1.jsonl: ["histories/lesson-d-1.jsonl"], 2 events`,
		"/runs/histories/lesson-d":         `timeline of histories/lesson-d: ["histories/lesson-d-0.jsonl" "histories/lesson-d-1-disturbed-0.jsonl" "histories/lesson-d-1.jsonl"], 1 events`,
		"/file/histories/lesson-d-0.jsonl": event,
	} {
		r := ask(s, "GET", target)
		if got := body(t, r); r.StatusCode != 200 || got != want {
			t.Errorf("%s: %d %q, want %q", target, r.StatusCode, got, want)
		}
	}
	index := body(t, ask(s, "GET", "/"))
	for _, link := range []string{
		`href="/file/report.html"`, `href="/runs/histories/lesson-d"`, `href="/file/a%20%3Cb%3E%20&amp;%20c%3F.txt">a &lt;b&gt; &amp; c?.txt<`,
	} {
		if !strings.Contains(index, link) {
			t.Errorf("no %s in %s", link, index)
		}
	}
	if strings.Contains(index, "hidden") || strings.Contains(index, "env") {
		t.Errorf("hidden files in %s", index)
	}
}

func TestSiteRefusesEverythingElse(t *testing.T) {
	dir := results(t)
	if err := os.Symlink("../secret.txt", filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	s := siteOf(t, dir)
	for _, target := range []string{
		"/file/../secret.txt", "/file/../../secret.txt", "/file//etc/passwd", "/file/histories/../../secret.txt", "/file/..%2fsecret.txt",
		"/file/link.txt", "/file/run", "/file/.env.txt", "/file/.hidden/x.txt", "/file/", "/file/histories", "/run/report.html", "/run/../secret.txt",
		"/runs/nothing", "/elsewhere",
	} {
		if r := ask(s, "GET", target); r.StatusCode == 200 || body(t, r) == "secret" {
			t.Errorf("%s: %d", target, r.StatusCode)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "TRACE"} {
		if r := ask(s, method, "/file/report.html"); r.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", method, r.StatusCode)
		}
	}
	if r := ask(s, "HEAD", "/file/report.html"); r.StatusCode != 200 || body(t, r) != "" {
		t.Errorf("HEAD: %d", r.StatusCode)
	}
}

func TestSiteAnswersToItsOwnNameOnly(t *testing.T) {
	s := siteOf(t, results(t))
	for host, want := range map[string]int{
		"127.0.0.1:4711": 200, "localhost:4711": 200,
		"evil.example:4711": 421, "127.0.0.1:80": 421, "127.0.0.1": 421, "": 421, "localhost.evil.example:4711": 421,
	} {
		r := httptest.NewRequest("GET", "/file/report.html", nil)
		r.Host = host
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("host %q: %d, want %d", host, w.Code, want)
		}
	}
}

func TestOnlyPagesRunScripts(t *testing.T) {
	s := siteOf(t, results(t))
	for target, want := range map[string]bool{"/file/report.html": true, "/run/histories/lesson-d-0.jsonl": true, "/file/figure.svg": false, "/": false} {
		r := ask(s, "GET", target)
		policy := r.Header.Get("Content-Security-Policy")
		if strings.Contains(policy, "script-src") != want || !strings.Contains(policy, "default-src 'none'") || r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", target, r.Header)
		}
	}
}

func TestOneFileIsServedAlone(t *testing.T) {
	dir := results(t)
	s := siteOf(t, filepath.Join(dir, "histories", "lesson-d-0.jsonl"))
	if r := ask(s, "GET", "/"); r.StatusCode != http.StatusFound || r.Header.Get("Location") != "/run/lesson-d-0.jsonl" {
		t.Errorf("%d %s", r.StatusCode, r.Header.Get("Location"))
	}
	if r := ask(s, "GET", "/file/lesson-d-1.jsonl"); r.StatusCode != 404 {
		t.Errorf("a neighbour: %d", r.StatusCode)
	}
	if r := ask(siteOf(t, filepath.Join(dir, "report.html")), "GET", "/"); r.Header.Get("Location") != "/file/report.html" {
		t.Errorf("%d %s", r.StatusCode, r.Header.Get("Location"))
	}
}

func TestSourcesAreThoseOfMeasuredRecords(t *testing.T) {
	dir := written(t, map[string]string{
		"real.jsonl": record + record, "sim.jsonl": strings.Replace(record, `"real"`, `"sim"`, 1), "broken.jsonl": record[:20], "histories/lesson-d-0.jsonl": event,
	})
	if got := opened(t, dir).Sources(); len(got) != 1 || got[0].Scenario != "lesson/d" {
		t.Errorf("%+v", got)
	}
}

func TestFoldersThatCannotBeOpened(t *testing.T) {
	empty := t.TempDir()
	if _, err := Open(empty); err == nil || !strings.Contains(err.Error(), "no results in it") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := Open(filepath.Join(empty, "missing")); err == nil {
		t.Error("a missing folder")
	}
}

func TestBrokenHistoriesAreReported(t *testing.T) {
	s := siteOf(t, written(t, map[string]string{"lesson-d-0.jsonl": event + "{", "x.txt": ""}))
	if r := ask(s, "GET", "/run/lesson-d-0.jsonl"); r.StatusCode != 500 || !strings.Contains(body(t, r), "lesson-d-0.jsonl: line 2") {
		t.Errorf("%d", r.StatusCode)
	}
}
