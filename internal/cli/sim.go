package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"locklab/history"
	"locklab/internal/study"
)

// simCommand is what sim was asked for.
type simCommand struct {
	with    experimentFlags
	profile profileFlag
	seed    uint64
	runs    int
	output  string
	json    bool
}

func newSim() *cobra.Command {
	var c simCommand
	cmd := &cobra.Command{
		Use:   "sim SCENARIO...",
		Short: "Simulate: many seeded runs, and the distribution of everything that is counted",
		Long: `Simulates many runs of each scenario on a virtual clock and prints the
distribution of everything that is counted. The same command line gives the same
numbers, on every machine.`,
		Example: `  locklab sim lesson/d
  locklab sim lesson/d lesson/e --runs 1000 --set pauses[0].for=2s
  locklab sim mine.yaml --profile machine -o predicted.jsonl`,
		Args: atLeastOne("a scenario; `locklab scenarios list` shows what is built in"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.IntVar(&c.runs, "runs", 10_000, "runs of each scenario")
	flags.StringVarP(&c.output, "output", "o", "", "write a record of every run to this `FILE` (JSON lines); - for standard output instead of the table")
	flags.BoolVar(&c.json, "json", false, "print the table as JSON lines")
	seedFlag(flags, &c.seed)
	c.profile.register(flags, "lab")
	c.with.register(flags)
	return cmd
}

func (c *simCommand) run(cmd *cobra.Command, args []string) error {
	if err := atLeast("runs", c.runs, 1); err != nil {
		return err
	}
	experiments, err := c.with.load(args)
	if err != nil {
		return err
	}
	out, err := openSink(c.output, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	prediction, err := c.prediction(cmd, out)
	if err != nil {
		return err
	}
	bar := newBars(cmd.ErrOrStderr())
	bar.Begin("simulate", c.runs*len(experiments))
	prediction.Done = bar.Add
	tables, err := c.simulate(cmd.Context(), prediction, experiments)
	bar.End()
	if closing := out.close(); err == nil {
		err = closing
	}
	if err != nil || c.output == "-" {
		return err
	}
	return c.print(cmd.OutOrStdout(), tables)
}

func (c *simCommand) prediction(cmd *cobra.Command, out io.Writer) (*study.Prediction, error) {
	profile, err := c.profile.load(cmd.ErrOrStderr(), measureUsual(cmd))
	if err != nil {
		return nil, err
	}
	p := &study.Prediction{Profile: profile, Seed: c.seed, Runs: c.runs}
	if c.output != "" {
		p.Each = func(r *history.Record) error { return history.WriteLine(out, r) }
	}
	return p, nil
}

// A simTable is the outcome for one scenario.
type simTable struct {
	cell  *history.Cell
	took  time.Duration
	about []string // the lock, if it is a library's
}

func (c *simCommand) simulate(ctx context.Context, p *study.Prediction, experiments []*study.Experiment) ([]simTable, error) {
	var tables []simTable
	for _, e := range experiments {
		begin := time.Now()
		cell, err := p.Predict(ctx, e)
		if err != nil {
			return nil, err
		}
		tables = append(tables, simTable{cell, time.Since(begin), study.AboutPreset(e.Scenario)})
	}
	return tables, nil
}

func (c *simCommand) print(w io.Writer, tables []simTable) error {
	for i, t := range tables {
		var err error
		if c.json {
			err = t.writeJSON(w)
		} else {
			if i > 0 {
				fmt.Fprintln(w)
			}
			err = t.writeText(w)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A simRow is a quantity that sim shows.
type simRow struct {
	name string
	unit float64 // how much of the value makes one of what is shown as text
	stat history.Stat
}

// simRows are what sim shows, in order: what there is of a resource only if there is one.
func simRows(c *history.Cell) []simRow {
	var rows []simRow
	resource := c.Updates.Stat().Max > 0
	for _, v := range c.Values() {
		if stat := v.Stat(); stat.Max > 0 || !history.IsSpecial(v.Name) || resource && v.Name != "never" {
			rows = append(rows, simRow{v.Name, unitOf(v.Name), stat})
		}
	}
	if c.EachWaitNS.Total() > 0 {
		rows = append(rows, simRow{"each_wait_ns", unitOf("each_wait_ns"), c.EachWaitNS.Stat()})
	}
	return rows
}

// unitOf is 1, or of a duration a millisecond.
func unitOf(field string) float64 {
	if strings.HasSuffix(field, "_ns") {
		return 1e6
	}
	return 1
}

func (t *simTable) writeText(w io.Writer) error {
	c := t.cell
	fmt.Fprintf(w, "%s: %d runs, seed %d, profile %s%s\n", c.Scenario, c.Runs, c.Seed, c.Profile, changed(c.Params))
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "\tmean\tsd\tmin\t2.5 %\t50 %\t97.5 %\tmax\t")
	zero := ""
	for _, r := range simRows(c) {
		if r.stat.Max == 0 && r.name != "conflicts" {
			zero += ", " + strings.TrimSuffix(textName(r.name), ", ms")
			continue
		}
		fmt.Fprintf(out, "%s\t%s\t\n", textName(r.name), textStat(r.stat, r.unit))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if zero != "" {
		fmt.Fprintf(w, "0 in every run: %s\n", zero[2:])
	}
	fmt.Fprintf(w, "runs with a conflict: %d of %d\n", c.Conflicts.NonZero(), c.Runs)
	if finding := history.SilentFailure(c.Conflicts.Stat().Mean, c.LostHolds.Stat().Mean); finding != "" {
		fmt.Fprintln(w, finding)
	}
	for _, line := range t.about {
		fmt.Fprintln(w, line)
	}
	if c.Bounded > 0 {
		fmt.Fprintf(w, "%d runs were cut short after very many events.\n", c.Bounded)
	}
	return nil
}

// changed says what was changed from the scenario as written.
func changed(p history.Params) string {
	text := ""
	if p.Scale != 1 {
		text += fmt.Sprintf(", scale %g", p.Scale)
	}
	for _, path := range sortedKeys(p.Set) {
		text += fmt.Sprintf(", %s=%s", path, p.Set[path])
	}
	return text
}

// textName is a field's name for people: durations are shown in ms.
func textName(field string) string {
	names := map[string]string{
		"overlap_ns": "overlap, ms", "false_belief_ns": "false belief, ms", "wait_ns": "waits in all, ms",
		"wait_max_ns": "longest wait, ms", "end_ns": "end, ms", "rejected_writes": "rejected writes", "lost_holds": "lost holds",
		"gave_up": "gave up", "late_writes": "late writes", "stale_writes": "stale writes", "lost_updates": "lost updates",
		"done_twice": "done twice", "not_done": "not done", "missing": "missing from the balance", "wasted_ns": "wasted, ms",
		"each_wait_ns": "each wait, ms", "never": "waits for ever",
	}
	if name, ok := names[field]; ok {
		return name
	}
	return field
}

func textStat(s history.Stat, unit float64) string {
	n := func(v int64) string { return fmt.Sprintf("%.0f", float64(v)/unit) }
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s", textMean(s.Mean/unit), textMean(s.SD/unit), n(s.Min), n(s.P2_5), n(s.P50), n(s.P97_5), n(s.Max))
}

// textMean shows one decimal, and of a small number, which would look like none, two digits that count.
func textMean(v float64) string {
	if v != 0 && v < 0.1 {
		return fmt.Sprintf("%.2g", v)
	}
	return fmt.Sprintf("%.1f", v)
}

func (t *simTable) writeJSON(w io.Writer) error {
	line := map[string]any{
		"scenario": t.cell.Scenario, "runs": t.cell.Runs, "seed": t.cell.Seed, "profile": t.cell.Profile,
		"params": t.cell.Params, "bounded": t.cell.Bounded, "runs_with_conflict": t.cell.Conflicts.NonZero(),
		"wall_s": t.took.Seconds(), "runs_per_s": float64(t.cell.Runs) / t.took.Seconds(),
	}
	for _, r := range simRows(t.cell) {
		line[r.name] = r.stat
	}
	return json.NewEncoder(w).Encode(line)
}
