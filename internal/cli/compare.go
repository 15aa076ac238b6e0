package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"locklab/compare"
	"locklab/history"
	"locklab/internal/study"
	"locklab/scenarios"
)

// comparing are the flags of compare.
type comparing struct {
	json, markdown, coverage, paired, why bool
	reps                                  int
	profiles                              []string
	html                                  string
}

func newCompare() *cobra.Command {
	var c comparing
	cmd := &cobra.Command{
		Use:   "compare FILES...",
		Short: "Do prediction and measurement agree? With --paired: what does a change change?",
		Long: `Reads records and cells from any number of files and says, for each scenario,
whether what was measured could well have come from what was simulated under the
same profile, scale and parameters. Only conflicts decide; the rest is shown.

` + compare.Limits + `

Of many cells together it also says how far predictions can be trusted: whether
measured runs spread among the simulated ones as they should, how many lie in the
predictive intervals, and which are farthest off.

With --paired it takes two files of simulated runs and says what B, the second,
has more or less of than A: conflicts, lost holds, rejected writes, overlap. Each
cell of A is paired with the cell of B in the same place, and run i with run i:
they have the same seed, so most of what chance does is the same in both and
drops out of the difference. The cells must differ in the same way in all pairs
(another scenario, another --set), and be in the same order, each with its runs
in ascending order, as sim -o and sweep --each write them; the files are read
side by side, and no record is kept. One file with two cells is A and B in one.

Exit code: 0 all agree, 1 some differ, 3 none differs but some are unknown. With
--paired, as diff has it: 0 no difference was found, 1 some was, 3 none was and
some cells have too few runs to tell.`,
		Example: `  locklab sim lesson/d --profile machine -o predicted.jsonl
  locklab real lesson/d -o measured.jsonl
  locklab compare predicted.jsonl measured.jsonl

  locklab compare out/lesson/*.jsonl out/lesson/histories/*.jsonl \
    --profile out/lesson/profile.yaml --html report.html

  locklab sim lesson/d --runs 1000 -o d.jsonl
  locklab sim lesson/d --runs 1000 --set lock.ttl=2s -o longer.jsonl
  locklab compare --paired d.jsonl longer.jsonl`,
		Args: atLeastOne("files of records or cells; sim -o and real -o write them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.paired {
				return runPaired(cmd, args, c.json, c.markdown)
			}
			return c.run(cmd, args)
		},
	}
	c.register(cmd)
	return cmd
}

func (c *comparing) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.json, "json", false, "print JSON lines")
	cmd.Flags().BoolVar(&c.markdown, "markdown", false, "print a Markdown table")
	cmd.Flags().BoolVar(&c.coverage, "coverage", false, fmt.Sprintf("say how far predictions can be trusted, also with fewer than %d cells", compare.Many))
	cmd.Flags().BoolVar(&c.why, "why", false, "say of the largest discrepancies which parts of the world they are most sensitive to: of scenarios that are built in or in NAME.yaml here")
	cmd.Flags().StringArrayVar(&c.profiles, "profile", nil, "with --why or --html: the profile's `FILE` that the predictions assumed, if it is not ideal, lab or machine (repeatable)")
	cmd.Flags().StringVar(&c.html, "html", "", "write the comparison as a page into this `FILE`: verdict, figures, and a timeline of runs, also of those whose events are among the FILES")
	cmd.Flags().IntVar(&c.reps, "reps", 0, "say so where fewer repetitions than this were measured")
	cmd.Flags().BoolVar(&c.paired, "paired", false, "the difference of simulated cells, run by run: B − A of two files, or of one with two cells")
	cmd.MarkFlagsMutuallyExclusive("paired", "reps")
	cmd.MarkFlagsMutuallyExclusive("paired", "coverage")
	cmd.MarkFlagsMutuallyExclusive("paired", "why")
	cmd.MarkFlagsMutuallyExclusive("paired", "html")
}

// run compares what files hold.
func (c *comparing) run(cmd *cobra.Command, args []string) error {
	files, err := readEach(args)
	if err != nil {
		return err
	}
	lines := joined(files)
	rows := compare.Rows(lines, compare.Options{Wanted: c.reps})
	if len(rows) == 0 {
		return errors.New("compare: no records or cells in these files; sim -o and real -o write them")
	}
	if c.html != "" {
		if err := writeComparison(c.html, args, files, rows, c.profiles); err != nil {
			return err
		}
	}
	if err := writeRows(cmd.OutOrStdout(), rows, c.json, c.markdown); err != nil {
		return err
	}
	if err := c.calibration(cmd, lines); err != nil {
		return err
	}
	return exitWith(compare.ExitCode(rows))
}

// calibration says how far predictions can be trusted, if that was asked for or there are many cells.
func (c *comparing) calibration(cmd *cobra.Command, lines history.Lines) error {
	found := compare.Calibrate(lines)
	if !c.coverage && !c.why && found.Cells < compare.Many {
		return nil
	}
	if c.why {
		if err := explain(cmd.Context(), &found, c.profiles); err != nil {
			return err
		}
	}
	return writeCalibration(cmd.OutOrStdout(), &found, c.json, c.markdown)
}

// explain simulates what the largest discrepancies are sensitive to, under whatever profile of this machine or of the files
// their predictions assumed.
func explain(ctx context.Context, c *compare.Calibration, files []string) error {
	known, err := knownProfiles(files)
	if err != nil {
		return err
	}
	x := study.Explanation{Seed: 1, Known: study.KnownByName(known)}
	_, err = x.Explain(ctx, c)
	return err
}

// knownProfiles are the built-in ones, this machine's, and those of files.
func knownProfiles(files []string) ([]*scenarios.Profile, error) {
	ideal, lab := scenarios.Ideal(), scenarios.Lab()
	known := []*scenarios.Profile{&ideal, &lab}
	if path, err := machineFile(); err == nil {
		if p, err := scenarios.LoadProfile(path); err == nil {
			known = append(known, p)
		}
	}
	for _, file := range files {
		p, err := scenarios.LoadProfile(file)
		if err != nil {
			return nil, err
		}
		known = append(known, p)
	}
	return known, nil
}

func writeRows(w io.Writer, rows []compare.Row, json, markdown bool) error {
	switch {
	case json:
		return compare.WriteJSON(w, rows)
	case markdown:
		return compare.WriteMarkdown(w, rows)
	}
	return compare.WriteText(w, rows)
}

// writeCalibration writes it below the rows.
func writeCalibration(w io.Writer, c *compare.Calibration, json, markdown bool) error {
	if json {
		return c.WriteJSON(w)
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	if markdown {
		return c.WriteMarkdown(w)
	}
	return c.WriteText(w)
}

func sortedRecords(records []history.Record) []history.Record {
	return slices.SortedFunc(slices.Values(records), func(a, b history.Record) int {
		return cmp.Or(cmp.Compare(a.Scenario, b.Scenario), cmp.Compare(a.Run, b.Run))
	})
}

// makeDir makes a folder for results, before the long work; "" is none.
func makeDir(path string) error {
	if path == "" {
		return nil
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return fmt.Errorf("make the folder for results: %w", err)
	}
	return nil
}
