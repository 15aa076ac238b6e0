package realrun

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"locklab/internal/choice"
	"locklab/worker"
	"locklab/worker/wire"
)

// An ear is a worker's second connection to the store, on which it hears of releases: go-redis's. It is opened before the run
// begins.
type ear struct {
	client    *redis.Client
	pubsub    *redis.PubSub
	channel   string        // that it listens to
	listening chan struct{} // has an element when the store has confirmed a subscription
	heard     chan error    // an element for each message; the last may say why no other comes
	network   choice.Stream // of the scenario's delay
}

// mostHeard is how many messages may wait for a worker; if there are more, they wait in the socket.
const mostHeard = 1024

// openEar opens the connection and subscribes a few times, so that the first of the run meets what the others do. It is nil if
// nobody tells the scenario's workers anything.
func openEar(ctx context.Context, s *setup) (*ear, error) {
	if !s.Scenario.Lock.Retry.Wakes() {
		return nil, nil
	}
	client, err := connect(s.URLs[0], nil)
	if err != nil {
		return nil, err
	}
	e := &ear{
		client: client, pubsub: client.Subscribe(ctx), listening: make(chan struct{}, 1), heard: make(chan error, mostHeard),
		network: choice.Seeded(s.Seed).Stream(worker.MessageStream(s.Worker), choice.Fixed),
	}
	warm := fmt.Sprintf("%swarm:%d", s.Prefix, s.Worker)
	for range 3 {
		if err = e.warmUp(ctx, warm); err != nil {
			e.close()
			return nil, failure(client, err)
		}
	}
	return e, nil
}

func (e *ear) warmUp(ctx context.Context, channel string) error {
	if err := e.pubsub.Subscribe(ctx, channel); err != nil {
		return err
	}
	if _, err := e.pubsub.Receive(ctx); err != nil {
		return err
	}
	if err := e.pubsub.Unsubscribe(ctx, channel); err != nil {
		return err
	}
	_, err := e.pubsub.Receive(ctx)
	return err
}

func (e *ear) close() {
	if e != nil {
		e.pubsub.Close()
		e.client.Close()
	}
}

// messages is where the driver hears of messages; nil if there are none.
func (e *ear) messages() <-chan error {
	if e == nil {
		return nil
	}
	return e.heard
}

// listen receives until the connection is closed.
func (d *driver) listen(ctx context.Context) {
	e := d.ear
	for {
		switch m, err := e.pubsub.Receive(ctx); m := m.(type) {
		case *redis.Message:
			sleep(d.delay.Network.Draw(&e.network))
			e.heard <- nil
		case *redis.Subscription:
			if m.Kind == "subscribe" {
				e.listening <- struct{}{}
			}
		case nil:
			e.heard <- failure(e.client, err)
			close(e.listening)
			return
		}
	}
}

// subscribe carries out a Subscribe: it returns when the store has confirmed it. wrote is called when it was sent.
func (e *ear) subscribe(ctx context.Context, c *wire.Command, keys *Keys, wrote func()) (wire.Reply, error) {
	e.channel = keys.Channel(c.Value)
	err := e.pubsub.Subscribe(ctx, e.channel)
	wrote()
	if err != nil {
		return wire.Reply{}, err
	}
	if _, ok := <-e.listening; !ok {
		return wire.Reply{}, fmt.Errorf("subscribe to %s: the connection was closed", e.channel)
	}
	return wire.Reply{Status: wire.OK}, nil
}

// unsubscribe ends the subscription. The store's confirmation is not waited for.
func (e *ear) unsubscribe() error { return e.pubsub.Unsubscribe(context.Background(), e.channel) }

// Channel is the name of the channel that who has this owner value in the queue listens to; 0 is for that of all.
func (k *Keys) Channel(owner int64) string {
	if owner == 0 {
		return k.channel
	}
	return fmt.Sprintf("%s:%d", k.channel, owner)
}
