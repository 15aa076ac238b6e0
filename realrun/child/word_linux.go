package child

import (
	"fmt"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

var wordSignals = map[Word]unix.Signal{Word1: unix.SIGUSR1, Word2: unix.SIGUSR2}

// Tell tells the child a word, which must listen, or it ends. A child that has ended is an error.
func (c *Child) Tell(w Word) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return c.endedWhile("tell")
	}
	if err := unix.Kill(c.pid, wordSignals[w]); err != nil {
		return fmt.Errorf("tell process %d: %w", c.pid, err)
	}
	return nil
}

// Listen gives the words that this process, a child, is told from now on, as signals; WordOf says which. One that is told
// twice before it is heard may be heard once.
func Listen() <-chan os.Signal {
	heard := make(chan os.Signal, len(wordSignals))
	signal.Notify(heard, wordSignals[Word1], wordSignals[Word2])
	return heard
}

// WordOf is the word that a signal of Listen stands for.
func WordOf(s os.Signal) Word {
	if s == wordSignals[Word1] {
		return Word1
	}
	return Word2
}
