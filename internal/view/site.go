package view

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"locklab/history"
)

// A Timeline writes the page of some runs, given the names of their files and their events.
type Timeline func(w io.Writer, title string, names []string, events [][]history.Event) error

// A Site is a folder as a browser sees it.
type Site struct {
	folder   *Folder
	port     string // that it is served at
	timeline Timeline
	mux      *http.ServeMux
}

// NewSite is the site of a folder that is served at an address of loopback.
func NewSite(f *Folder, at net.Addr, timeline Timeline) *Site {
	_, port, _ := net.SplitHostPort(at.String())
	s := &Site{folder: f, port: port, timeline: timeline, mux: http.NewServeMux()}
	s.mux.HandleFunc("GET /{$}", s.index)
	s.mux.HandleFunc("GET /file/{name...}", s.file)
	s.mux.HandleFunc("GET /run/{name...}", s.run)
	s.mux.HandleFunc("GET /runs/{name...}", s.runs)
	return s
}

// ServeHTTP answers a request that was made to this site by its own name, and only to read. A page of another site whose name was
// made to lead here is refused by that.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:")
	switch {
	case !s.isOwn(r.Host):
		http.Error(w, "this site is served to this machine only", http.StatusMisdirectedRequest)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "this site can only be read", http.StatusMethodNotAllowed)
	default:
		s.mux.ServeHTTP(w, r)
	}
}

func (s *Site) isOwn(host string) bool {
	name, port, err := net.SplitHostPort(host)
	return err == nil && port == s.port && (name == "127.0.0.1" || name == "localhost" || name == "::1")
}

// withScript lets the pages that locklab has written run their scripts. What they may do they say themselves.
func withScript(w http.ResponseWriter) {
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:")
	w.Header().Set("Content-Type", types[".html"])
}

// file serves a file as it is.
func (s *Site) file(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if !slices.Contains(s.folder.files, name) {
		http.NotFound(w, r)
		return
	}
	file, err := s.folder.root.Open(name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		http.NotFound(w, r)
		return
	}
	ext := strings.ToLower(path.Ext(name))
	w.Header().Set("Content-Type", types[ext])
	if ext == ".html" {
		withScript(w)
	}
	http.ServeContent(w, r, "", info.ModTime(), file)
}

// run is the timeline of one run.
func (s *Site) run(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if !slices.Contains(s.folder.runs, name) {
		http.NotFound(w, r)
		return
	}
	s.show(w, name, []string{name})
}

// runs is the timeline of all runs of one scenario.
func (s *Site) runs(w http.ResponseWriter, r *http.Request) {
	for _, g := range s.folder.groups() {
		if g.Name == r.PathValue("name") {
			s.show(w, g.Name, g.Files)
			return
		}
	}
	http.NotFound(w, r)
}

func (s *Site) show(w http.ResponseWriter, title string, names []string) {
	var all [][]history.Event
	for _, name := range names {
		events, err := s.folder.events(name)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		all = append(all, events)
	}
	var page bytes.Buffer
	if err := s.timeline(&page, title, names, all); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	withScript(w)
	_, _ = w.Write(page.Bytes()) // who has gone away needs no page
}

//go:embed index.html
var indexText string

var indexPage = template.Must(template.New("index").Funcs(template.FuncMap{"path": escapePath}).Parse(indexText))

// escapePath is a name as a part of an address.
func escapePath(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

// index lists what there is: pages first, then runs, then all files.
func (s *Site) index(w http.ResponseWriter, r *http.Request) {
	f := s.folder
	if len(f.files) == 1 {
		to := "/file/"
		if len(f.runs) == 1 {
			to = "/run/"
		}
		http.Redirect(w, r, to+escapePath(f.files[0]), http.StatusFound)
		return
	}
	var pages []string
	for _, name := range f.files {
		if path.Ext(name) == ".html" {
			pages = append(pages, name)
		}
	}
	w.Header().Set("Content-Type", types[".html"])
	_ = indexPage.Execute(w, map[string]any{"Name": f.Name, "Pages": pages, "Groups": f.groups(), "Files": f.files})
}
