package page_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"locklab/history"
	"locklab/plots"
	"locklab/plots/page"
	"locklab/scenarios"
)

// part is what the first group of a pattern has in a text.
func part(t *testing.T, pattern, text string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no %s in the page", pattern)
	}
	return found[1]
}

// A pageData is what a page's script is given.
type pageData struct {
	Sentences []string `json:"sentences"`
	Runs      []struct {
		ID    string `json:"id"`
		Steps struct {
			After    []int64 `json:"after"`
			Sentence []int   `json:"sentence"`
			Numbers  string  `json:"numbers"`
			Truth    string  `json:"truth"`
			Marks    string  `json:"marks"`
		} `json:"steps"`
	} `json:"runs"`
}

func dataOf(t *testing.T, text string) pageData {
	t.Helper()
	var d pageData
	if err := json.Unmarshal([]byte(part(t, `(?s)<script type="application/json" id="data">(.*?)</script>`, text)), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// The numbers of sentences are taken out and put back by the script; what comes out is what the story says.
func TestSentencesComeBack(t *testing.T) {
	run := simulated(t, "lesson/e")
	d := dataOf(t, html(t, &page.Page{Runs: []page.Run{run}}))
	steps := d.Runs[0].Steps
	numbers := strings.Split(steps.Numbers, " ")
	var tell history.Narrator
	i, now := 0, int64(0)
	for k := range run.Events {
		want := tell.Tell(&run.Events[k])
		if want == "" {
			continue
		}
		got := d.Sentences[steps.Sentence[i]]
		for strings.Contains(got, "#") {
			got = strings.Replace(got, "#", numbers[0], 1)
			numbers = numbers[1:]
		}
		if now += steps.After[i]; got != want || now != run.Events[k].At/1000 {
			t.Fatalf("step %d at %d: %q, want %q at %d ns", i, now, got, want, run.Events[k].At)
		}
		i++
	}
	if i != len(steps.Sentence) || len(steps.Truth) != i || len(steps.Marks) != i || len(numbers) != 0 {
		t.Errorf("%d steps of %d, %d numbers left", i, len(steps.Sentence), len(numbers))
	}
	if len(d.Sentences) > 60 {
		t.Errorf("%d different sentences: numbers are left in them", len(d.Sentences))
	}
}

const markup = `</script><img src=x onerror="alert(1)">&amp;'`

// marked is a page in which everything that comes from elsewhere is markup.
func marked(t *testing.T) *page.Page {
	run := simulated(t, "lesson/d", "rounds=2")
	run.Scenario, run.Title, run.Name = markup, markup, markup
	run.Events[0].Kind = history.Kind(60)
	return &page.Page{
		Title: markup, Verdict: page.Verdict{Word: markup, Sentence: markup, Mood: page.Mood(markup)}, Notes: []string{markup}, Runs: []page.Run{run, run},
		Tables: []page.Table{{Caption: markup, Columns: []string{markup, markup}, Rows: [][]string{{markup, markup}}, Notes: []string{markup}}},
	}
}

func TestMarkupIsShownAsText(t *testing.T) {
	p := marked(t)
	f := figures(t)[0]
	f.Title, f.About, f.Numbers = markup, markup, plots.Numbers{Columns: []string{markup}, Rows: [][]string{{markup}}}
	p.Figures = []plots.Figure{f}
	text := html(t, p)
	if strings.Contains(text, "<img") || strings.Count(text, "<script") != 2 || strings.Count(text, "</script") != 2 {
		t.Error("markup is markup")
	}
	if n := strings.Count(text, "&lt;img"); n < 15 {
		t.Errorf("shown as text %d times", n)
	}
	d := dataOf(t, text)
	if d.Runs[0].ID == d.Runs[1].ID || regexp.MustCompile(`[^a-z0-9-]`).MatchString(d.Runs[0].ID) {
		t.Errorf("identifiers %q and %q", d.Runs[0].ID, d.Runs[1].ID)
	}
}

// The page's policy allows its own script and nothing else.
func TestPolicyFitsTheScript(t *testing.T) {
	text := html(t, &page.Page{Runs: []page.Run{simulated(t, "lesson/a", "rounds=1")}})
	sum := sha256.Sum256([]byte(part(t, `(?s)<script>(.*?)</script>`, text)))
	policy := part(t, `Content-Security-Policy" content="([^"]*)"`, text)
	policy = strings.ReplaceAll(strings.ReplaceAll(policy, "&#39;", "'"), "&#43;", "+")
	if want := "script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.HasSuffix(policy, want) || !strings.HasPrefix(policy, "default-src 'none';") {
		t.Errorf("policy %s, want %s", policy, want)
	}
	if found := regexp.MustCompile(`(?:src|href|action)="([^"]*)"|url\(([^)]*)\)|@import`).FindAllString(text, -1); !slices.Equal(found, []string{`href="data:,"`, "url(#${this.id}-hatch)", "url(#picture-0-hatch)"}) {
		t.Errorf("references %q", found)
	}
}

// A page without runs needs no script.
func TestPageWithoutRuns(t *testing.T) {
	text := html(t, &page.Page{Title: "nothing", Tables: []page.Table{{Caption: "one", Columns: []string{"a"}, Rows: [][]string{{"b"}}}}})
	if strings.Contains(text, "<script") || strings.Contains(text, "timeline") && strings.Contains(text, `id="player"`) {
		t.Error("a player without runs")
	}
	if !strings.Contains(text, `<th scope="row">b</th>`) {
		t.Error("no table")
	}
}

// The runs of a lesson fit into a page; of many more, the last are left out, and the page says which.
func TestPageStaysSmall(t *testing.T) {
	var runs []page.Run
	for _, name := range []string{"lesson/a", "lesson/b", "lesson/c", "lesson/d", "lesson/e"} {
		runs = append(runs, simulated(t, name), simulated(t, name), measured(t, name), measured(t, name), measured(t, name))
	}
	small := html(t, &page.Page{Runs: runs})
	if len(small) > page.MostBytes || strings.Contains(small, "Left out") {
		t.Errorf("%d bytes for a lesson", len(small))
	}
	for range 40 {
		run := simulated(t, "lesson/d")
		run.Name = fmt.Sprintf("one of many, %d", len(runs))
		runs = append(runs, run)
	}
	large := html(t, &page.Page{Runs: runs})
	if len(large) > page.MostBytes || !strings.Contains(large, "Left out") || !strings.Contains(large, "lesson/d one of many, 64") {
		t.Errorf("%d bytes for many", len(large))
	}
	if kept := len(dataOf(t, large).Runs); kept < 25 || kept >= len(runs) {
		t.Errorf("kept %d of %d", kept, len(runs))
	}
	if all := html(t, &page.Page{Runs: runs, AllRuns: true}); len(dataOf(t, all).Runs) != len(runs) {
		t.Error("not all runs")
	}
}

// figures are those of a prediction and of what was published.
func figures(t *testing.T) []plots.Figure {
	t.Helper()
	record := history.Record{Kind: "run", Entries: 80, Conflicts: 30}
	record.Scenario, record.World, record.Profile, record.ProfileHash = "lesson/d", history.Sim, scenarios.Lab().Name, "h"
	real := record
	real.World, real.Conflicts = history.Real, 29
	all, err := plots.Figures(history.Lines{Records: []history.Record{record, real}}, plots.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A figure can be read without being seen: a title, a description, and its numbers.
func TestFiguresHaveWords(t *testing.T) {
	text := html(t, &page.Page{Figures: figures(t)})
	for _, want := range []string{
		`role="img" aria-labelledby="figure-conflicts-title figure-conflicts-about"`,
		`<title id="figure-conflicts-title">How often does the lock fail?</title><desc id="figure-conflicts-about">Conflict: an entry`,
		`<title id="figure-agreement-title">Does the prediction hold?</title>`,
		`<th scope="col">simulated, lab (%)</th><th scope="col">measured (%)</th>`,
		`<th scope="row">lesson/d</th><td>30.0 (30–30)</td>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(text, "<?xml") || strings.Count(text, "<svg") != 2 || strings.Count(text, "</svg>") != 2 {
		t.Error("SVG documents are not parts of the page")
	}
}

// Of a long table the first rows are seen at once, others on demand, and it says how many there is no room for.
func TestLongTablesAreCutShort(t *testing.T) {
	long := page.Table{Caption: "long", Columns: []string{"row", "verdict"}}
	for i := range 1000 {
		long.Rows = append(long.Rows, []string{fmt.Sprint("row ", i), "differ"})
	}
	text := html(t, &page.Page{Tables: []page.Table{long}})
	before, after, ok := strings.Cut(text, "<summary>370 more rows</summary>")
	if !ok || strings.Count(before, "<th scope=\"row\">") != 30 || strings.Count(after, `<td class="bad">differ</td>`) != 370 || !strings.Contains(after, "600 more rows are left out.") {
		t.Errorf("%d rows at once, %d on demand", strings.Count(before, "<th scope=\"row\">"), strings.Count(after, "<th scope=\"row\">"))
	}
}

// Whatever a built-in scenario does, its run can be shown: every event has words, and every command a purpose.
func TestEveryScenarioCanBeShown(t *testing.T) {
	p := page.Page{AllRuns: true}
	for _, name := range scenarios.Names() {
		p.Runs = append(p.Runs, simulated(t, name))
	}
	for _, text := range dataOf(t, html(t, &p)).Sentences {
		if strings.Contains(text, "kind(") || !strings.Contains(text, " ") {
			t.Errorf("an event without words: %q", text)
		}
	}
}
