package realrun

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"locklab/realrun/child"
	"locklab/scenarios"
	"locklab/worker/wire"
)

// A lease without a deadline whose holder has died is never free again, and who waits for it without a limit would wait for
// ever. When a worker has died, its supervisor looks for its lease now and then. If it is there, without a deadline, and all
// workers that are left say that they wait, nobody can do anything about it any more: they are told to wait no longer.

// mayNeverBeFree reports whether a worker of the scenario that dies may leave a lease behind that others wait for for ever.
func mayNeverBeFree(s *scenarios.Scenario) bool {
	return s.HasCrashes() && !s.Lock.Expires() && s.Lock.Retry.Endless()
}

// hear does what the supervisor tells a worker at any time.
func (d *driver) hear(w child.Word) error {
	if w == askWaits {
		waits := d.worker.Waits()
		return d.out.Encode(report{Waits: &waits})
	}
	d.lockOff = true
	d.abandon()
	return nil
}

// abandon ends the worker if it waits for a lock that will never be free.
func (d *driver) abandon() {
	if !d.lockOff || d.done || !d.worker.Waits() {
		return
	}
	now := d.now()
	d.wishes.Reset()
	d.worker.Abandon(now, &d.wishes)
	d.note(now)
	d.done = true
}

// What is known of a member's wait for the lock.
const (
	notAsked int32 = iota
	waits
	doesNotWait
	isOver // its rounds are, or its life
)

// A vigil looks for the leases of workers that have died.
type vigil struct {
	team   *team
	deaths chan int64 // the owner values of the dead
	quit   chan struct{}
	ended  sync.WaitGroup
}

// lookForLease is the time between two looks.
const lookForLease = 100 * time.Millisecond

// beginVigil begins a vigil over a run, which the caller has to end.
func (t *team) beginVigil(ctx context.Context) *vigil {
	v := &vigil{team: t, deaths: make(chan int64, len(t.members)), quit: make(chan struct{})}
	if mayNeverBeFree(t.job.Scenario) {
		v.ended.Go(func() { v.keep(ctx) })
	}
	return v
}

func (v *vigil) end() {
	close(v.quit)
	v.ended.Wait()
}

// keep waits for the first death, and then looks until the run is over. If the server does not answer, the workers say so.
func (v *vigil) keep(ctx context.Context) {
	select {
	case value := <-v.deaths:
		_ = v.team.session.ask(ctx, func(c *redis.Client) error { return v.look(ctx, c, []int64{value}) })
	case <-v.quit:
	}
}

func (v *vigil) look(ctx context.Context, c *redis.Client, dead []int64) error {
	ticks := time.NewTicker(lookForLease)
	defer ticks.Stop()
	for {
		select {
		case <-v.quit:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case value := <-v.deaths:
			dead = append(dead, value)
		case <-ticks.C:
			all := v.team.allWait() // before the look at the lease: it was there while they waited
			left, err := v.leftBehind(ctx, c, dead)
			switch {
			case err != nil:
				return err
			case left && all:
				v.team.tell(lockIsOff)
				return nil
			case left:
				v.team.tell(askWaits)
			}
		}
	}
}

// leftBehind reports whether one of the dead holds the lock for ever.
func (v *vigil) leftBehind(ctx context.Context, c *redis.Client, dead []int64) (bool, error) {
	key := v.team.keys.Name(wire.KeyLock)
	owner, err := c.Get(ctx, key).Result()
	if err == redis.Nil {
		return false, nil
	} else if err != nil {
		return false, err
	}
	left, err := c.PTTL(ctx, key).Result()
	if err != nil || v.team.keys.ends(left) {
		return false, err
	}
	for _, value := range dead {
		if owner == strconv.FormatInt(value, 10) {
			return true, nil
		}
	}
	return false, nil
}

// allWait reports whether all members that are left have said that they wait, since they were asked last.
func (t *team) allWait() bool {
	for _, m := range t.members {
		if s := m.waiting.Load(); s != waits && s != isOver {
			return false
		}
	}
	return true
}

// tell tells all members that are left a word. One that ends meanwhile says so by itself.
func (t *team) tell(w child.Word) {
	for _, m := range t.members {
		if s := m.waiting.Load(); s != isOver && m.waiting.CompareAndSwap(s, notAsked) {
			_ = m.process.Tell(w)
		}
	}
}

// answer takes what a member says about its wait.
func (m *member) answer(isWaiting bool) {
	if isWaiting {
		m.waiting.Store(waits)
	} else {
		m.waiting.Store(doesNotWait)
	}
}
