package realrun

import (
	"context"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"locklab/internal/choice"
	"locklab/worker"
	"locklab/worker/wire"
)

// A route is a worker's way to one store: a connection, and the commands that wait for each other there, so that the worker
// never does.
type route struct {
	client   *redis.Client
	requests chan *request
	last     *request                // the last that was made
	sending  atomic.Pointer[request] // the one that is about to be sent
	network  choice.Stream           // of the scenario's delay
}

// A request is a command for the store.
type request struct {
	tag     wire.Tag
	command wire.Command
	sent    chan struct{} // closed when it was sent, or could not be
}

// An answer is the store's reply to the command with the same tag.
type answer struct {
	tag   wire.Tag
	reply wire.Reply
	err   error
}

// newRoute is the worker's route to one of the setup's stores. The connection is opened with the first command.
func newRoute(s *setup, store int) (*route, error) {
	r := &route{
		requests: make(chan *request, wire.MaxWishes),
		network:  choice.Seeded(s.Seed).Stream(worker.NetworkStream(s.Worker, store), choice.Fixed),
	}
	var err error
	r.client, err = connect(s.URLs[store], r.wrote)
	return r, err
}

// send has a command sent as soon as those before it were replied to.
func (r *route) send(tag wire.Tag, c *wire.Command) {
	r.last = &request{tag, *c, make(chan struct{})}
	r.requests <- r.last
}

// serve sends the worker's commands to the store, one after the other. A declared delay of the network passes before
// the command is sent and before its reply is handed over.
func (d *driver) serve(ctx context.Context, r *route) {
	for request := range r.requests {
		sleep(d.delay.Network.Draw(&r.network))
		r.sending.Store(request)
		reply, err := d.execute(ctx, r, &request.command)
		r.wrote()
		if err != nil {
			err = failure(r.client, err)
		}
		sleep(d.delay.Network.Draw(&r.network))
		d.replies <- answer{request.tag, reply, err}
	}
}

// execute sends a command to the store, and waits for the reply.
func (d *driver) execute(ctx context.Context, r *route, c *wire.Command) (wire.Reply, error) {
	if c.Op == wire.Subscribe {
		return d.ear.subscribe(ctx, c, d.keys, r.wrote)
	}
	return execute(ctx, r.client, d.keys, c)
}

// wrote takes note that something was written to the store, or never will be.
func (r *route) wrote() {
	if request := r.sending.Swap(nil); request != nil {
		close(request.sent)
	}
}

// awaitSent waits until the last command is on its way.
func (r *route) awaitSent() {
	if r.last != nil {
		<-r.last.sent
	}
}

// openRoutes opens the routes to all of the setup's stores, and makes them ready.
func openRoutes(ctx context.Context, s *setup) ([]*route, error) {
	var routes []*route
	for store := range s.URLs {
		r, err := newRoute(s, store)
		if err == nil {
			routes = append(routes, r)
			if err = warmUp(ctx, r.client, s); err != nil {
				err = failure(r.client, err)
			}
		}
		if err != nil {
			closeRoutes(routes)
			return nil, err
		}
	}
	return routes, nil
}

func closeRoutes(routes []*route) {
	for _, r := range routes {
		r.client.Close()
	}
}

// warmUp opens the connection and walks the way of a command a few times, so that the first of the run meets what the
// others do.
func warmUp(ctx context.Context, c *redis.Client, s *setup) error {
	for range 3 {
		if err := c.Exists(ctx, KeysUnder(s.Prefix, 0).Name(wire.KeyLock)).Err(); err != nil {
			return err
		}
	}
	return nil
}
