package page_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// chrome is the browser of all tests, started by the first that needs it.
var chrome struct {
	once sync.Once
	ctx  context.Context
	stop []context.CancelFunc
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	for i := len(chrome.stop) - 1; i >= 0; i-- {
		chrome.stop[i]()
	}
	os.Exit(code)
}

// browserPath is the Chromium of this machine, "" if there is none.
func browserPath() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

func startBrowser(path string) {
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	ctx, end := chromedp.NewExecAllocator(context.Background(), opts...)
	chrome.stop = append(chrome.stop, end)
	chrome.ctx, end = chromedp.NewContext(ctx)
	chrome.stop = append(chrome.stop, end)
	chrome.err = chromedp.Do(chrome.ctx)
}

// A tab is a page in the browser, and what went wrong in it.
type tab struct {
	*testing.T
	ctx     context.Context
	mu      sync.Mutex
	trouble []string
}

// open opens a file in a new tab, in which every fault of the script and every request but for the file itself fails the test.
func open(t *testing.T, file, fragment string, before ...step) *tab {
	t.Helper()
	path := browserPath()
	if path == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("no chromium, chromium-browser or google-chrome, and this is CI")
		}
		t.Skip("needs a browser: no chromium, chromium-browser or google-chrome on this machine")
	}
	chrome.once.Do(func() { startBrowser(path) })
	if chrome.err != nil {
		t.Fatalf("start %s: %v", path, chrome.err)
	}
	ctx, close := chromedp.NewContext(chrome.ctx)
	w := &tab{T: t, ctx: ctx}
	w.do() // makes the tab, which lives as long as this context
	var end context.CancelFunc
	w.ctx, end = context.WithTimeout(ctx, 30*time.Second)
	t.Cleanup(func() {
		end()
		close()
		for _, what := range w.troubles() {
			t.Error(what)
		}
	})
	url := "file://" + file
	if err := chromedp.Listen(ctx, func(event any) { w.notice(event, url) }); err != nil {
		t.Fatal(err)
	}
	w.do(call(network.Enable, network.EnableParams{}), call(log.Enable, cdp.Empty{}), call(runtime.Enable, cdp.Empty{}))
	w.do(before...)
	w.do(chromedp.Navigate(url + fragment))
	return w
}

func (w *tab) troubles() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.trouble
}

func (w *tab) notice(event any, url string) {
	what := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		what = "exception: " + e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			what += " " + thrown.Description
		}
	case *runtime.EventConsoleAPICalled:
		what = fmt.Sprintf("console: %s", e.Type)
	case *log.EventEntryAdded:
		what = "log: " + e.Entry.Text
	case *network.EventRequestWillBeSent:
		if to := e.Request.URL; !strings.HasPrefix(to, url) && !strings.HasPrefix(to, "data:") {
			what = "request to " + to
		}
	}
	if what != "" {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.trouble = append(w.trouble, what)
	}
}

// A step is something that is done in a tab.
type step = chromedp.Action[chromedp.Void]

// call is a command of the browser's protocol whose answer does not matter.
func call[P, R any](c cdp.Command[P, R], params P) step {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, c, params)
		return chromedp.Void{}, err
	}
}

func (w *tab) do(steps ...step) {
	w.Helper()
	if err := chromedp.Do(w.ctx, steps...); err != nil {
		w.Fatal(err, w.troubles())
	}
}

// get is what an action gives.
func get[T any](w *tab, a chromedp.Action[T]) T {
	w.Helper()
	value, err := chromedp.Run(w.ctx, a)
	if err != nil {
		w.Fatal(err, w.troubles())
	}
	return value
}

// ask evaluates an expression of the page.
func ask[T any](w *tab, expression string) T {
	w.Helper()
	return get(w, chromedp.Evaluate[T](expression))
}

// shoot keeps a picture of the page for people.
func (w *tab) shoot(name string) {
	w.Helper()
	if os.Getenv("SCREENSHOTS") != "" {
		w.keep(name+".png", get(w, chromedp.FullScreenshot(100)))
	}
}

// keep keeps something for people to look at, if SCREENSHOTS names a folder.
func (w *tab) keep(name string, data []byte) {
	w.Helper()
	if dir := os.Getenv("SCREENSHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			w.Fatal(err)
		}
	}
}
