package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// bars shows how far a long job has come, with the time left, if it has a terminal; else it shows nothing.
type bars struct {
	w    io.Writer
	bar  *progressbar.ProgressBar
	quit chan struct{} // ends the goroutine of a stage that is measured in time
	idle chan struct{} // closed when it has ended
}

// newBars shows bars on w if that is a terminal.
func newBars(w io.Writer) *bars {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &bars{w: w}
	}
	return &bars{}
}

// Begin begins a stage of the given number of parts.
func (b *bars) Begin(stage string, parts int) { b.begin(stage, parts) }

// BeginRate begins a stage of the given number of parts, and shows how many of them are done in a second.
func (b *bars) BeginRate(stage string, parts int, name string) {
	b.begin(stage, parts, progressbar.OptionShowIts(), progressbar.OptionSetItsString(name))
}

func (b *bars) begin(stage string, parts int, more ...progressbar.Option) {
	b.End()
	if b.w == nil || parts == 0 {
		return
	}
	b.bar = progressbar.NewOptions(parts, append(more,
		progressbar.OptionSetWriter(b.w),
		progressbar.OptionSetDescription(fmt.Sprintf("%-22s", stage)),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionShowElapsedTimeOnFinish(),
		progressbar.OptionFullWidth(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionUseANSICodes(true),
	)...)
}

// tick is how often a stage that is measured in time moves.
const tick = 200 * time.Millisecond

// BeginFor begins a stage that will take about so long. If it takes longer, the bar waits just before its end.
func (b *bars) BeginFor(stage string, d time.Duration) {
	ticks := int(d/tick) + 1
	b.Begin(stage, ticks)
	if b.bar == nil {
		return
	}
	b.quit, b.idle = make(chan struct{}), make(chan struct{})
	go b.run(b.bar, ticks, b.quit, b.idle)
}

func (b *bars) run(bar *progressbar.ProgressBar, ticks int, quit, idle chan struct{}) {
	defer close(idle)
	t := time.NewTicker(tick)
	defer t.Stop()
	for i := 1; ; i++ {
		select {
		case <-quit:
			return
		case <-t.C:
			if i < ticks {
				_ = bar.Add(1)
			}
		}
	}
}

// Add says that so many parts are done.
func (b *bars) Add(parts int) {
	if b.bar != nil {
		_ = b.bar.Add(parts)
	}
}

// End ends the stage. A bar of parts stays where it is: not all of them are done if the job was interrupted.
func (b *bars) End() {
	if b.quit != nil {
		close(b.quit)
		<-b.idle
		b.quit = nil
		_ = b.bar.Finish()
	}
	if b.bar != nil {
		fmt.Fprintln(b.w)
		b.bar = nil
	}
}

// A counter shows a growing number, if it has a terminal; else nothing.
type counter struct {
	w    io.Writer
	what string
	last time.Time
}

func newCounter(w io.Writer, what string) *counter {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &counter{w: w, what: what}
	}
	return &counter{}
}

// show shows the number, if a while has passed since the last.
func (c *counter) show(n int64) {
	if c.w == nil || time.Since(c.last) < tick {
		return
	}
	c.last = time.Now()
	fmt.Fprintf(c.w, "\r%d %s", n, c.what)
}

// end removes the number.
func (c *counter) end() {
	if c.w != nil {
		fmt.Fprint(c.w, "\r\x1b[K")
	}
}
