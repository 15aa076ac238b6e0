//go:build !linux

package child

import (
	"context"
	"os"
)

// Child is a process that Start has started; there is none on this system.
type Child struct{}

// Start returns ErrUnsupported.
func Start(Spec) (*Child, error) { return nil, ErrUnsupported }

// Pid is 0.
func (*Child) Pid() int { return 0 }

// Done never ends.
func (*Child) Done() <-chan struct{} { return nil }

// Wait returns at once: nothing is known.
func (*Child) Wait() Exit { return Exit{Code: -1} }

// Stop returns ErrUnsupported.
func (*Child) Stop(context.Context) (stoppedAt int64, err error) { return 0, ErrUnsupported }

// Continue returns ErrUnsupported.
func (*Child) Continue() error { return ErrUnsupported }

// Kill does nothing.
func (*Child) Kill() {}

// Tell returns ErrUnsupported.
func (*Child) Tell(Word) error { return ErrUnsupported }

// Listen never hears anything.
func Listen() <-chan os.Signal { return nil }

// WordOf is no word.
func WordOf(os.Signal) Word { return 0 }
