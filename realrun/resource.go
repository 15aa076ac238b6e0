package realrun

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"locklab/history"
	"locklab/scenarios"
	"locklab/worker"
	"locklab/worker/wire"
)

// accounts are the keys of the balances that a scenario has.
func accounts(s *scenarios.Scenario) []wire.Key {
	switch r := &s.Resource; {
	case r.Kind != worker.Balance:
		return nil
	case r.Update != worker.Partition:
		return []wire.Key{wire.KeyBalance}
	}
	var keys []wire.Key
	for id := range s.Workers {
		keys = append(keys, wire.Numbered(2*int32(id)))
	}
	return keys
}

// readResource reads what the resource is: the balance of each account, or how often each job was performed.
func (t *team) readResource(ctx context.Context, c *redis.Client) ([]int64, error) {
	s := t.job.Scenario
	keys := accounts(s)
	if s.Resource.Kind == worker.Job {
		for i := range s.Rounds {
			keys = append(keys, wire.Numbered(2*i))
		}
	}
	const atOnce = 1000 // keys of one MGET
	var numbers []int64
	for some := range slices.Chunk(keys, atOnce) {
		names := make([]string, len(some))
		for i, k := range some {
			names[i] = t.keys.Name(k)
		}
		values, err := c.MGet(ctx, names...).Result()
		if err == nil {
			numbers, err = appendNumbers(numbers, values)
		}
		if err != nil {
			return nil, fmt.Errorf("read what became of the resource: %w", err)
		}
	}
	return numbers, nil
}

// account takes note of what the resource was when the run was over.
func (t *team) account(tally *history.Tally) {
	switch p := &t.job.Scenario.Resource; p.Kind {
	case worker.Balance:
		tally.Missing = p.Expected(t.job.Scenario.Workers, tally.Updates)
		for _, balance := range t.left {
			tally.Missing -= balance
		}
	case worker.Job:
		for _, times := range t.left {
			if times == 0 {
				tally.NotDone++
			}
		}
	}
}

// consequences are what a worker would have noted beside the write that it did not live to see accepted.
func (t *team) consequences(events []history.Event, known map[string]string, e history.Event) []history.Event {
	result, _ := strconv.ParseInt(known[fmt.Sprintf("result:%d", e.Worker)], 10, 64)
	kind, value := t.job.Scenario.Resource.Consequence(result, lastRead(events))
	if kind == 0 {
		return nil
	}
	e.Kind, e.Value = kind, value
	return []history.Event{e}
}

// lastRead is the version of what a worker has read last.
func lastRead(events []history.Event) (version int64) {
	for i := range events {
		if events[i].Kind == history.HasRead {
			version = events[i].Order
		}
	}
	return version
}
