package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"locklab/realrun"
)

// alone waits until no other locklab measures on this machine for this user: measurements at the same time would disturb each
// other. Without a cache folder it cannot know, and says so.
func alone(cmd *cobra.Command) (end func(), err error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: cannot tell whether another locklab measures: %v\n", err)
		return func() {}, nil
	}
	return realrun.Alone(cmd.Context(), filepath.Join(dir, "locklab", "measuring"), cmd.CommandPath(), func(who string) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s measures on this machine; waiting for its end\n", who)
	})
}
