package realrun

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"locklab/history"
	"locklab/scenarios"
	"locklab/worker/wire"
)

// A Job is one run to be measured.
type Job struct {
	Scenario *scenarios.Scenario // scaled already
	Seed     uint64              // of the run
	Sample   bool                // collect samples of the machine's delays
}

// An Outcome is what a run left.
type Outcome struct {
	Tally   history.Tally
	Events  []history.Event // of all workers, by time
	Hash    uint64          // of Events
	Samples Samples         // if the job asked for them
	Watch   Watch           // what was noticed of the machine and the store meanwhile

	// WatchSamples are those of the whole wave, if the job asked for samples. The first run of a wave has them.
	WatchSamples WatchSamples
}

// A team is the worker processes of one run, ready to start.
type team struct {
	session *Session
	job     Job
	keys    *Keys
	members []*member
	counted map[string]string // by the referee at the server, when the run was over
	left    []int64           // what the resource was then: the balance of each account, or how often each job was performed
	time    span              // from its beginning to its end, if it was carried out
}

// assemble prepares the run's keys and starts its worker processes, and returns when all are ready.
func (s *Session) assemble(ctx context.Context, job Job) (*team, error) {
	prefix := s.nextPrefix()
	t := &team{session: s, job: job, keys: KeysUnder(prefix, lifeOfKeys(job.Scenario))}
	s.remember(t.keys.all(job.Scenario.Resource.Numbered(job.Scenario.Workers, job.Scenario.Rounds))...)
	if err := s.ask(ctx, func(c *redis.Client) error { return t.prepareKeys(ctx, c) }); err != nil {
		return nil, err
	}
	for id := range job.Scenario.Workers {
		m, err := startMember(&setup{
			Worker: id, Seed: job.Seed, Scenario: job.Scenario, URLs: s.urls[:job.Scenario.Lock.Stores()], Prefix: prefix, Sample: job.Sample,
		})
		if err != nil {
			t.dismiss()
			return nil, err
		}
		t.members = append(t.members, m)
	}
	if err := t.await(ctx); err != nil {
		t.dismiss()
		return nil, err
	}
	return t, nil
}

// prepareKeys makes the keys that the scripts need, each with a deadline far beyond the run: they vanish by themselves
// if nobody is left to remove them.
func (t *team) prepareKeys(ctx context.Context, c *redis.Client) error {
	s, keys := t.job.Scenario, t.keys
	_, err := c.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.Set(ctx, keys.Name(wire.KeyToken), max(s.Fencing.First, 1)-1, keys.life)
		p.Set(ctx, keys.Name(wire.KeyHighest), 0, keys.life)
		p.HSet(ctx, keys.Name(wire.KeyReferee), "inside", 0, "changed", 0)
		p.PExpire(ctx, keys.Name(wire.KeyReferee), keys.life)
		for _, account := range accounts(s) {
			p.Set(ctx, keys.Name(account), s.Resource.Opening, keys.life)
			p.Set(ctx, keys.Name(account.Beside()), 0, keys.life)
		}
		return nil
	})
	return err
}

// lifeOfKeys is an hour and ten times what the run would take if all workers took turns in everything.
func lifeOfKeys(s *scenarios.Scenario) time.Duration {
	round := s.Work.Mean() + s.Think.Mean() + s.Lock.TTL
	for i := range s.Pauses {
		round += s.Pauses[i].For.Mean()
	}
	const most = 1000 * time.Hour
	turns := 10 * float64(s.Workers) * float64(s.Rounds) * float64(round)
	return time.Duration(min(turns, float64(most))) + time.Hour
}

// await returns when all members are ready, or with the first error.
func (t *team) await(ctx context.Context) error {
	return t.each(ctx, func(m *member) error { return m.ready() })
}

// each does something with all members at once. On the first error, and when ctx ends, it kills them all, so that
// nobody waits for the others.
func (t *team) each(ctx context.Context, do func(*member) error) error {
	stop := context.AfterFunc(ctx, t.kill)
	defer stop()
	var (
		wg    sync.WaitGroup
		once  sync.Once
		first error
	)
	for _, m := range t.members {
		wg.Go(func() {
			if err := do(m); err != nil {
				once.Do(func() { first = err; t.kill() })
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return first
}

func (t *team) kill() {
	for _, m := range t.members {
		m.process.Kill()
	}
}

// play carries out the run, which begins at the given instant (CLOCK_MONOTONIC, ns).
func (t *team) play(ctx context.Context, at int64) error {
	vigil := t.beginVigil(ctx)
	err := t.each(ctx, func(m *member) (err error) {
		if m.left, err = m.attend(ctx, at); err == nil && m.left != nil {
			vigil.deaths <- m.left.Value
			err = t.bury(ctx, m.id, at, m.left)
		}
		return err
	})
	vigil.end()
	if err != nil {
		return err
	}
	t.time = span{at, monotonic()}
	return t.session.ask(ctx, func(c *redis.Client) (err error) {
		if t.counted, err = c.HGetAll(ctx, t.keys.Name(wire.KeyReferee)).Result(); err != nil {
			return err
		}
		t.left, err = t.readResource(ctx, c)
		return err
	})
}

// collectLimit is how long a worker may take to report what it noted.
const collectLimit = 20 * time.Second

// collect takes what the members of a run that is over have noted. It does so also if the run's context has ended since.
func (t *team) collect() (*Outcome, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), collectLimit, fmt.Errorf("no report within %v", collectLimit))
	defer cancel()
	if err := t.each(ctx, (*member).collect); err != nil {
		return nil, err
	}
	var out Outcome
	for _, m := range t.members {
		out.Events = append(out.Events, m.left.Events...)
		out.Tally.Commands += m.left.Commands
		if m.left.Samples != nil {
			out.Samples.Add(m.left.Samples)
		}
	}
	out.count()
	t.account(&out.Tally)
	if err := t.confirm(&out.Tally); err != nil {
		return nil, err
	}
	return &out, nil
}

// count orders the events and counts them.
func (o *Outcome) count() {
	slices.SortStableFunc(o.Events, func(a, b history.Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Worker, b.Worker))
	})
	var hash history.Hash
	for i := range o.Events {
		o.Tally.Add(&o.Events[i])
		hash.Add(&o.Events[i])
	}
	o.Hash = hash.Sum()
}

// confirm compares the tally of the histories with what the referee counted at the server.
func (t *team) confirm(tally *history.Tally) error {
	for _, c := range []struct {
		field string
		want  int64
	}{
		{"entries", tally.Entries}, {"conflicts", tally.Conflicts}, {"overlap_us", tally.Overlap / 1000}, {"rejected", tally.RejectedWrites},
	} {
		if got, _ := strconv.ParseInt(t.counted[c.field], 10, 64); got != c.want {
			return fmt.Errorf("the referee at the server counted %s %d, the histories %d: the run is void (was its server restarted or its keys removed?)", c.field, got, c.want)
		}
	}
	return nil
}

// dismiss ends all members.
func (t *team) dismiss() {
	t.kill()
	for _, m := range t.members {
		m.end()
	}
}
