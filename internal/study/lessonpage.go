package study

import (
	"fmt"
	"slices"
	"strings"

	"locklab/compare"
	"locklab/history"
	"locklab/plots"
)

// The page of the whole lesson: a table and a figure for each section, how updates behave under contention, and what may be used
// for what. All of it comes from the cells under the machine's profile and from the measured records.

// A found is all that is known of one scenario of the lesson.
type found struct {
	expect   Expectation
	scenario *Experiment
	cell     *history.Cell    // under the machine's profile
	records  []history.Record // undisturbed
	row      *compare.Row
}

// find collects what is known of each scenario of the lesson, by its name.
func (l *lesson) find() map[string]*found {
	all := make(map[string]*found)
	for i, x := range lessonScenarios() {
		all[x.name] = &found{expect: x.expect, scenario: l.experiments[i]}
	}
	machine := l.result.Profile.Hash()
	for i := range l.lines.Cells {
		if c := &l.lines.Cells[i]; c.ProfileHash == machine {
			all[c.Scenario].cell = c
		}
	}
	for _, r := range l.lines.Records {
		if !r.Disturbed {
			all[r.Scenario].records = append(all[r.Scenario].records, r)
		}
	}
	for i := range l.result.Rows {
		all[l.result.Rows[i].Scenario].row = &l.result.Rows[i]
	}
	return all
}

// writePage writes the page and draws its figures.
func (l *lesson) writePage() error {
	all := l.find()
	var b strings.Builder
	fmt.Fprintf(&b, "# The lesson, predicted and measured\n\n")
	fmt.Fprintf(&b, "Simulated: %d runs of each scenario, seed %d, under the profile of this machine. Measured: %d repetitions on %s. Damage: updates lost, jobs done twice or not at all.\n",
		l.Runs, l.Seed, l.Reps, storeName(l.session.Store()))
	if l.Scale != 1 {
		fmt.Fprintf(&b, "\nEvery duration is multiplied by %g: rounds per second are those of such short rounds.\n", l.Scale)
	}
	for _, s := range sections {
		if err := l.writeSection(&b, &s, all); err != nil {
			return err
		}
	}
	if err := l.writeContention(&b); err != nil {
		return err
	}
	writeAnswer(&b, all)
	return l.out.write("lesson.md", []byte(b.String()))
}

func (l *lesson) writeSection(b *strings.Builder, s *section, all map[string]*found) error {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n", s.title, s.text)
	fmt.Fprintln(b, "| scenario | what it teaches | conflicts | damage | rejected writes | lost holds | wait for ever | verdict | as expected |")
	fmt.Fprintln(b, "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	var names []string
	for _, x := range s.scenarios {
		names = append(names, x.name)
		fmt.Fprintf(b, "| %s |\n", strings.Join(all[x.name].words(), " | "))
	}
	fmt.Fprint(b, "\nCounts are per run: simulated mean, central 95 % of the runs in brackets → every repetition measured.\n")
	var lines history.Lines
	for _, name := range names {
		if f := all[name]; f.cell != nil {
			lines.Cells = append(lines.Cells, *f.cell)
			lines.Records = append(lines.Records, f.records...)
		}
	}
	figure, err := plots.Safety(lines, names, s.title+": safety against cost")
	if err != nil {
		return err
	}
	return l.drawInto(b, figure, "section-"+s.figure, s.title+": damage or conflicts, rounds per second and commands per round of each scenario")
}

// drawInto saves a figure and shows it on the page.
func (l *lesson) drawInto(b *strings.Builder, f plots.Figure, name, alt string) error {
	fmt.Fprintf(b, "\n![%s](%s.svg)\n", alt, name)
	f.Name = name
	l.sections = append(l.sections, f)
	return l.out.draw(f, name)
}

// words are the cells of a scenario's row.
func (f *found) words() []string {
	s := f.scenario.Scenario
	words := []string{"`" + s.Name + "`", s.Teaches}
	for _, of := range []struct {
		simulated func(*history.Cell) *history.Histogram
		measured  func(*history.Record) int64
	}{
		{func(c *history.Cell) *history.Histogram { return &c.Conflicts }, func(r *history.Record) int64 { return r.Conflicts }},
		{func(c *history.Cell) *history.Histogram { return &c.Damage }, (*history.Record).Damage},
		{func(c *history.Cell) *history.Histogram { return &c.RejectedWrites }, func(r *history.Record) int64 { return r.RejectedWrites }},
		{func(c *history.Cell) *history.Histogram { return &c.LostHolds }, func(r *history.Record) int64 { return r.LostHolds }},
		{func(c *history.Cell) *history.Histogram { return &c.Never }, func(r *history.Record) int64 { return r.Never }},
	} {
		words = append(words, f.count(of.simulated, of.measured))
	}
	verdict := "–"
	if f.row != nil {
		verdict = string(f.row.Verdict)
	}
	return append(words, verdict, f.asExpected())
}

// count is a count as words: simulated → measured.
func (f *found) count(simulated func(*history.Cell) *history.Histogram, measured func(*history.Record) int64) string {
	var reps []string
	for i := range f.records {
		reps = append(reps, fmt.Sprint(measured(&f.records[i])))
	}
	if len(reps) == 0 {
		reps = []string{"–"}
	}
	if f.cell == nil {
		return "–→" + strings.Join(reps, " ")
	}
	stat := simulated(f.cell).Stat()
	text := fmt.Sprint(stat.Min)
	if stat.Min != stat.Max {
		text = fmt.Sprintf("%.1f [%d, %d]", stat.Mean, stat.P2_5, stat.P97_5)
	}
	return text + " → " + strings.Join(reps, " ")
}

// asExpected says whether both worlds show what the scenario is there to show.
func (f *found) asExpected() string {
	var missed []string
	if f.cell != nil {
		missed = f.expect.Misses(f.cell)
	}
	if measured := f.measured(); measured != nil {
		for _, m := range f.expect.Misses(measured) {
			missed = append(missed, "measured "+m)
		}
	}
	if len(missed) > 0 {
		return "NO: " + strings.Join(missed, ", ")
	}
	return "yes"
}

// measured sums the repetitions up; nil if there are none.
func (f *found) measured() *history.Cell {
	if len(f.records) == 0 {
		return nil
	}
	c := history.NewCell(f.records[0].Source)
	for i := range f.records {
		t := f.records[i].Tally()
		c.Add(&t, 0, f.records[i].Bounded)
	}
	return c
}

// writeContention writes how updates behave when more workers want them.
func (l *lesson) writeContention(b *strings.Builder) error {
	fmt.Fprintf(b, "\n## More workers\n\nThe same account without pauses, work of %g ms. A lock, and an optimistic update, let one through at a time: more workers wait, or work for nothing.\n\n", 25*l.Scale)
	fmt.Fprintln(b, "| scenario | workers | conflicts | lost updates | updates per second | commands per update | retries | wait p50, ms | wait p99, ms |")
	fmt.Fprintln(b, "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for i := range l.contended.Cells {
		c := &l.contended.Cells[i]
		fmt.Fprintf(b, "| `%s` | %s |\n", c.Scenario, strings.Join(l.contention(c), " | "))
	}
	fmt.Fprintf(b, "\n%d simulated runs each. Simulated mean → measured once, where it was and nothing disturbed it; a measured one below the simulated is most often this machine, which has few processors for so many workers. A wait is from the first try of an acquire to its success, or of an optimistic update to its last try; simulated.\n", l.contentionRuns())
	figure, err := plots.Contention(l.contended, contending, "More workers: what an update costs then")
	if err != nil {
		return err
	}
	return l.drawInto(b, figure, "contention", "Damage, updates per second, commands per update and waits, by the number of workers")
}

// contention are the words about a cell of the contention.
func (l *lesson) contention(c *history.Cell) []string {
	workers := c.Params.Set["workers"]
	i := slices.IndexFunc(l.contended.Records, func(r history.Record) bool {
		return r.Scenario == c.Scenario && r.Params.Set["workers"] == workers && !r.Disturbed
	})
	words := []string{workers}
	for _, of := range []struct {
		simulated float64
		measured  func(*history.Record) float64
	}{
		{c.Conflicts.Mean(), func(r *history.Record) float64 { return float64(r.Conflicts) }},
		{c.LostUpdates.Mean(), func(r *history.Record) float64 { return float64(r.LostUpdates) }},
		{perSecond(c.Updates.Mean(), c.EndNS.Mean()), func(r *history.Record) float64 { return perSecond(float64(r.Updates), float64(r.EndNS)) }},
		{c.Commands.Mean() / max(1, c.Updates.Mean()), func(r *history.Record) float64 { return float64(r.Commands) / max(1, float64(r.Updates)) }},
		{c.Retries.Mean(), func(r *history.Record) float64 { return float64(r.Retries) }},
	} {
		text := fmt.Sprintf("%.1f", of.simulated)
		if i >= 0 {
			text += fmt.Sprintf(" → %.1f", of.measured(&l.contended.Records[i]))
		}
		words = append(words, text)
	}
	for _, p := range []float64{0.5, 0.99} {
		words = append(words, fmt.Sprintf("%.1f", float64(c.EachWaitNS.Quantile(p))/1e6))
	}
	return words
}

// perSecond is a number of things done in so many ns, per second.
func perSecond(n, ns float64) float64 {
	if ns == 0 {
		return 0
	}
	return n / ns * 1e9
}
