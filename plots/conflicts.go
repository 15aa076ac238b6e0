package plots

import (
	"errors"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"locklab/history"
)

// Conflicts draws the conflict rate of each scenario: published, simulated under each profile with its central
// 95 % interval, and measured. captions may say in a few words what a scenario, given by its name, is about.
func Conflicts(l history.Lines, captions map[string]string) (Figure, error) {
	chart := newRates(experiments(l), captions)
	if len(chart.series) == 0 {
		return Figure{}, errors.New("no conflict rates to draw: need records or cells of runs with entries, or published counts")
	}
	f := frame{title: "How often does the lock fail?", subtitle: chart.subtitle(), body: chart.draw, numbers: chart.numbers()}
	for _, s := range chart.series {
		f.legend = append(f.legend, s.legend())
	}
	return f.figure("conflicts"), nil
}

// A rate is a conflict rate in percent, or another quantity: a mean, the interval around it where lo < hi or dots for each repetition.
type rate struct {
	mean, lo, hi float64
	dots         []float64
}

// A series is one source of rates, and how it looks.
type series struct {
	name   string
	color  color.NRGBA
	glyph  glyph
	spread bool   // it has intervals
	rates  []rate // one for each column; NaN where there is none
}

// rates is what the chart of Conflicts shows.
type rates struct {
	columns []string // the labels below
	series  []series
}

func newRates(all []experiment, captions map[string]string) rates {
	r := rates{columns: names(all)}
	for i, e := range all {
		if caption := captions[e.Scenario]; caption != "" {
			r.columns[i] += "\n" + caption
		}
	}
	r.add(all, series{name: "published", color: ink, glyph: diamond}, publishedRate)
	r.addRuns(all, conflicts)
	return r
}

// addRuns takes up a series for each profile that was simulated, and one of what was measured.
func (r *rates) addRuns(all []experiment, q quantity) {
	looks := []series{{color: blue, glyph: square}, {color: green, glyph: triangle}, {color: purple, glyph: pointer}, {color: sky, glyph: square}}
	shown := profiles(all)
	for i, p := range shown {
		look := looks[i%len(looks)]
		look.name, look.spread = "simulated, "+profileName(p, shown), true
		r.add(all, look, func(e *experiment) (rate, bool) { return q.simulatedIn(e, p) })
	}
	r.add(all, series{name: "measured", color: vermillion, glyph: circle}, q.measuredIn)
}

// profileName is a profile's name, with its hash if another has the same name.
func profileName(p profile, all []profile) string {
	same := func(o profile) bool { return o.name == p.name && o.hash != p.hash }
	if slices.ContainsFunc(all, same) {
		return p.name + " #" + clipHash(p.hash)
	}
	return p.name
}

// add takes up a series unless no experiment has a rate for it.
func (r *rates) add(all []experiment, s series, of func(*experiment) (rate, bool)) {
	found := false
	for i := range all {
		v, ok := of(&all[i])
		if !ok {
			v.mean = math.NaN()
		}
		found = found || ok
		s.rates = append(s.rates, v)
	}
	if found {
		r.series = append(r.series, s)
	}
}

func publishedRate(e *experiment) (rate, bool) {
	p := e.Published
	if p == nil || p.Entries == 0 {
		return rate{}, false
	}
	return rate{mean: percent(float64(p.Conflicts), float64(p.Entries))}, true
}

func conflictRate(s *history.Cell) (rate, bool) { return rateOf(&s.Conflicts, &s.Entries) }

// rateOf divides by the mean number of entries, which in most scenarios is the same in every run. It reports false if
// there were none.
func rateOf(counts, entries *history.Histogram) (rate, bool) {
	r, ok := quotient(counts, entries, 100)
	r.hi = min(100, r.hi)
	return r, ok
}

func percent(part, whole float64) float64 { return 100 * part / whole }

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// top is the upper end of the axis.
func (r *rates) top() float64 {
	most := 0.0
	for _, s := range r.series {
		for _, v := range s.rates {
			for _, x := range append([]float64{v.mean, v.hi}, v.dots...) {
				if x > most {
					most = x
				}
			}
		}
	}
	return roundTop(most / 0.95)
}

// roundTop is a round number of percent at or above every value, at most 100 and at least 1.
func roundTop(most float64) float64 {
	for _, top := range []float64{1, 2, 5, 10, 20, 50} {
		if most <= top {
			return top
		}
	}
	return 100
}

func (r *rates) subtitle() string {
	said := []string{"bar: mean"}
	for _, s := range r.series {
		if s.spread {
			said = append(said, "line: central 95 % of the simulated runs")
			break
		}
	}
	if r.series[len(r.series)-1].name == "measured" {
		said = append(said, "dot: one repetition")
	}
	return "Conflict: an entry into the critical section that finds another worker inside.  " + capitalise(strings.Join(said, ", ")) + "."
}

func capitalise(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func (s *series) legend() legendEntry {
	return legendEntry{s.name, func(c draw.Canvas, r vg.Rectangle) {
		fill(c, r, tint(s.color, 0.3))
		if s.spread {
			whisker(c, s.color, middle(r).X, r.Min.Y, r.Max.Y)
		}
		s.glyph(c, s.color, middle(r), 5)
	}}
}

func whisker(c draw.Canvas, clr color.NRGBA, x, y0, y1 vg.Length) {
	line(c, clr, 2.5, nil, x, y0, x, y1)
	line(c, clr, 2.5, nil, x-5, y0, x+5, y0)
	line(c, clr, 2.5, nil, x-5, y1, x+5, y1)
}

func (r *rates) draw(c draw.Canvas) {
	p := plot.New()
	styleAxis(&p.X, "scenario")
	styleAxis(&p.Y, "conflict rate: conflicts / entries (%)")
	p.X.Min, p.X.Max = 0, float64(len(r.columns))
	p.Y.Min, p.Y.Max = 0, r.top()
	p.Y.Tick.Marker = steps(roundStep(p.Y.Max, 5))
	room := (c.Max.X - c.Min.X - 75) / vg.Length(len(r.columns))
	labels, size := r.labels(room - 8)
	p.X.Tick.Marker = labels
	p.X.Tick.Length, p.X.Tick.LineStyle.Color = 8, white // keeps the markers of zeros off the labels
	p.X.Tick.Label.Font.Size = size
	p.Add(r)
	p.Draw(c)
}

// labels breaks the columns' labels into lines no wider than room, in one size for all.
func (r *rates) labels(room vg.Length) (plot.ConstantTicks, vg.Length) {
	sty := sans(sizeTick, ink)
	for _, l := range r.columns {
		sty = fit(sty, wrap(sty, l, room), room)
	}
	broken := make([]string, len(r.columns))
	lines := 0
	for i, l := range r.columns {
		broken[i] = wrap(sty, l, room)
		lines = max(lines, strings.Count(broken[i], "\n"))
	}
	ticks := make(plot.ConstantTicks, len(broken))
	for i, l := range broken {
		ticks[i] = plot.Tick{
			Value: float64(i) + 0.5,
			Label: clip(sty, l, room) + strings.Repeat("\n ", lines-strings.Count(l, "\n")), // all begin at one height
		}
	}
	return ticks, sty.Font.Size
}

// Plot draws the bars. It makes rates a plot.Plotter.
func (r *rates) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		line(c, greyLight, 1, nil, c.Min.X, y(tick.Value), c.Max.X, y(tick.Value))
	}
	slot := 0.8 / float64(len(r.series))
	for i := range r.columns {
		if i > 0 {
			line(c, greyLight, 1, []vg.Length{2, 3}, x(float64(i)), c.Min.Y, x(float64(i)), c.Max.Y)
		}
		for k := range r.series {
			left := float64(i) + 0.1 + slot*float64(k)
			r.series[k].drawBar(c, r.series[k].rates[i], y, x(left), x(left+slot))
		}
	}
}

func (s *series) drawBar(c draw.Canvas, v rate, y func(float64) vg.Length, left, right vg.Length) {
	if math.IsNaN(v.mean) {
		return
	}
	w, mid := min(right-left, 70), (left+right)/2
	bar := box(mid-w*0.44, y(0), mid+w*0.44, y(v.mean))
	fill(c, bar, tint(s.color, 0.3))
	line(c, s.color, 2, nil, bar.Min.X, bar.Max.Y, bar.Max.X, bar.Max.Y)
	radius := min(5.5, w*0.3)
	if v.hi > v.lo {
		whisker(c, s.color, mid, y(v.lo), y(v.hi))
	}
	if v.dots == nil {
		s.glyph(c, s.color, vg.Point{X: mid, Y: y(v.mean)}, radius)
	}
	for i, dot := range v.dots {
		off := w * 0.72 * vg.Length((float64(i)+0.5)/float64(len(v.dots))-0.5)
		s.glyph(c, s.color, vg.Point{X: mid + off, Y: y(dot)}, min(radius, 4.5))
	}
}
