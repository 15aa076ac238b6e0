package worker

import (
	"fmt"

	"locklab/internal/choice"
)

// DelayStreams names the streams that the delays declared in a scenario are drawn from for one worker, in both
// worlds: network takes one number each way of every command, timer one for every timer set.
func DelayStreams(id int) (network, timer choice.Name) {
	return choice.NameOf("worker", id, "network"), choice.NameOf("worker", id, "timer")
}

// NetworkStream names the stream that the declared delays of a worker's commands to a store are drawn from, in both worlds.
// That of store 0 is the one of DelayStreams.
func NetworkStream(id, store int) choice.Name {
	return choice.NameOf("worker", id, ToStore("network", store))
}

// MessageStream names the stream that the declared delays of messages to a worker are drawn from, in both worlds.
func MessageStream(id int) choice.Name { return choice.NameOf("worker", id, "network to messages") }

// ToStore is what a stream is for if it belongs to a worker's link to a store.
func ToStore(purpose string, store int) string {
	if store == 0 {
		return purpose
	}
	return fmt.Sprintf("%s to store %d", purpose, store)
}
