// Locklab predicts how often a lease-based lock fails, measures the same on real Redis, and compares the two.
package main

import (
	"os"

	"locklab/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) }
