package realrun

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryFlock holds a file for this process; errTaken if another one does.
func tryFlock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == unix.EWOULDBLOCK {
		return errTaken
	}
	return err
}
