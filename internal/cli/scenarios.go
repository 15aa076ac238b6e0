package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"locklab/internal/study"
	"locklab/scenarios"
)

func newScenarios() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scenarios",
		Short: "List the built-in scenarios, or show one as YAML",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newScenariosList(), newScenariosShow(), newScenariosPresets())
	return cmd
}

func newScenariosList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the built-in scenarios and what each teaches, and the presets of lock libraries",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, name := range scenarios.Names() {
				s, err := scenarios.Builtin(name)
				if err != nil {
					return err
				}
				if asJSON {
					line, _ := json.Marshal(map[string]string{"scenario": name, "title": s.Title, "teaches": s.Teaches})
					fmt.Fprintf(out, "%s\n", line)
				} else {
					fmt.Fprintf(out, "%s\t%s\n\t  %s\n", name, s.Title, s.Teaches)
				}
			}
			return cmp.Or(listPresets(out, asJSON), out.Flush())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON lines")
	return cmd
}

// listPresets lists the locks of libraries.
func listPresets(out io.Writer, asJSON bool) error {
	if !asJSON {
		fmt.Fprint(out, "\nlocks of libraries, e.g. --set lock=redsync:\n")
	}
	for _, name := range scenarios.PresetNames() {
		p, err := scenarios.PresetNamed(name)
		if err != nil {
			return err
		}
		if asJSON {
			line, _ := json.Marshal(map[string]string{"preset": name, "library": p.Library, "notices": p.Notices})
			fmt.Fprintf(out, "%s\n", line)
		} else {
			fmt.Fprintf(out, "%s\t%s\n", name, p.Library)
		}
	}
	return nil
}

func newScenariosShow() *cobra.Command {
	var with experimentFlags
	cmd := &cobra.Command{
		Use:   "show SCENARIO|PRESET",
		Short: "Show a scenario, or the lock of a library, as YAML: to read, to copy, to change",
		Example: `  locklab scenarios show lesson/d > mine.yaml
  locklab scenarios show lesson/d --set lock.ttl=3s
  locklab scenarios show redsync`,
		Args: exactlyOne("a scenario or preset; `locklab scenarios list` shows what is built in"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := scenarios.Source(args[0])
			if preset, failed := scenarios.PresetSource(args[0]); failed == nil {
				text, err = preset, nil
			}
			if err != nil || len(with.set) > 0 || with.scale != 1 {
				experiments, err := with.load(args)
				if err != nil {
					return err
				}
				text = experiments[0].Scenario.YAML()
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
	with.register(cmd.Flags())
	return cmd
}

func newScenariosPresets() *cobra.Command {
	var p study.Presets
	var profile profileFlag
	cmd := &cobra.Command{
		Use:   "presets",
		Short: "Simulate the lesson under the lock of every library; a page in Markdown",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := atLeast("runs", p.Runs, 1); err != nil {
				return err
			}
			var err error
			if p.Profile, err = profile.load(cmd.ErrOrStderr(), measureUsual(cmd)); err != nil {
				return err
			}
			bar := newBars(cmd.ErrOrStderr())
			bar.Begin("simulate", p.TotalRuns())
			p.Done = bar.Add
			defer bar.End()
			return p.Write(cmd.Context(), cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&p.Runs, "runs", 500, "runs of each experiment")
	seedFlag(flags, &p.Seed)
	profile.register(flags, "lab")
	return cmd
}
