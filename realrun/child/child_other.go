//go:build !linux

package child

import (
	"context"
	"errors"
)

var errUnsupported = errors.New("real runs need Linux")

// Child is a process that Start has started; there is none on this system.
type Child struct{}

// Start returns an error: real runs need Linux.
func Start(Spec) (*Child, error) { return nil, errUnsupported }

// Pid is 0.
func (*Child) Pid() int { return 0 }

// Done never ends.
func (*Child) Done() <-chan struct{} { return nil }

// Wait returns at once: nothing is known.
func (*Child) Wait() Exit { return Exit{Code: -1} }

// Stop returns an error: real runs need Linux.
func (*Child) Stop(context.Context) (stoppedAt int64, err error) { return 0, errUnsupported }

// Continue returns an error: real runs need Linux.
func (*Child) Continue() error { return errUnsupported }

// Kill does nothing.
func (*Child) Kill() {}
