package realrun

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"locklab/history"
	"locklab/worker/wire"
)

// bury tells what the last command of a worker that has crashed did, since it cannot, and tells the referee that the worker
// is outside. Both are added to what it left. at is the start of the run.
func (t *team) bury(ctx context.Context, id int, at int64, end *ending) error {
	crash := end.Events[len(end.Events)-1]
	var known map[string]string
	var reply wire.Reply
	err := t.session.ask(ctx, func(c *redis.Client) (err error) {
		if known, err = c.HGetAll(ctx, t.keys.Name(wire.KeyReferee)).Result(); err != nil {
			return err
		}
		reply, err = execute(ctx, c, t.keys, &wire.Command{
			Op: wire.Leave, Key: wire.KeyReferee, Worker: int32(id), Own: t.job.Scenario.OwnSections(),
		})
		return err
	})
	if err != nil {
		return fmt.Errorf("take worker %d, which crashed, out: %w", id, err)
	}
	now := history.Event{At: monotonic() - at, Worker: crash.Worker, Round: crash.Round}
	if e, ok := testimony(end.Events, known, crash.Step, now); ok {
		end.Events = append(end.Events, e)
		if e.Kind == history.Accepted && e.Step == history.Commit {
			end.Events = append(end.Events, t.consequences(end.Events, known, now)...)
		}
	}
	now.Kind = history.Removed
	end.Events = append(end.Events, withReply(now, reply))
	return nil
}

// withReply is an event with what a referee replied.
func withReply(e history.Event, r wire.Reply) history.Event {
	e.Order, e.ServerUS, e.Inside, e.Overlap = r.Order, r.At, r.Inside, r.Overlap
	return e
}

// testimony is the event that a worker would have noted if it had received the reply to its last command; known is what the
// server keeps of it. It reports false if the worker has noted it.
func testimony(events []history.Event, known map[string]string, step history.Step, e history.Event) (history.Event, bool) {
	switch step {
	case history.Enter, history.Leave:
		e.Kind = history.Entered
		if step == history.Leave {
			e.Kind = history.Left
		}
		r, ok := lastAtReferee(known[fmt.Sprintf("last:%d", e.Worker)])
		return withReply(e, r), ok && !noted(events, r.Order)
	case history.Check, history.Commit:
		e.Kind, e.Step = history.Accepted, step
		if known[fmt.Sprintf("refused:%d", e.Worker)] == "1" {
			e.Kind = history.Rejected
		}
		e.Token = lastToken(events)
		writes, _ := strconv.Atoi(known[fmt.Sprintf("writes:%d", e.Worker)])
		return e, count(events, history.Accepted)+count(events, history.Committed)+count(events, history.Rejected) < writes
	}
	return e, false
}

// lastAtReferee reads what the referee's scripts keep of a worker's last command.
func lastAtReferee(text string) (r wire.Reply, ok bool) {
	_, err := fmt.Sscanf(text, "%d %d %d %d", &r.Order, &r.At, &r.Inside, &r.Overlap)
	r.Overlap *= 1000 // from microseconds
	return r, err == nil
}

// noted reports whether a worker has noted the referee's command with the given number.
func noted(events []history.Event, order int64) bool {
	return slices.ContainsFunc(events, func(e history.Event) bool {
		return e.Order == order && (e.Kind == history.Entered || e.Kind == history.Left)
	})
}

// lastToken is the fencing token that a worker has.
func lastToken(events []history.Event) (token int64) {
	for i := range events {
		if k := events[i].Kind; k == history.TokenDrawn || k == history.Acquired && events[i].Token != 0 {
			token = events[i].Token
		}
	}
	return token
}

func count(events []history.Event, k history.Kind) (n int) {
	for i := range events {
		if events[i].Kind == k {
			n++
		}
	}
	return n
}
