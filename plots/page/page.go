// Package page writes what came of runs as one HTML file that needs nothing else: no network, no server, no other file. It has
// a verdict, tables, figures, and a timeline of runs that can be played. It runs nothing.
//
// What a page says comes from elsewhere: figures are those of package plots, the sentences of a timeline those of
// history.Narrator. Whatever is given to it is shown as text.
package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"locklab/plots"
)

// MostBytes is how large a page is at most, unless it is asked to hold all runs. Runs for which there is no room are left out, and
// the page says which.
const MostBytes = 1_900_000

// A Page is what there is to show. Everything may be empty.
type Page struct {
	Title   string
	Verdict Verdict
	Tables  []Table
	Figures []plots.Figure
	Runs    []Run    // the most important first; the first of all is shown when the page is opened
	Notes   []string // on what was assumed, and what cannot be seen
	AllRuns bool     // hold all runs, however large that makes the page
}

// A Verdict is the first that a reader sees.
type Verdict struct {
	Word     string // one word, e.g. agree; "" for a page without a verdict
	Sentence string // what the word means here
	Mood     Mood
}

// A Mood says how a verdict is to be taken.
type Mood string

// The moods.
const (
	Good  Mood = "good"  // what was expected
	Bad   Mood = "bad"   // something is wrong
	Plain Mood = "plain" // neither
)

//go:embed page.html page.css script
var files embed.FS

// scripts are the parts of the script, in the order in which they need each other.
var scripts = []string{"runs.js", "scale.js", "picture.js", "player.js", "panels.js", "controls.js"}

var layout = template.Must(template.New("page.html").Funcs(template.FuncMap{"looks": looks}).ParseFS(files, "page.html"))

// filled is a Page as the template wants it.
type filled struct {
	*Page
	Policy  string // of security: what the page may do
	Style   template.CSS
	Script  template.JS
	Data    template.JS // the runs
	Drawn   []drawn
	LeftOut []string // the names of runs
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	f := filled{Page: p, Style: template.CSS(read("page.css")), Script: template.JS(script())}
	f.Policy = policy(string(f.Script))
	for i := range p.Figures {
		d, err := inline(&p.Figures[i])
		if err != nil {
			return err
		}
		f.Drawn = append(f.Drawn, d)
	}
	room := MostBytes - f.size()
	if p.AllRuns {
		room = int(^uint(0) >> 1)
	}
	if err := f.fill(room); err != nil {
		return err
	}
	return layout.Execute(w, &f)
}

// size is about how large the page is without its runs.
func (f *filled) size() int {
	g := *f
	g.Data = "null"
	var b bytes.Buffer
	if err := layout.Execute(&b, &g); err != nil {
		return 0 // Write meets it, too
	}
	return b.Len()
}

func read(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("page: %v", err)) // it is embedded
	}
	return string(data)
}

// script is the whole script.
func script() string {
	var b strings.Builder
	b.WriteString("(() => {\n\"use strict\";\n")
	for _, name := range scripts {
		b.WriteString(read("script/" + name))
	}
	b.WriteString("})();\n")
	return b.String()
}

// policy lets the page do nothing but show itself and run its own script.
func policy(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
		"script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
