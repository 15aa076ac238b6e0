package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"locklab/history"
)

// Contention shows how damage per 100 rounds, updates per second, Redis commands per update and the 99th percentile of the
// wait for the lock grow with the number of workers: a line for each of the scenarios as they were simulated, a mark for each
// measured run, which knows no percentile of its waits. It takes the lines in which "workers" was set, and, of several profiles,
// the one that the measurements answer to. Of the scenarios, nine at most, the first should be the one without protection; those
// that never have any of a quantity are named instead of drawn. An empty title stands for a question of the figure's own.
func Contention(l history.Lines, scenarios []string, title string) (Figure, error) {
	l.Records = undisturbed(l.Records)
	chart, err := newContention(experiments(l), scenarios)
	if err != nil {
		return Figure{}, err
	}
	if title == "" {
		title = "How does it grow with the number of workers?"
	}
	f := frame{title: title, subtitle: chart.subtitle(), legend: chart.legend(), numbers: chart.numbers(), body: chart.draw}
	return f.figure("contention"), nil
}

// A contention is what Contention draws.
type contention struct {
	profile string // empty if nothing was simulated
	growths []growth
	x       ruler
	panels  []facet
}

// A growth is one scenario over numbers of workers, and how it looks.
type growth struct {
	name string
	look
	at []crowd // ascending
}

// A crowd is a scenario with a number of workers.
type crowd struct {
	workers float64
	experiment
}

// A facet is one quantity of all scenarios.
type facet struct {
	quantity
	y      ruler
	lines  [][]rate // by scenario and crowd: simulated; NaN where it is not known
	marks  [][]rate // measured
	spared []bool   // the scenarios of which all is 0, which is said in words
}

// A look tells a scenario from the others.
type look struct {
	color  color.NRGBA
	dashes []vg.Length
	glyph  glyph
}

var longDashes, shortDashes = []vg.Length{10, 4}, []vg.Length{3, 3}

// The first is for the scenario that does nothing against what goes wrong.
var growthLooks = []look{
	{vermillion, nil, circle}, {ink, nil, square}, {blue, longDashes, triangle}, {green, nil, diamond}, {purple, nil, pointer},
	{sky, longDashes, circle}, {orange, nil, square}, {grey, shortDashes, triangle}, {green, shortDashes, cross},
}

func newContention(all []experiment, scenarios []string) (*contention, error) {
	if len(scenarios) > len(growthLooks) {
		return nil, fmt.Errorf("contention of %d scenarios: %d at most can be told apart; draw fewer", len(scenarios), len(growthLooks))
	}
	c := new(contention)
	var counts []float64
	for i, name := range scenarios {
		g, err := growthOf(all, name)
		if err != nil {
			return nil, err
		}
		g.look = growthLooks[i]
		for _, k := range g.at {
			counts = append(counts, k.workers)
		}
		c.growths = append(c.growths, g)
	}
	if len(counts) == 0 {
		return nil, fmt.Errorf("no contention to draw: need records or cells of %s that set workers, e.g. of a sweep with --axis workers=2,4,8", strings.Join(scenarios, ", "))
	}
	c.x = workerRuler(counts)
	assumed := c.assumed()
	for _, q := range []quantity{damage, updatesPerSecond, commandsPerUpdate, longWait} {
		c.panels = append(c.panels, c.facet(q, assumed))
	}
	return c, nil
}

// numbers are the rates of all panels: a row for each scenario and number of workers.
func (c *contention) numbers() Numbers {
	n := Numbers{Columns: []string{"scenario", "workers"}}
	for _, p := range c.panels {
		n.Columns = append(n.Columns, p.title+", simulated", p.title+", measured")
	}
	for i, g := range c.growths {
		for k, crowd := range g.at {
			row := []string{g.name, fmt.Sprint(crowd.workers)}
			for _, p := range c.panels {
				row = append(row, p.lines[i][k].words(), p.marks[i][k].words())
			}
			n.Rows = append(n.Rows, row)
		}
	}
	return n
}

// growthOf puts a scenario's experiments in the order of their workers.
func growthOf(all []experiment, scenario string) (growth, error) {
	g := growth{name: strings.TrimPrefix(scenario, "lesson/")}
	for _, e := range all {
		if n := parse(number, e.Params.Set["workers"]); e.Scenario == scenario && n > 0 {
			g.at = append(g.at, crowd{n, e})
		}
	}
	slices.SortStableFunc(g.at, func(a, b crowd) int { return cmp.Compare(a.workers, b.workers) })
	for i := 1; i < len(g.at); i++ {
		if g.at[i].workers == g.at[i-1].workers {
			return g, fmt.Errorf("%s with %g workers is there in two versions or with two sets of parameters: draw one at a time", scenario, g.at[i].workers)
		}
	}
	return g, nil
}

// workerRuler is logarithmic, with a tick for each number of workers.
func workerRuler(counts []float64) ruler {
	slices.Sort(counts)
	counts = slices.Compact(counts)
	const beyond = 0.1
	return ruler{lo: math.Log10(counts[0]) - beyond, hi: math.Log10(counts[len(counts)-1]) + beyond, log: true, one: 1, values: counts}
}

// assumed is the profile whose simulations are drawn.
func (c *contention) assumed() profile {
	var all []experiment
	for _, g := range c.growths {
		for _, k := range g.at {
			all = append(all, k.experiment)
		}
	}
	ps := profiles(all)
	if len(ps) == 0 {
		return profile{}
	}
	last := ps[len(ps)-1]
	c.profile = profileName(last, ps)
	return last
}

func (c *contention) facet(q quantity, p profile) facet {
	m := facet{quantity: q}
	var values []float64
	for _, g := range c.growths {
		var of []float64
		var lines, marks []rate
		for i := range g.at {
			simulated, ok := q.simulatedIn(&g.at[i].experiment, p)
			if !ok {
				simulated.mean = math.NaN()
			}
			measured, ok := q.measuredIn(&g.at[i].experiment)
			if !ok {
				measured.mean = math.NaN()
			}
			simulated.lo, simulated.hi = 0, 0 // not drawn
			of = append(append(of, simulated.values()...), measured.values()...)
			lines, marks = append(lines, simulated), append(marks, measured)
		}
		m.lines, m.marks = append(m.lines, lines), append(m.marks, marks)
		spared := len(of) > 0 && slices.Max(of) == 0
		m.spared = append(m.spared, spared)
		if !spared {
			values = append(values, of...)
		}
	}
	m.y = q.rulerFor(values)
	return m
}

func (c *contention) subtitle() string {
	said := "Line: mean of the simulated runs, profile " + c.profile + ".  Mark: one measured run."
	switch {
	case c.profile == "":
		said = "Mark: one measured run."
	case !c.isMeasured():
		said = "Line with marks: mean of the simulated runs, profile " + c.profile + "."
	}
	return said + "  What would be on top of each other is side by side."
}

func (c *contention) isMeasured() bool {
	return slices.ContainsFunc(c.growths, func(g growth) bool {
		return slices.ContainsFunc(g.at, func(k crowd) bool { return len(k.measured) > 0 })
	})
}

func (c *contention) legend() []legendEntry {
	var entries []legendEntry
	for _, g := range c.growths {
		entries = append(entries, legendEntry{g.name, func(to draw.Canvas, r vg.Rectangle) {
			line(to, g.color, 3, g.dashes, r.Min.X, middle(r).Y, r.Max.X, middle(r).Y)
			g.glyph(to, g.color, middle(r), 5)
		}})
	}
	return entries
}
