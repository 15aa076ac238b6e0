//go:build !linux

package server

import (
	"os"

	"locklab/realrun/child"
)

func (c *Clock) mapFile(*os.File) error { return child.ErrUnsupported }

func (c *Clock) unmap() {}

func (c *Clock) load(word *int64) int64     { return *word }
func (c *Clock) store(word *int64, n int64) { *word = n }
