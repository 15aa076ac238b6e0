package realrun

import (
	"crypto/rand"
	"fmt"

	"locklab/worker/wire"
)

// keyNames are the ends of the names of a run's keys, by wire.Key.
var keyNames = [wire.NumKeys]string{"lock", "token", "highest", "referee"}

// keysUnder are the names of a run's keys.
func keysUnder(prefix string) (names [wire.NumKeys]string) {
	for k, name := range keyNames {
		names[k] = prefix + name
	}
	return names
}

// randomPrefix is what the keys of one session begin with. The braces keep them in one slot.
func randomPrefix() string { return fmt.Sprintf("locklab:{%s}:", rand.Text()) }
