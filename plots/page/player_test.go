package page_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"locklab/plots/page"
)

// size is the size of the window, in pixels.
func size(width, height int64) step {
	return call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1})
}

// prefers is what the reader prefers, e.g. prefers-color-scheme dark.
func prefers(name, value string) step {
	return call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: name, Value: value}}})
}

// whole is a page with all that one can have.
func whole(t *testing.T) *page.Page {
	return &page.Page{
		Title:   "The lesson, predicted and measured",
		Verdict: page.Verdict{Word: "agree", Sentence: "What was measured is what was predicted, as far as these repetitions can tell.", Mood: page.Good},
		Tables: []page.Table{{
			Caption: "Conflicts per run: published, simulated, measured",
			Columns: []string{"scenario", "published", "simulated lab", "simulated machine", "measured", "verdict", "rejected writes", "lost holds", "rank", "p"},
			Rows: [][]string{
				{"lesson/d", "31 of 80", "30.1 [25, 35]", "29.9 [23, 37]", "28 29 31", "agree", "0→0 0 0", "20→20 20 20", "0.62", "0.8"},
				{"lesson/e", "15, 15 rejected", "15.0 [12, 18]", "16.9 [14, 19]", "16 17 16", "differ", "16.9→16 17 16", "20→20 20 20", "0.48", "0.7"},
			},
			Notes: []string{"Rank: where the published conflicts stand among simulated runs."},
		}},
		Figures: figures(t),
		Runs:    []page.Run{simulated(t, "lesson/a"), simulated(t, "lesson/d"), measured(t, "lesson/d"), simulated(t, "lesson/e")},
		Notes:   []string{"Who holds the lock in truth is known in the simulator only."},
	}
}

// said is the sentence of the upper run.
func (w *tab) said() string {
	return ask[string](w, `document.querySelector(".said .sentence").textContent`)
}

// click clicks the element with an identifier.
func (w *tab) click(id string) {
	w.Helper()
	w.do(chromedp.Click(chromedp.ID(id)))
}

// until waits until an expression of the page is true.
func (w *tab) until(expression string) {
	w.Helper()
	get(w, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(10*time.Second)))
}

const firstConflict = "worker 1 is inside: CONFLICT, 2 are; its lease ended 200 ms ago; it does not know"

func TestStepsToTheFirstConflict(t *testing.T) {
	w := open(t, written(t, &page.Page{Title: "d", Runs: []page.Run{simulated(t, "lesson/d")}}), "", size(1280, 900))
	if got := w.said(); got != "worker 0, round 0: asks for the lock" {
		t.Errorf("at first %q", got)
	}
	w.click("conflict-after")
	if got := w.said(); got != firstConflict {
		t.Errorf("at the first conflict %q", got)
	}
	w.shoot("d-first-conflict")
	w.click("step-back")
	if got := w.said(); got != "worker 1 runs again; its lease ended 200 ms ago; it does not know" {
		t.Errorf("one step before it %q", got)
	}
	w.click("step-on")
	w.click("step-on")
	if got := w.said(); !strings.HasPrefix(got, "worker 1 works; its lease ended") {
		t.Errorf("one step after it %q", got)
	}
	w.click("conflict-after")
	w.click("conflict-before")
	if got := w.said(); got != firstConflict {
		t.Errorf("there and back %q", got)
	}
	if !ask[bool](w, `document.getElementById("conflict-before").disabled && document.querySelectorAll("#steps [aria-current]").length === 1`) {
		t.Error("there is nothing before the first conflict, and one step is the current one")
	}
}

func TestPlaysAndPauses(t *testing.T) {
	for _, motion := range []string{"no-preference", "reduce"} {
		w := open(t, written(t, &page.Page{Title: "c", Runs: []page.Run{simulated(t, "lesson/c", "rounds=2")}}), "", prefers("prefers-reduced-motion", motion))
		w.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("speed").value = "5"; document.getElementById("speed").dispatchEvent(new Event("change"))`))
		w.click("play")
		w.until(`Number(document.getElementById("moment").value) > 300000`)
		if live := ask[string](w, `document.querySelector(".said").getAttribute("aria-live")`); live != "off" && ask[string](w, `document.getElementById("play").textContent`) != "▶ play" {
			t.Errorf("%s: told to a screen reader while it plays: %s", motion, live)
		}
		w.until(`document.getElementById("play").textContent === "▶ play" && document.getElementById("moment").value === document.getElementById("moment").max`)
		if got := w.said(); !strings.HasSuffix(got, "has finished its rounds") {
			t.Errorf("%s: at the end %q", motion, got)
		}
	}
}

// All that can be operated is reached by the tabulator, and does its work by keys.
func TestKeyboardReachesEverything(t *testing.T) {
	w := open(t, written(t, whole(t)), "", size(1280, 900))
	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => { d.open = true; })`))
	want := ask[int](w, `document.querySelectorAll("button:not(:disabled), select, input, summary, [tabindex]").length`)
	w.do(chromedp.Evaluate[chromedp.Void](`window.reached = new Set(); addEventListener("focusin", e => window.reached.add(e.target))`))
	for range want {
		w.do(chromedp.KeyEvent(kb.Tab))
	}
	if got := ask[int](w, `window.reached.size`); got != want {
		t.Errorf("reached %d of %d", got, want)
	}
	focus := func(id string) {
		w.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.getElementById(%q).focus()`, id)))
	}
	focus("play")
	w.do(chromedp.KeyEvent("n"))
	if got := w.said(); !strings.Contains(got, "CONFLICT") {
		t.Errorf("after n %q", got)
	}
	focus("moment")
	before := ask[float64](w, `Number(document.getElementById("moment").value)`)
	w.do(chromedp.KeyEvent(kb.ArrowRight))
	if after := ask[float64](w, `Number(document.getElementById("moment").value)`); after <= before {
		t.Errorf("the arrow moves from %f to %f", before, after)
	}
	w.do(chromedp.KeyEvent(kb.Home))
	if at := ask[string](w, `document.getElementById("moment").value`); at != "0" {
		t.Errorf("home is at %s", at)
	}
	focus("conflict-after")
	w.do(chromedp.KeyEvent(kb.Enter))
	if got := w.said(); !strings.Contains(got, "CONFLICT") {
		t.Errorf("after enter %q", got)
	}
	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#steps button").focus()`), chromedp.KeyEvent(kb.Enter))
	if current := ask[string](w, `document.activeElement.getAttribute("aria-current")`); current != "step" {
		t.Errorf("the focus has left the step that was chosen: %s", current)
	}
}

func TestFitsAnyScreen(t *testing.T) {
	w := open(t, written(t, whole(t)), "", size(1280, 900))
	w.click("conflict-after")
	for _, width := range []int64{1280, 390} {
		w.do(size(width, 900))
		w.until(`document.querySelector("#panels .picture").viewBox.baseVal.width === document.getElementById("panels").clientWidth`)
		for _, scheme := range []string{"light", "dark"} {
			w.do(prefers("prefers-color-scheme", scheme))
			if got := ask[int64](w, `document.documentElement.scrollWidth`); got > width {
				t.Errorf("%d wide in a window of %d", got, width)
			}
			if faint := ask[[]string](w, tooFaint); len(faint) > 0 {
				t.Errorf("%s, %d: too faint to read: %q", scheme, width, faint)
			}
			w.shoot(fmt.Sprintf("whole-%d-%s", width, scheme))
		}
	}
}

// tooFaint are the texts whose contrast to their ground is less than 4.5, which WCAG demands.
const tooFaint = `(() => {
  const light = c => { const [r, g, b] = c.match(/[\d.]+/g).map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const groundOf = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\)/.test(c)) return c; } return "rgb(255, 255, 255)"; };
  return [...document.querySelectorAll("h1, h2, h3, p, span, strong, b, small, td, th, caption, label, button:not(:disabled), select, summary, li, output, time, figcaption")]
    .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) && e.getClientRects().length)
    .filter(e => { const a = light(getComputedStyle(e).color), b = light(groundOf(e)); return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5; })
    .map(e => e.textContent.trim().slice(0, 40));
})()`

// The browser's own accessibility tree: all that can be operated has a name, and so has every picture.
func TestEverythingHasAName(t *testing.T) {
	w := open(t, written(t, whole(t)), "", size(1280, 900))
	tree := get(w, func(ctx context.Context, t *chromedp.Target) (accessibility.GetFullAXTreeResult, error) {
		return cdp.Call(ctx, t, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	})
	need := []string{"button", "combobox", "slider", "link", "image", "img", "table", "region", "group", "heading", "list", "option", "columnheader", "rowheader"}
	counts := make(map[string]int)
	text := func(v *accessibility.Value) string {
		if v == nil {
			return ""
		}
		return strings.Trim(string(v.Value), `"`)
	}
	for _, n := range tree.Nodes {
		role := text(n.Role)
		if n.Ignored {
			continue
		}
		counts[role]++
		unnamed := text(n.Name) == "" && !slices.Contains([]string{"list", "group", "table"}, role)
		if slices.Contains(need, role) && unnamed {
			t.Errorf("a %s has no name: %v", role, n.Properties)
		}
	}
	for _, role := range []string{"button", "combobox", "slider", "table", "heading"} {
		if counts[role] == 0 {
			t.Errorf("no %s in %v", role, counts)
		}
	}
	if ask[int](w, `document.querySelectorAll("[id]").length`) != ask[int](w, `new Set([...document.querySelectorAll("[id]")].map(e => e.id)).size`) {
		t.Error("an identifier is there twice")
	}
	levels := ask[string](w, `[...document.querySelectorAll("h1, h2, h3")].map(h => h.tagName[1]).join("")`)
	if !strings.HasPrefix(levels, "1") || strings.Count(levels, "1") != 1 || strings.Contains(levels, "13") {
		t.Errorf("levels of headings %s", levels)
	}
}

func TestPrints(t *testing.T) {
	w := open(t, written(t, whole(t)), "", size(1280, 900))
	w.do(chromedp.Evaluate[chromedp.Void](`addEventListener("beforeprint", () => { window.printed = document.querySelector(".said .sentence").textContent; })`))
	pdf := get(w, chromedp.PrintToPDF(chromedp.PDFPrintBackground()))
	w.keep("whole.pdf", pdf)
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 20_000 {
		t.Errorf("%d bytes of PDF", len(pdf))
	}
	if got := ask[string](w, `window.printed`); got != firstConflict {
		t.Errorf("printed at %q", got)
	}
	if got := w.said(); got != "worker 0, round 0: asks for the lock" {
		t.Errorf("after printing at %q", got)
	}
}

func TestMarkupStaysText(t *testing.T) {
	w := open(t, written(t, marked(t)), "", size(390, 800))
	if n := ask[int](w, `document.images.length`); n != 0 {
		t.Errorf("%d images", n)
	}
	for _, where := range []string{`h1`, `.verdict strong`, `td`, `.panel h3`, `#scenario-title`, `#run option`} {
		if got := ask[string](w, fmt.Sprintf(`document.querySelector(%q).textContent`, where)); !strings.Contains(got, markup) {
			t.Errorf("%s: %q", where, got)
		}
	}
	if got := w.said(); got != "worker 0 kind(60)" {
		t.Errorf("an unknown event: %q", got)
	}
}

func TestLinksLeadToAMoment(t *testing.T) {
	file := written(t, whole(t))
	w := open(t, file, "#run=lesson-e-simulated-profile-lab-seed-1-run-0&t=1501.5", size(1280, 900))
	if got := ask[string](w, `document.querySelector(".panel h3").textContent + " " + document.querySelector(".flag-text").textContent`); got != "lesson/e · simulated, profile lab, seed 1, run 0 1501.500 ms" {
		t.Errorf("opened %q", got)
	}
	if n := ask[int](w, `document.querySelectorAll(".panel").length`); n != 1 {
		t.Errorf("%d runs", n)
	}
	w.click("conflict-after")
	w.click("link")
	if got := ask[string](w, `location.hash`); !strings.HasPrefix(got, "#run=lesson-e-simulated-profile-lab-seed-1-run-0&t=") {
		t.Errorf("link %q", got)
	}
	want := w.said()
	again := open(t, file, ask[string](w, `location.hash`))
	if got := again.said(); got != want {
		t.Errorf("the link leads to %q, not to %q", got, want)
	}
	if got := open(t, file, "#run=nothing&t=x").said(); got == "" {
		t.Error("a link that leads nowhere shows nothing")
	}
}

// The simulated and the measured run of one scenario stand one above the other on one axis.
func TestTwoRunsShareAnAxis(t *testing.T) {
	w := open(t, written(t, whole(t)), "", size(1280, 900))
	titles := ask[[]string](w, `[...document.querySelectorAll(".panel h3")].map(h => h.textContent)`)
	if !slices.Equal(titles, []string{"lesson/d · simulated, profile lab, seed 1, run 0", "lesson/d · measured, repetition 0"}) {
		t.Errorf("shown %q", titles)
	}
	axes := ask[[]string](w, `[...document.querySelectorAll(".panel")].map(p => [...p.querySelectorAll("text.small")].filter(t => / m?s$/.test(t.textContent)).map(t => t.textContent + t.getAttribute("x")).join())`)
	if axes[0] != axes[1] || axes[0] == "" {
		t.Errorf("axes %q", axes)
	}
	w.click("conflict-after")
	below := ask[string](w, `document.querySelectorAll(".said .sentence")[1].textContent`)
	if below == w.said() || !strings.HasPrefix(below, "worker ") {
		t.Errorf("below %q", below)
	}
	w.click("zoom-in")
	w.click("zoom-in")
	if a, b := ask[string](w, `document.querySelectorAll(".now")[0].getAttribute("x1")`), ask[string](w, `document.querySelectorAll(".now")[1].getAttribute("x1")`); a != b {
		t.Errorf("moments at %s and %s", a, b)
	}
}

func TestPointerDragsTheMoment(t *testing.T) {
	w := open(t, written(t, whole(t)), "", size(1280, 1400))
	box := ask[[]float64](w, `(() => { const b = document.querySelector("#panels .picture").getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()`)
	y := box[1] + box[3]/2
	at := func() float64 { return ask[float64](w, `Number(document.getElementById("moment").value)`) }
	w.do(chromedp.MouseEvent("mousePressed", box[0]+box[2]*0.4, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	first := at()
	w.do(chromedp.MouseEvent("mouseMoved", box[0]+box[2]*0.6, y, chromedp.ButtonLeft))
	second := at()
	w.do(chromedp.MouseEvent("mouseReleased", box[0]+box[2]*0.6, y, chromedp.ButtonLeft), chromedp.MouseEvent("mouseMoved", box[0]+box[2]*0.9, y))
	if third := at(); !(0 < first && first < second && second == third) {
		t.Errorf("from %f over %f to %f", first, second, third)
	}
}
