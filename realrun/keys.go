package realrun

import (
	"crypto/rand"
	"fmt"
	"strconv"
	"time"

	"locklab/worker/wire"
)

// Keys are the names of a run's keys, and how long they live.
type Keys struct {
	named    [wire.NumKeys]string
	numbered string        // what the names of the keys of wire.Numbered begin with
	queue    string        // the owner values of those who wait for their turn, in order
	places   string        // until when each of them keeps its place
	channel  string        // of messages to all who wait; with : and an owner value, to one
	life     time.Duration // of those that the run gives no deadline, far beyond its end; 0 for ever
}

// keyNames are the ends of the names of a run's keys, by wire.Key.
var keyNames = [wire.NumKeys]string{"lock", "token", "highest", "referee", "balance", "version"}

// KeysUnder are the keys of a run whose names begin with a prefix.
func KeysUnder(prefix string, life time.Duration) *Keys {
	k := &Keys{
		numbered: prefix + "numbered:", queue: prefix + "queue", places: prefix + "places", channel: prefix + "channel", life: life,
	}
	for i, name := range keyNames {
		k.named[i] = prefix + name
	}
	return k
}

// Name is the name of a key.
func (k *Keys) Name(key wire.Key) string {
	if key < wire.NumKeys {
		return k.named[key]
	}
	return k.numbered + strconv.Itoa(int(key-wire.NumKeys))
}

// all are the names of all keys, with so many numbered ones.
func (k *Keys) all(numbered int) []string {
	names := append([]string{k.queue, k.places}, k.named[:]...)
	for i := range numbered {
		names = append(names, k.Name(wire.Numbered(int32(i))))
	}
	return names
}

// ends reports whether a key with so much time left has a deadline that the run gave it.
func (k *Keys) ends(left time.Duration) bool { return left >= 0 && left < k.life/2 }

// randomPrefix is what the keys of one session begin with. The braces keep them in one slot.
func randomPrefix() string { return fmt.Sprintf("locklab:{%s}:", rand.Text()) }
