package compare

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Shown is how many of the largest discrepancies a text shows; the JSON has all.
const Shown = 10

// calibrationLegend says how to read a calibration.
const calibrationLegend = "u: the share of simulated runs below what was measured, ties broken by chance. If the predictions are " +
	"right, it is uniform; KS is its largest distance from that, p the chance of at least that distance, and all tenths are in the " +
	"band in at least 95 % of all cases. An interval is closed and may hold more than its share of the simulated runs, because " +
	"many are equal: expected is what it holds on average. Inside: cells measured inside of it, with Wilson's 95 % interval. " +
	"Overlap is kept in buckets of at most 1 %, and what lies in one bucket counts as equal."

// A section is a part of a calibration: a table whose first row names the columns, and lines below it.
type section struct {
	rows  [][]string
	notes []string
}

// A namedScore is the score of one measure, and how its widths are written.
type namedScore struct {
	name  string
	score *Score
	width func(float64) string
}

func (c *Calibration) scores() []namedScore {
	return []namedScore{
		{conflicts.name, &c.Conflicts, func(v float64) string { return fmt.Sprintf("%g", v) }},
		{overlap.name, &c.Overlap, func(v float64) string { return milliseconds(v) + " ms" }},
	}
}

func milliseconds(ns float64) string { return fmt.Sprintf("%.4g", ns/1e6) }

// heading says what the calibration is of.
func (c *Calibration) heading() [][2]string {
	profiles := none
	if len(c.Profiles) > 0 {
		profiles = strings.Join(c.Profiles, ", ")
	}
	cells := fmt.Sprintf("%d cells", c.Cells)
	if c.Cells == 1 {
		cells = "1 cell"
	}
	h := [][2]string{
		{"calibration", cells + " under " + profiles + "; of each the first repetition that was not cut short"},
		{"seed", fmt.Sprint(c.Seed)},
	}
	for _, l := range c.LeftOut {
		h = append(h, [2]string{"left out", l.Cell + ": " + l.Why})
	}
	return h
}

// sections are the parts that have something to say.
func (c *Calibration) sections() []section {
	all := []section{c.uniformity(), c.coverage(), c.discrepancies()}
	return slices.DeleteFunc(all, func(s section) bool { return len(s.rows) == 1 })
}

func (c *Calibration) uniformity() section {
	rows := [][]string{{"", "no spread", "spread", "KS", "p", "u by tenths", "band"}}
	for _, m := range c.scores() {
		degenerate := fmt.Sprintf("%d, %d as predicted", m.score.Degenerate.N, m.score.Degenerate.Equal)
		row := []string{m.name, degenerate, fmt.Sprint(m.score.WithSpread), none, none, none, none}
		if p := m.score.PIT; p != nil {
			row[3], row[4] = fmt.Sprintf("%.3f", p.KS), probability(&p.P)
			row[5] = strings.Trim(fmt.Sprint(p.Bins), "[]")
			row[6] = fmt.Sprintf("%d–%d", p.BandLow, p.BandHigh)
		}
		rows = append(rows, row)
	}
	return section{rows: rows}
}

func (c *Calibration) coverage() section {
	rows := [][]string{{"", "interval", "expected", "inside", "", "95 % (Wilson)", "median width", "under ideal: inside", "width"}}
	for _, m := range c.scores() {
		for _, v := range m.score.Coverage {
			row := []string{
				m.name, fmt.Sprintf("%g %%", 100*v.Nominal), percent(v.Expected),
				fmt.Sprintf("%d of %d", v.Inside, v.N), percent(v.Share()),
				percent(v.Low) + " – " + percent(v.High), m.width(v.Width), none, none,
			}
			if v.InsideIdeal != nil {
				row[7], row[8] = fmt.Sprintf("%d of %d", *v.InsideIdeal, v.N), m.width(*v.WidthIdeal)
			}
			rows = append(rows, row)
		}
	}
	return section{rows: rows}
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func (c *Calibration) discrepancies() section {
	s := section{rows: [][]string{{"largest first", "p", "conflicts: predicted", "measured", "u", "overlap in ms: predicted", "measured", "u"}}}
	count := func(v int64) string { return fmt.Sprint(v) }
	inMS := func(v int64) string { return milliseconds(float64(v)) }
	for i := range c.Largest[:min(Shown, len(c.Largest))] {
		x := &c.Largest[i]
		row := append([]string{x.Cell, probability(&x.P)}, x.Conflicts.words(count)...)
		s.rows = append(s.rows, append(row, x.Overlap.words(inMS)...))
		if x.Why != "" {
			s.notes = append(s.notes, x.Cell+": "+x.Why)
		}
	}
	if c.Cells > 0 {
		s.notes = append(s.notes, fmt.Sprintf("p: how likely a run at least as far off is, by conflicts or by overlap, if the "+
			"prediction is right. Even if all %d are right, one or two cells may well have a p of at most %.2g.", c.Cells, 1/float64(c.Cells)))
	}
	return s
}

// words are median and central 95 %, the measured number and its transform.
func (f *Forecast) words(number func(int64) string) []string {
	predicted := number(f.Median)
	if f.U == nil {
		return []string{predicted, number(f.Measured), none}
	}
	central := f.Central95()
	predicted += fmt.Sprintf(" [%s, %s]", number(central.Low), number(central.High))
	return []string{predicted, number(f.Measured), fmt.Sprintf("%.3f", *f.U)}
}

// WriteText writes the calibration for a terminal.
func (c *Calibration) WriteText(w io.Writer) error {
	lines := headText(c.heading())
	for _, s := range c.sections() {
		lines = append(append(lines, ""), align(s.rows)...)
		for _, note := range s.notes {
			lines = append(lines, wrap(note)...)
		}
	}
	lines = append(append(lines, ""), wrap(calibrationLegend)...)
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// WriteMarkdown writes what WriteText does, as Markdown that can be pasted into a text.
func (c *Calibration) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString(headMarkdown(c.heading()))
	for _, s := range c.sections() {
		b.WriteString("\n")
		for i, row := range s.rows {
			fmt.Fprintf(&b, "| %s |\n", escape(row...))
			if i == 0 {
				fmt.Fprintf(&b, "|%s\n", strings.Repeat(" --- |", len(row)))
			}
		}
		for _, note := range s.notes {
			fmt.Fprintf(&b, "\n%s\n", escape(note))
		}
	}
	fmt.Fprintf(&b, "\n%s\n", calibrationLegend)
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteJSON writes the calibration as one JSON line.
func (c *Calibration) WriteJSON(w io.Writer) error { return newEncoder(w).Encode(c) }
