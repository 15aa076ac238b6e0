package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"locklab/worker/wire"
)

// TestWaiters holds model and server against each other on random commands of a lock whose waiters are told of releases: the
// replies, and who is told.
func TestWaiters(t *testing.T) {
	forEachServer(t, func(t *testing.T, p *pair) {
		ears := dial(t, p.url)
		for owner := range int64(connections) {
			ears.ask("SUBSCRIBE", keyNames.Channel(owner))
		}
		told := 0
		for i := range uint64(400) {
			story, n := p.waitersCase(rand.New(rand.NewPCG(*seed, i)), ears)
			if told += n; story != "" {
				t.Fatalf("%s and the model differ (-seed %d, case %d):\n%s", p.name, *seed, i, story)
			}
		}
		if told < 500 {
			t.Errorf("%d messages are not much of a test", told)
		}
	})
}

// waitersCase takes random commands from an empty store on, until the worlds differ; then it tells them all. Connection i listens
// to the channel of owner i, and connection 0 to that of all. It counts the messages.
func (p *pair) waitersCase(r *rand.Rand, ears *connection) (story string, told int) {
	p.reset()
	for i := range int32(connections) {
		p.model.Execute(p.now(), &wire.Command{Op: wire.Subscribe, Worker: i, Value: int64(i)}, &wire.Reply{})
	}
	var all strings.Builder
	for range 60 {
		move := pick(r, []int64{0, 0, 0, 1, 500, 999, 1000, 2000, 5000, 20_000, -1000})
		c := waitersCommand(r)
		p.move(move)
		var model wire.Reply
		p.model.Execute(p.now(), &c, &model)
		p.ask(0, &c)
		p.real[0].flush()
		real := understand(&c, p.real[0].read())
		modelTold, realTold := fmt.Sprint(p.channelsTold(&c)), fmt.Sprint(hear(ears))
		told += strings.Count(realTold, "channel")
		fmt.Fprintf(&all, "%+d us %s\n", move, (&step{commands: []wire.Command{c}}).String())
		if model != real || modelTold != realTold {
			fmt.Fprintf(&all, "model: %s, told %s\nserver: %s, told %s\n", replyText(&model), modelTold, replyText(&real), realTold)
			return all.String(), told
		}
	}
	return "", told
}

func waitersCommand(r *rand.Rand) wire.Command {
	return wire.Command{
		Op: pick(r, []wire.Op{
			wire.SetInTurn, wire.SetInTurn, wire.SetInTurn, wire.DeleteInTurn, wire.DeleteInTurn, wire.LeaveQueue, wire.SetNXOrLeft,
			wire.CompareDeletePublish, wire.Set, wire.Del,
		}),
		Value: 1 + r.Int64N(4), TTL: pick(r, []int64{1, 2, 5, 10, 10, 100}), Place: pick(r, []int64{0, 1, 5, 20}),
	}
}

// channelsTold are the channels on which the model tells somebody of a command.
func (p *pair) channelsTold(c *wire.Command) (names []string) {
	if slices.Contains([]wire.Op{wire.DeleteInTurn, wire.CompareDeletePublish, wire.LeaveQueue}, c.Op) {
		for _, owner := range p.model.Told() {
			names = append(names, keyNames.Channel(int64(owner)))
		}
	}
	return names
}

// hear are the channels of the messages that have come.
func hear(c *connection) (names []string) {
	c.put("PING")
	c.flush()
	for {
		push := c.read().([]any)
		if push[0] == "pong" {
			return names
		}
		names = append(names, push[1].(string))
	}
}
