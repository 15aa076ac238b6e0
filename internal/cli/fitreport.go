package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"locklab/internal/study"
	"locklab/scenarios"
)

// A fitReport is a fit's result as words, for the terminal or for Markdown.
type fitReport struct {
	head   string
	tables []fitTable
	notes  [][]string // paragraphs
}

// A fitTable is titles, each with a second line, and rows of as many cells.
type fitTable struct {
	titles [][2]string
	rows   [][]string
	flags  uint // of a tabwriter
}

func newFitReport(r *study.FitResult, best int) *fitReport {
	runs := fmt.Sprintf("%s, %d runs of each", number(int64(r.Combinations), "combination"), r.Runs)
	if r.RefinedRuns > r.Runs {
		runs += fmt.Sprintf(", %d of the %d near the best", r.RefinedRuns, r.Refined)
	}
	return &fitReport{
		head:   fmt.Sprintf("%s; seed %d, profile %s%s", runs, r.Seed, r.Profile, changed(r.Params)),
		tables: []fitTable{bestOf(r, best), axesOf(r)},
		notes:  [][]string{{ridge(r)}, r.Notes, r.Unexplained, {fitLegend}},
	}
}

const fitLegend = `log L: logarithm of the likelihood of all counts, the sum of the scenarios' own; ± its standard deviation, as the
  runs are a sample. Δ: how far below the best. In brackets: mean conflicts, and rejected writes where counted.`

// bestOf is the table of the best combinations.
func bestOf(r *study.FitResult, best int) fitTable {
	t := fitTable{flags: tabwriter.AlignRight}
	for _, a := range r.Axes {
		t.titles = append(t.titles, [2]string{"", scenarios.ShortName(a.Path)})
	}
	t.titles = append(t.titles, [2]string{"", "log L"}, [2]string{"", "±"}, [2]string{"", "Δ"})
	for _, p := range r.Best.Parts {
		t.titles = append(t.titles, [2]string{p.Scenario, countsOf(r, p.Scenario)})
	}
	for rank := range min(best, r.Combinations) {
		c := r.Combination(rank)
		var row []string
		for _, a := range r.Axes {
			row = append(row, c.Set[a.Path])
		}
		deviation := "–"
		if c.Error != nil {
			deviation = twoDigits(*c.Error)
		}
		row = append(row, twoDigits(c.Log), deviation, twoDigits(c.Delta))
		for _, p := range c.Parts {
			means := textMean(p.Conflicts)
			if p.RejectedWrites != nil {
				means += ", " + textMean(*p.RejectedWrites)
			}
			row = append(row, fmt.Sprintf("%s (%s)", twoDigits(p.Log), means))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// countsOf is what was counted of a scenario: "31 of 80", "15, 15 rejected", or how many runs were measured.
func countsOf(r *study.FitResult, scenario string) string {
	text, runs := "", int64(0)
	for _, c := range r.Counts {
		if c.Scenario != scenario {
			continue
		}
		runs += c.Times
		text = fmt.Sprintf("%d of %d", c.Conflicts, c.Entries)
		if c.RejectedWrites != nil {
			text = fmt.Sprintf("%d, %d rejected", c.Conflicts, *c.RejectedWrites)
		}
	}
	if runs > 1 {
		return number(runs, "run")
	}
	return text
}

// axesOf is the table of what the counts say about each axis.
func axesOf(r *study.FitResult) fitTable {
	t := fitTable{titles: [][2]string{{"", "axis"}, {"", "best"}, {"", "on the ridge"}, {"", "Δ of each value, with the others at their best"}}}
	for _, a := range r.Axes {
		t.rows = append(t.rows, []string{a.Path, a.Best, stretches(&a), profileOf(&a)})
	}
	return t
}

// stretches are the values on the ridge; three or more that follow each other by the first and the last.
func stretches(a *study.FitAxis) string {
	if len(a.InRegion) == len(a.Values) && len(a.Values) > 1 {
		return "all"
	}
	var words []string
	for from := 0; from < len(a.InRegion); {
		place := slices.Index(a.Values, a.InRegion[from])
		n := 1
		for from+n < len(a.InRegion) && place+n < len(a.Values) && a.Values[place+n] == a.InRegion[from+n] {
			n++
		}
		if n > 2 {
			words = append(words, a.InRegion[from]+" to "+a.InRegion[from+n-1])
		} else {
			words = append(words, a.InRegion[from:from+n]...)
		}
		from += n
	}
	return strings.Join(words, ", ")
}

// profileOf is the profile of an axis, value by value if there are not too many for a line.
func profileOf(a *study.FitAxis) string {
	const many = 12
	if len(a.Values) > many {
		return fmt.Sprintf("of %d values; --figure draws it, --json lists it", len(a.Values))
	}
	var words []string
	for i, v := range a.Values {
		words = append(words, fmt.Sprintf("%s %.1f", v, a.Delta[i]))
	}
	return strings.Join(words, ", ")
}

// ridge says how many combinations the counts do not tell from the best.
func ridge(r *study.FitResult) string {
	if r.Region.Parameters == 0 {
		return "There is only one combination, and nothing to choose from."
	}
	return fmt.Sprintf(`ridge: %d of %d combinations are within Δ %.2f, and the counts do not tell them from the best (half of the 95 %%
  quantile of χ², %s). Of many counts it holds the truth in 95 %% of all cases, of few in about as many or more.`,
		r.Region.Combinations, r.Combinations, r.Region.Delta, number(int64(r.Region.Parameters), "parameter"))
}

func twoDigits(v float64) string { return strings.Replace(fmt.Sprintf("%.2f", v), "-0.00", "0.00", 1) }

func (f *fitReport) write(w io.Writer, markdown bool) error {
	var b strings.Builder
	write := (*fitTable).writeText
	if markdown {
		write = (*fitTable).writeMarkdown
	}
	b.WriteString(f.head + "\n")
	for i := range f.tables {
		b.WriteString("\n")
		write(&f.tables[i], &b)
	}
	for _, lines := range f.notes {
		if len(lines) > 0 {
			b.WriteString("\n" + strings.Join(lines, "\n") + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *fitTable) writeText(b *strings.Builder) {
	var top, below []string
	for _, title := range t.titles {
		top, below = append(top, title[0]), append(below, title[1])
	}
	rows := append([][]string{below}, t.rows...)
	if strings.Join(top, "") != "" {
		rows = append([][]string{top}, rows...)
	}
	var text strings.Builder
	out := tabwriter.NewWriter(&text, 0, 0, 2, ' ', t.flags)
	for _, row := range rows {
		fmt.Fprintln(out, strings.Join(row, "\t")+"\t")
	}
	out.Flush()
	for line := range strings.Lines(text.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

func (t *fitTable) writeMarkdown(b *strings.Builder) {
	var titles []string
	for _, title := range t.titles {
		titles = append(titles, strings.TrimSpace(title[0]+" "+title[1]))
	}
	rows := append([][]string{titles, slices.Repeat([]string{"---"}, len(titles))}, t.rows...)
	for _, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
}
