package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// atLeastOne wants one argument or more; what says which.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s: name %s", cmd.Name(), what)
		}
		return nil
	}
}

// exactlyOne wants one argument; what says which.
func exactlyOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s: %d arguments; name %s", cmd.Name(), len(args), what)
		}
		return nil
	}
}
