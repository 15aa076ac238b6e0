package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"locklab/internal/study"
)

func newMerge() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "merge FILES...",
		Short: "Join the shards of a sweep",
		Long: `Joins the files that sweep --shard has written, given in any order, to the file
that the sweep would have written in one piece: the same bytes. It is an error if
a shard is missing, doubled, of another sweep, or not finished.`,
		Example: `  locklab sweep grid.yaml --shard 0/2 -o part-0.jsonl
  locklab sweep grid.yaml --shard 1/2 -o part-1.jsonl
  locklab merge part-*.jsonl -o grid.jsonl`,
		Args: atLeastOne("the files of a sweep's shards; sweep --shard writes them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var merged study.Merged
			err := writeWhole(output, cmd.OutOrStdout(), func(w io.Writer) (err error) {
				merged, err = study.Merge(w, args)
				return err
			})
			if err != nil {
				return fmt.Errorf("merge: %w", err)
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "merged %s, %s\n", number(int64(merged.Shards), "shard"), number(int64(merged.Cells), "cell"))
			return nil
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "-", "write to this `FILE`; - for standard output")
	return cmd
}

// writeWhole writes a file that is there with all of its contents, or not at all. "-" is standard output.
func writeWhole(path string, stdout io.Writer, write func(io.Writer) error) error {
	if path == "" || path == "-" {
		return flushed(stdout, write)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file; want one, or -", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails if it has got its name
	err = flushed(f, write)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func flushed(w io.Writer, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(w, 1<<16)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}
