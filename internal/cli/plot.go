package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"locklab/internal/study"
	"locklab/plots"
)

func newPlot() *cobra.Command {
	var (
		output string
		opts   plots.Options
	)
	cmd := &cobra.Command{
		Use:   "plot FILES...",
		Short: "Draw figures from records, sweeps and events",
		Long: `Draws what the files have something for: the conflict rates of records and cells;
simulated against measured where both are there, and for many cells how far the
predictions can be trusted; a timeline of the events of one run; of a sweep,
curves over one axis, heat maps over two, panels for a third, with measured
records laid over. If there are several figures, each file's name gets the
figure's.`,
		Example: `  locklab plot out/lesson/simulated.jsonl out/lesson/real.jsonl -o figures.svg
  locklab plot out/lesson/histories/lesson-d-0.jsonl -o timeline.png
  locklab plot grid.jsonl measured.jsonl -o grid.pdf
  locklab plot large.jsonl --where workers=2 --where workers=5 -o two.svg`,
		Args: atLeastOne("files of records, cells or events; sim -o, real -o and trace -o write them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if output == "" {
				return errors.New("plot: say where to draw with -o FILE (.svg, .png or .pdf)")
			}
			if err := plots.CheckPath(output); err != nil {
				return err
			}
			lines, err := readFiles(args)
			if err != nil {
				return err
			}
			opts.Calibration = study.Calibration(lines)
			figures, err := plots.Figures(lines, opts)
			if err != nil {
				return fmt.Errorf("plot: %w", err)
			}
			return saveAll(cmd, figures, output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "draw into this `FILE` (.svg, .png or .pdf)")
	cmd.Flags().StringVar(&opts.Title, "title", "", "the title of a timeline or a sweep")
	cmd.Flags().StringArrayVar(&opts.Where, "where", nil, "of a sweep's `AXIS=VALUE`s only these; may be given again")
	return cmd
}

// saveAll saves one figure under the name given, several each with its own name before the extension.
func saveAll(cmd *cobra.Command, figures []plots.Figure, path string) error {
	for _, f := range figures {
		to := path
		if len(figures) > 1 {
			ext := filepath.Ext(path)
			to = strings.TrimSuffix(path, ext) + "-" + f.Name + ext
		}
		if err := plots.Save(f, to); err != nil {
			return err
		}
		fmt.Fprintln(cmd.ErrOrStderr(), "drew", to)
	}
	return nil
}
