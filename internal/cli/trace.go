package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"locklab/history"
	"locklab/internal/study"
	"locklab/plots"
	"locklab/plots/page"
	"locklab/plots/traceevents"
)

// traceCommand is what trace was asked for.
type traceCommand struct {
	with     experimentFlags
	profile  profileFlag
	seed     uint64
	number   uint64
	figure   string
	html     string
	chrome   string
	output   string
	from, to time.Duration
	json     bool
}

func newTrace() *cobra.Command {
	var c traceCommand
	cmd := &cobra.Command{
		Use:   "trace SCENARIO|FILE",
		Short: "Tell one run as a story, and draw it",
		Long: `Simulates one run and tells it event by event. What stands behind "|" no worker
knows: who holds the lock in truth, and when a lease ended. A FILE of events
(histories/ of lesson, or -o of trace) is told and drawn as it is; a
counterexample of check is carried out once more.

The figure shows the first zombie (a worker that goes on believing after its
lease has ended), unless --from and --to say otherwise. A page (--html) and trace
events (--chrome) always hold the whole run.`,
		Example: `  locklab trace lesson/d | less
  locklab trace lesson/e --figure zombie.svg --to 4s > story.txt
  locklab trace out/lesson/histories/lesson-d-0.jsonl --figure real.png
  locklab trace out/check/lesson-d-no-conflict.json`,
		Args: exactlyOne("a scenario, or a file of events"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.Uint64Var(&c.number, "run", 0, "which run of the batch with this seed, from 0")
	flags.StringVar(&c.figure, "figure", "", "draw a timeline into this `FILE` (.svg, .png or .pdf)")
	flags.StringVar(&c.html, "html", "", "write a timeline that can be played into this `FILE`, a page that needs nothing else")
	flags.StringVar(&c.chrome, "chrome", "", "write the run into this `FILE` as trace events, for trace viewers such as Perfetto")
	flags.StringVarP(&c.output, "output", "o", "", "write the events to this `FILE` (JSON lines)")
	flags.DurationVar(&c.from, "from", 0, "tell and draw from this time of the run")
	flags.DurationVar(&c.to, "to", 0, "tell and draw to this time of the run; 0 for the end")
	flags.BoolVar(&c.json, "json", false, "print the events as JSON lines")
	seedFlag(flags, &c.seed)
	c.profile.register(flags, "lab")
	c.with.register(flags)
	return cmd
}

func (c *traceCommand) run(cmd *cobra.Command, name string) error {
	if c.figure != "" {
		if err := plots.CheckPath(c.figure); err != nil {
			return err
		}
	}
	if c.from < 0 || c.to < 0 || c.to != 0 && c.to <= c.from {
		return fmt.Errorf("--from %v --to %v: must be 0 or later, and --to after --from", c.from, c.to)
	}
	run, err := c.find(cmd, name)
	if err != nil {
		return err
	}
	if err := writeEvents(c.output, run.Events); err != nil {
		return err
	}
	if c.figure != "" {
		if err := c.draw(run.Events, run.title); err != nil {
			return err
		}
	}
	if err := c.write(run); err != nil {
		return err
	}
	if c.json {
		return printEvents(cmd.OutOrStdout(), c.window(run.Events))
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s\n%s", run.title, run.about)
	return history.WriteStory(cmd.OutOrStdout(), c.window(run.Events))
}

// A tracedRun is the run that is told: what it is, in a line, and what else there is to say about it, in lines.
type tracedRun struct {
	page.Run
	title string
	about string
}

// write writes the run in the formats of other programs.
func (c *traceCommand) write(run *tracedRun) error {
	if c.html != "" {
		p := page.Page{Title: run.title, Verdict: study.RunVerdict(run.Events), Runs: []page.Run{run.Run}, AllRuns: true}
		if err := writePage(c.html, &p); err != nil {
			return err
		}
	}
	if c.chrome == "" {
		return nil
	}
	t := traceevents.Trace{Name: run.title, Events: run.Events, Flights: run.Flights}
	return writeFile(c.chrome, t.Write)
}

// find reads the events of a file, replays a counterexample, or simulates a run.
func (c *traceCommand) find(cmd *cobra.Command, name string) (*tracedRun, error) {
	x, not := readCounterexample(name)
	if not == nil {
		return replay(cmd, name, x)
	}
	lines, err := readFile(name)
	if err == nil && len(lines.Events) == 0 {
		err = fmt.Errorf("%s: no events in it", name)
	}
	if err == nil {
		return &tracedRun{Run: study.FileRun(name, lines.Events, nil), title: name}, wholeFile(cmd)
	}
	switch {
	case name == "-" || strings.HasSuffix(name, ".jsonl"):
		return nil, err
	case strings.HasSuffix(name, ".json"):
		return nil, not
	}
	experiments, err := c.with.load([]string{name})
	if err != nil {
		return nil, err
	}
	profile, err := c.profile.load(cmd.ErrOrStderr(), measureUsual(cmd))
	if err != nil {
		return nil, err
	}
	e := experiments[0]
	run := study.SimulatedRun(e, profile, c.seed, c.number, study.Trace(e, profile, c.seed, c.number))
	title := fmt.Sprintf("%s: seed %d, run %d, profile %s", e.Scenario.Name, c.seed, c.number, profile.Name)
	return &tracedRun{Run: run, title: title}, nil
}

// wholeFile refuses the flags that say what to simulate: a file holds a run that has taken place.
func wholeFile(cmd *cobra.Command) error {
	for _, name := range []string{"set", "scale", "profile", "seed", "run"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("trace: --%s is for a scenario; a file is told as it is", name)
		}
	}
	return nil
}

// replay carries out a counterexample.
func replay(cmd *cobra.Command, name string, x *study.Counterexample) (*tracedRun, error) {
	r, err := x.Replay()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	about := ""
	for i := range r.Deviations {
		about += fmt.Sprintf("  %s\n", r.Deviations[i].String())
	}
	if about == "" {
		about = "  the quiet run itself\n"
	}
	for _, p := range r.Violated {
		if p != x.Property {
			about += fmt.Sprintf("  violates also: %s\n", p)
		}
	}
	return &tracedRun{r.Run(x.Property), counterexampleTitle(x, r) + ", profile " + r.Profile, about}, wholeFile(cmd)
}

// counterexampleTitle says in a line what a counterexample shows.
func counterexampleTitle(x *study.Counterexample, r *study.Replayed) string {
	return fmt.Sprintf("%s violates: %s", r.Scenario, x.Property)
}

// readCounterexample reads a file that check has saved. What is not a file is no counterexample either.
func readCounterexample(name string) (*study.Counterexample, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", study.ErrNotCounterexample, err)
	}
	return study.ParseCounterexample(name, data)
}

// window is the events that were asked for.
func (c *traceCommand) window(events []history.Event) []history.Event {
	var some []history.Event
	for _, e := range events {
		if e.At >= int64(c.from) && (c.to == 0 || e.At <= int64(c.to)) {
			some = append(some, e)
		}
	}
	return some
}

func (c *traceCommand) draw(events []history.Event, title string) error {
	if c.from == 0 && c.to == 0 {
		figures, err := plots.Figures(history.Lines{Events: events}, plots.Options{Title: title})
		if err != nil {
			return err
		}
		return plots.Save(figures[0], c.figure)
	}
	figure, err := plots.Timeline(events, plots.TimelineOptions{Title: title, From: int64(c.from), To: int64(c.to)})
	if err != nil {
		return err
	}
	return plots.Save(figure, c.figure)
}

// writeEvents writes events to a file; "" is none.
func writeEvents(path string, events []history.Event) error {
	if path == "" {
		return nil
	}
	return writeFile(path, func(w io.Writer) error { return printEvents(w, events) })
}
