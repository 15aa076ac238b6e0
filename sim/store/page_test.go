package store_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write docs/redis-rules.md and the file of versions that it is made from")

const (
	heldFile = "testdata/held.json"
	pageFile = "../../docs/redis-rules.md"
)

// heldOn are the servers on which each rule was found to hold, as "redis 7.0.15".
type heldOn map[string][]string

func readHeld(t *testing.T) heldOn {
	held := heldOn{}
	data, err := os.ReadFile(heldFile)
	if err == nil {
		err = json.Unmarshal(data, &held)
	}
	if err != nil && !*rewrite {
		t.Fatal(err)
	}
	return held
}

// note adds or removes a server.
func (h heldOn) note(rule, server string, ok bool) {
	others := slices.DeleteFunc(slices.Clone(h[rule]), func(s string) bool { return s == server })
	if ok {
		others = append(others, server)
	}
	slices.Sort(others)
	h[rule] = others
}

// write writes the record, and the page that is made from it.
func (h heldOn) write(t *testing.T) {
	data, err := json.MarshalIndent(h, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, heldFile, string(data)+"\n")
	writeFile(t, pageFile, page(h))
}

func TestPageOfRulesIsNotStale(t *testing.T) {
	if *rewrite {
		t.Skip("it is being written")
	}
	committed, err := os.ReadFile(pageFile)
	if err != nil || string(committed) != page(readHeld(t)) {
		t.Errorf("docs/redis-rules.md is stale (%v): go test ./sim/store -run Rules -rewrite", err)
	}
}

// Every rule that is cited in the model's comments is on the page.
func TestCitedRulesExist(t *testing.T) {
	known := map[string]bool{"6.1": true} // one thread executes: not a matter of the model's replies
	for _, r := range rules {
		known[r.number] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	cited := regexp.MustCompile(`\d\.\d+`)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range regexp.MustCompile(`rules? \d\.\d+(, \d\.\d+)*`).FindAllString(string(data), -1) {
			for _, number := range cited.FindAllString(list, -1) {
				if !known[number] {
					t.Errorf("%s cites rule %s, which has no test", file, number)
				}
			}
		}
	}
}

func writeFile(t *testing.T, file, text string) {
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// page is docs/redis-rules.md.
func page(held heldOn) string {
	var b strings.Builder
	b.WriteString(pageBegin)
	for _, r := range rules {
		fmt.Fprintf(&b, "| %s | %s | `TestRules/…/Rule%s` | %s |\n", r.number, r.statement, r.number, strings.Join(held[r.number], ", "))
	}
	b.WriteString("\n## Known from the sources of servers, and from trials, only\n\n" + referenceBegin)
	for _, r := range referenceOnly {
		fmt.Fprintf(&b, "| %s | %s | *reference only* |\n", r.number, r.statement)
	}
	return b.String()
}

const pageBegin = `<!-- Written by: go test ./sim/store -run Rules -rewrite. Do not edit. -->

# What real servers do

The simulator's store (` + "`sim/store`" + `) follows these rules. Each is pinned by a test that takes the same steps on a real
server and on the model, with a wall clock that stands still and is moved to the microsecond; both must reply alike, and
as the test says. ` + "`make test`" + ` does so on the servers of the machine. Beside that, ` + "`make conformance`" + ` compares random commands.

A server is listed if the test was run on it and held. 7.0.15 is Debian's package; others were built from their tags, on
libc's malloc. For versions that are not listed the rules are *reference only*: what their sources say, not tested here.

Now = the wall clock of the server, in whole milliseconds (cut, not rounded). Deadline = the millisecond stored with a key.

| rule | statement | pinned by | held on |
| --- | --- | --- | --- |
`

const referenceBegin = `The model does not have these, or has them without a test: commands whose texts are parsed, blocking, active expiry,
newer versions.

| rule | statement | |
| --- | --- | --- |
`
