package plots

import (
	"errors"
	"fmt"
	"image/color"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"locklab/history"
)

// TimelineOptions choose what a timeline shows.
type TimelineOptions struct {
	Title    string
	Subtitle string
	From, To int64 // nanoseconds since the start of the run; To 0 for its end
}

// Timeline draws a part of one run, lane by lane: who holds the lock in truth, when two were inside, and what each
// worker believed. The first lane is missing from runs of the real world, where nobody sees the truth.
func Timeline(events []history.Event, opts TimelineOptions) (Figure, error) {
	s := tell(events)
	if len(s.lanes) == 0 {
		return Figure{}, errors.New("no timeline to draw: need the events of a run")
	}
	w := span{opts.From, opts.To}
	if w.to == 0 {
		w.to = max(s.end, w.from+1)
	}
	if w.from < 0 || w.length() <= 0 {
		return Figure{}, fmt.Errorf("no timeline to draw: the window from %d ns to %d ns must begin at 0 or later and end after that", w.from, w.to)
	}
	if opts.Title == "" {
		opts.Title = "Who holds the lock, and who believes so?"
	}
	t := timeline{story: s, window: w}
	f := frame{title: opts.Title, subtitle: opts.Subtitle, legend: t.legend(), body: t.draw}
	return f.figure("timeline"), nil
}

// A timeline draws the part of a story that lies within a window.
type timeline struct {
	story
	window span
}

// unit is what the time axis counts in.
func (t *timeline) unit() (name string, ns float64) {
	if t.window.to > 10e9 {
		return "s", 1e9
	}
	return "ms", 1e6
}

// workerColors leave out vermillion, which tells what went wrong.
var workerColors = []color.NRGBA{blue, green, purple, sky, yellow, black}

func workerColor(worker int32) color.NRGBA { return workerColors[int(worker)%len(workerColors)] }

func workerName(worker int32) string { return "worker " + strconv.Itoa(int(worker)) }

func (t *timeline) draw(c draw.Canvas) {
	name, ns := t.unit()
	p := plot.New()
	p.HideY()
	styleAxis(&p.X, "time since the start of the run ("+name+")")
	p.X.Min, p.X.Max = float64(t.window.from)/ns, float64(t.window.to)/ns
	p.X.Tick.Marker = steps(roundStep(p.X.Max-p.X.Min, 10))
	p.Y.Min, p.Y.Max = 0, 1
	p.Add(t)
	p.Draw(draw.Crop(c, t.gutter(), 0, 0, 0))
}

var truthLabel = []string{"lock held by", "(the truth)"}

// gutter is the room for the lanes' names, left of the data.
func (t *timeline) gutter() vg.Length {
	sty := bold(sizeLabel, ink)
	return max(sty.Width(truthLabel[0]), sty.Width(workerName(int32(len(t.lanes))))) + 12
}

// A sheet is where and how the lanes of a timeline are drawn.
type sheet struct {
	draw.Canvas
	window  span
	flags   vg.Rectangle   // for the words at the ends of leases
	truth   vg.Rectangle   // empty if nobody knows it
	crowd   vg.Rectangle   // with two or more inside
	workers []vg.Rectangle // one for each
}

// newSheet shares out the height: workers get twice that of the lanes above them.
func (t *timeline) newSheet(c draw.Canvas) sheet {
	s := sheet{Canvas: c, window: t.window}
	top := c.Max.Y
	take := func(h vg.Length) vg.Rectangle {
		top -= h
		return box(c.Min.X, top, c.Max.X, top+h)
	}
	all := c.Max.Y - c.Min.Y
	small := min(46, max(24, all/vg.Length(len(t.lanes)*2+3)))
	if len(t.holds) > 0 {
		s.flags = take(22)
		s.truth = take(small)
	}
	s.crowd = take(small)
	each := (top - c.Min.Y) / vg.Length(len(t.lanes))
	for range t.lanes {
		s.workers = append(s.workers, take(each))
	}
	return s
}

// x is where a time is drawn; one outside of the window at its nearer end.
func (s *sheet) x(at int64) vg.Length {
	at = min(max(at, s.window.from), s.window.to)
	return s.X(float64(at-s.window.from) / float64(s.window.length()))
}

// over is the part of a lane that a time takes, at least one point wide; false if that is outside of the window.
func (s *sheet) over(lane vg.Rectangle, w span) (vg.Rectangle, bool) {
	part, ok := w.within(s.window)
	x0, x1 := s.x(part.from), s.x(part.to)
	return box(x0, lane.Min.Y, max(x1, x0+1), lane.Max.Y), ok
}

// bar is the middle of a worker's lane, in which its states are drawn.
func bar(lane vg.Rectangle) vg.Rectangle {
	h := lane.Max.Y - lane.Min.Y
	return box(lane.Min.X, lane.Min.Y+h*0.34, lane.Max.X, lane.Max.Y-h*0.22)
}

// Plot draws the lanes. It makes timeline a plot.Plotter.
func (t *timeline) Plot(c draw.Canvas, _ *plot.Plot) {
	s := t.newSheet(c)
	s.drawGround(len(t.holds) > 0)
	for _, z := range t.zombies {
		if r, ok := s.over(s.workers[z.hold.worker], z.span); ok {
			fill(c, grow(r, -2), tint(vermillion, 0.18))
		}
	}
	t.drawExpiryLines(&s)
	t.drawCrowd(&s)
	t.drawHolds(&s)
	for i := range t.lanes {
		t.drawSegments(&s, int32(i))
	}
	for _, z := range t.zombies {
		s.drawZombie(z)
	}
	for i := range t.lanes {
		t.drawMarks(&s, i)
	}
	outline(c, c.Rectangle, grey, 1, nil)
}

// drawGround draws the lanes' grounds and names.
func (s *sheet) drawGround(truth bool) {
	if truth {
		s.name(s.truth, truthLabel...)
	}
	s.name(s.crowd, "two inside")
	for i, lane := range s.workers {
		if i%2 == 0 {
			fill(s.Canvas, lane, greyFaint)
		}
		line(s.Canvas, greyLight, 1, nil, lane.Min.X, lane.Max.Y, lane.Max.X, lane.Max.Y)
		s.name(bar(lane), workerName(int32(i)))
	}
}

// name writes one or two lines to the left of a lane.
func (s *sheet) name(lane vg.Rectangle, lines ...string) {
	sty := bold(min(sizeLabel, max(sizeLeast, (lane.Max.Y-lane.Min.Y)*0.9)), ink)
	at := vg.Point{X: lane.Min.X - 8, Y: middle(lane).Y}
	if len(lines) > 1 && lane.Max.Y-lane.Min.Y >= 34 {
		at.Y += 8
		write(s.Canvas, sans(sizeNote, grey), rightMiddle, vg.Point{X: at.X, Y: at.Y - 17}, lines[1])
	}
	write(s.Canvas, sty, rightMiddle, at, lines[0])
}

// duration is a length of time in the unit that suits it.
func duration(ns int64) string {
	switch v := float64(ns); {
	case ns < 1e6:
		return strconv.FormatFloat(v/1e6, 'f', 1, 64) + " ms"
	case ns < 10e9:
		return strconv.FormatFloat(v/1e6, 'f', 0, 64) + " ms"
	default:
		return strconv.FormatFloat(v/1e9, 'f', 1, 64) + " s"
	}
}

func (t *timeline) drawHolds(s *sheet) {
	for _, h := range t.holds {
		r, ok := s.over(s.truth, h.span)
		if !ok {
			continue
		}
		clr := workerColor(h.worker)
		r = box(r.Min.X, r.Min.Y+4, r.Max.X, r.Max.Y-4)
		fill(s.Canvas, r, clr)
		outline(s.Canvas, r, white, 1, nil)
		s.writeIn(r, onTop(clr), workerName(h.worker), strconv.Itoa(int(h.worker)))
	}
}

// writeIn writes the first of some texts that fits into a rectangle, or none.
func (s *sheet) writeIn(r vg.Rectangle, clr color.Color, texts ...string) {
	sty := bold(min(sizeNote, r.Max.Y-r.Min.Y-2), clr)
	if sty.Font.Size < sizeLeast {
		return
	}
	for _, txt := range texts {
		if sty.Width(txt)+8 <= r.Max.X-r.Min.X {
			write(s.Canvas, sty, center, middle(r), txt)
			return
		}
	}
}

func (t *timeline) drawSegments(s *sheet, worker int32) {
	for _, g := range t.lanes[worker].segments {
		r, ok := s.over(bar(s.workers[worker]), g.span)
		if !ok {
			continue
		}
		drawState(s.Canvas, r, g.state, workerColor(worker))
		if g.paused {
			drawPaused(s.Canvas, r)
			s.plate(t.calmPart(s, worker, r), "paused "+duration(g.length()), "paused")
			continue
		}
		if g.state == inside {
			s.writeIn(t.calmPart(s, worker, r), onTop(workerColor(worker)), "inside "+duration(g.length()), "inside")
		}
	}
}

// calmPart is the wider part of a piece of a worker's bar that a zombie's outline may cut in two.
func (t *timeline) calmPart(s *sheet, worker int32, r vg.Rectangle) vg.Rectangle {
	for _, z := range t.zombies {
		cut := s.x(z.from)
		if z.hold.worker != worker || cut <= r.Min.X || cut >= r.Max.X {
			continue
		}
		if cut-r.Min.X >= r.Max.X-cut {
			r.Max.X = cut
		} else {
			r.Min.X = cut
		}
	}
	return r
}

// drawState fills the part of a bar during which a worker of the given colour is in a state.
func drawState(c draw.Canvas, r vg.Rectangle, st state, clr color.NRGBA) {
	mid, h := middle(r).Y, r.Max.Y-r.Min.Y
	switch st {
	case waiting:
		line(c, clr, 3, []vg.Length{3, 3}, r.Min.X, mid, r.Max.X, mid)
	case holding:
		r = box(r.Min.X, r.Min.Y+h*0.15, r.Max.X, r.Max.Y-h*0.15)
		fill(c, r, tint(clr, 0.35))
		outline(c, r, clr, 1.5, nil)
	case inside:
		fill(c, r, clr)
	}
}

func drawPaused(c draw.Canvas, r vg.Rectangle) {
	h := r.Max.Y - r.Min.Y
	r = box(r.Min.X, r.Min.Y+h*0.15, r.Max.X, r.Max.Y-h*0.15)
	hatch(c, r, grey, 2.2, 9)
	outline(c, r, grey, 1.5, nil)
}

// plate writes the first of some texts that fits onto a white plate in the middle of a rectangle, or none.
func (s *sheet) plate(r vg.Rectangle, texts ...string) {
	sty := bold(min(sizeNote, (r.Max.Y-r.Min.Y)*0.6), ink)
	for _, txt := range texts {
		if sty.Font.Size >= sizeLeast && sty.Width(txt)+14 <= r.Max.X-r.Min.X {
			writeOn(s.Canvas, sty, middle(r), txt)
			return
		}
	}
}
