package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// outputs are the flags that name a file to be written.
var outputs = []string{"output", "html", "chrome", "figure", "histories"}

// keepInputs refuses to write a result over a file that the command reads, or over another result.
func keepInputs(cmd *cobra.Command, args []string) error {
	taken := make(map[string]string)
	for _, arg := range args {
		taken[realPath(arg)] = "it is read, too"
	}
	for _, name := range outputs {
		flag := cmd.Flags().Lookup(name)
		if flag == nil || flag.Value.String() == "" || flag.Value.String() == "-" {
			continue
		}
		path := realPath(flag.Value.String())
		info, err := os.Stat(path)
		if err == nil && !info.Mode().IsRegular() {
			continue // a folder, or a device
		}
		if why, ok := taken[path]; ok {
			return fmt.Errorf("--%s %s: %s; give it another name", name, flag.Value.String(), why)
		}
		taken[path] = "--" + name + " writes it, too"
	}
	return nil
}

// realPath is the path of a file without links, as far as it exists.
func realPath(path string) string {
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		path = whole
	}
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	return path
}
