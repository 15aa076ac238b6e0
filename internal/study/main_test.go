package study

import (
	"os"
	"testing"

	"locklab/realrun"
)

// This program is also the worker processes of the real runs that tests measure.
func TestMain(m *testing.M) {
	if realrun.IsWorker() {
		os.Exit(realrun.Work())
	}
	os.Exit(m.Run())
}
