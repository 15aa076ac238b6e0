package worker

import "locklab/internal/choice"

// DelayStreams names the streams that the delays declared in a scenario are drawn from for one worker, in both
// worlds: network takes one number each way of every command, timer one for every timer set.
func DelayStreams(id int) (network, timer choice.Name) {
	return choice.NameOf("worker", id, "network"), choice.NameOf("worker", id, "timer")
}
