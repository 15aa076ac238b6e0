package plots

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"locklab/history"
)

// Safety sets what goes wrong against what it costs: a row for each of the scenarios, in their order, with damage per 100
// rounds (conflicts, if no scenario has a resource), rounds per second and Redis commands per round. Each is shown as it was
// simulated under each profile, with its central 95 % interval, and measured. A row without damage in any run says so. An empty
// title stands for a question of the figure's own.
func Safety(l history.Lines, scenarios []string, title string) (Figure, error) {
	l.Records = undisturbed(l.Records)
	chart := newSafety(inOrder(experiments(l), scenarios))
	if len(chart.legend) == 0 {
		return Figure{}, fmt.Errorf("no safety to draw: need records or cells of runs with entries of %s", strings.Join(scenarios, ", "))
	}
	if title == "" {
		title = "What goes wrong, and what does it cost?"
	}
	f := frame{title: title, subtitle: chart.subtitle(), legend: chart.legend, numbers: chart.numbers(), body: chart.draw}
	return f.figure("safety"), nil
}

// inOrder are the experiments of the scenarios, in the order of these; an empty one where there are no runs.
func inOrder(all []experiment, scenarios []string) []experiment {
	var chosen []experiment
	for _, name := range scenarios {
		before := len(chosen)
		for _, e := range all {
			if e.Scenario == name {
				chosen = append(chosen, e)
			}
		}
		if len(chosen) == before {
			chosen = append(chosen, experiment{Source: history.Source{Scenario: name}})
		}
	}
	return chosen
}

// shortNames are names in one line each, without the folder that all of a lesson share.
func shortNames(all []experiment) []string {
	short := names(all)
	for i, n := range short {
		short[i] = strings.ReplaceAll(strings.TrimPrefix(n, "lesson/"), "\n", ", ")
	}
	return short
}

// A safety is what Safety draws: panels over the same rows.
type safety struct {
	rows   []row
	panels []column
	legend []legendEntry
}

// A row is a scenario, and what is said instead of what went wrong, if nothing did.
type row struct {
	name string
	zero bool
	said string
}

// A column is one quantity in all rows.
type column struct {
	rates
	quantity
	ruler
}

// numbers are the rates of all panels: a row for each scenario.
func (s *safety) numbers() Numbers {
	n := Numbers{Columns: []string{"scenario"}}
	for _, p := range s.panels {
		for _, from := range p.series {
			n.Columns = append(n.Columns, p.title+", "+from.name)
		}
	}
	for i := range s.rows {
		row := []string{s.rows[i].name}
		for _, p := range s.panels {
			for _, from := range p.series {
				row = append(row, from.rates[i].words())
			}
		}
		n.Rows = append(n.Rows, row)
	}
	return n
}

func newSafety(all []experiment) safety {
	wrong := newColumn(all, damage)
	if len(wrong.series) == 0 {
		wrong = newColumn(all, conflicts)
	}
	s := safety{panels: []column{wrong, newColumn(all, roundsPerSecond), newColumn(all, commandsPerRound)}}
	for i, name := range shortNames(all) {
		r := row{name: name}
		values := wrong.valuesIn(i)
		switch {
		case len(all[i].simulated)+len(all[i].measured) == 0:
			r.said = "no runs"
		case all[i].waitsForEver():
			r.said = "somebody waits for ever"
		case len(values) == 0:
			r.said = "no updates"
		case slices.Max(values) == 0:
			r.zero, r.said = true, runsOf(&all[i])
		}
		s.rows = append(s.rows, r)
	}
	for _, from := range s.panels[2].series { // commands are known wherever there are entries
		s.legend = append(s.legend, from.dotLegend())
	}
	return s
}

func newColumn(all []experiment, q quantity) column {
	d := column{quantity: q}
	d.addRuns(all, q)
	var values []float64
	for i := range all {
		values = append(values, d.valuesIn(i)...)
	}
	d.ruler = q.rulerFor(values)
	return d
}

// valuesIn are all values of a row.
func (d *column) valuesIn(row int) []float64 {
	var values []float64
	for _, s := range d.series {
		values = append(values, s.rates[row].values()...)
	}
	return values
}

// waitsForEver reports whether in some run somebody waits for a lock that nobody will free.
func (e *experiment) waitsForEver() bool {
	simulated := slices.ContainsFunc(e.simulated, func(s simulation) bool { return s.sum.Never.Stat().Max > 0 })
	return simulated || slices.ContainsFunc(e.measured, func(r history.Record) bool { return r.Never > 0 })
}

// runsOf says how many runs there are of an experiment.
func runsOf(e *experiment) string {
	var runs int64
	for i := range e.simulated {
		runs += e.simulated[i].sum.Runs
	}
	var said []string
	if runs > 0 {
		said = append(said, fmt.Sprintf("%d simulated", runs))
	}
	if n := len(e.measured); n > 0 {
		said = append(said, fmt.Sprintf("%d measured", n))
	}
	return "in " + strings.Join(said, " and ") + " runs"
}

func (s *safety) subtitle() string {
	said := ""
	for _, from := range s.panels[2].series {
		if from.spread {
			said = "Mark: mean.  Line: central 95 % of the simulated runs."
		}
		if from.name == "measured" {
			said += "  Dot: one measured repetition."
		}
	}
	said += "  Bar: the largest mean."
	if s.panels[1].log || s.panels[2].log {
		said += "  Uneven scale: logarithmic."
	}
	return strings.TrimSpace(said)
}

func (s *series) dotLegend() legendEntry {
	return legendEntry{s.name, func(c draw.Canvas, r vg.Rectangle) {
		if s.spread {
			lyingWhisker(c, s.color, r.Min.X, r.Max.X, middle(r).Y)
		}
		s.glyph(c, s.color, middle(r), 5)
	}}
}
