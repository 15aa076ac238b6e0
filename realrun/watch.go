package realrun

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	lookEvery = 5 * time.Millisecond  // the supervisor's watch wakes so often
	pingEvery = 20 * time.Millisecond // and asks the store so often for an answer
	ample     = time.Millisecond      // what two clocks may drift apart between two looks
)

// A Watch is what the supervisor noticed of the machine and of the store while a run went on. All is in nanoseconds.
type Watch struct {
	Late      Seen  // how much later than it wanted it woke
	Answer    Seen  // how long the store took to answer
	Suspended Worst // for how long the machine was suspended, one time; 0 if it was not
	Stepped   Worst // by how much the machine's wall clock jumped, ahead or back, one time; 0 if it did not
}

// WatchSamples are all that the supervisor's watch measured, in nanoseconds.
type WatchSamples struct {
	Late   []int64 // how much later than it wanted it woke, each time
	Answer []int64 // how long the store took, each time that it was asked
}

// Add appends what o holds.
func (s *WatchSamples) Add(o *WatchSamples) {
	s.Late = append(s.Late, o.Late...)
	s.Answer = append(s.Answer, o.Answer...)
}

// Seen is what was seen of a quantity during a run.
type Seen struct {
	Worst
	Median int64 // 0 if it was seen less than 20 times
}

// A Worst is the worst of a quantity during a run, and when that was seen, since the start of the run.
type Worst struct{ NS, At int64 }

func (w *Worst) see(ns, at int64) {
	if ns > w.NS {
		*w = Worst{ns, at}
	}
}

// clocks are readings of the machine's clocks at one instant, in nanoseconds: CLOCK_MONOTONIC, which stands still while the
// machine is suspended, CLOCK_BOOTTIME, which does not, and CLOCK_REALTIME, which is set.
type clocks struct{ monotonic, boot, wall int64 }

// A watch is the supervisor's own look at the machine and the store during a wave: it sleeps and sends as its workers do, but
// knows when it should have woken.
type watch struct {
	client *redis.Client // nil if the store does not answer: then the runs say so

	quit    chan struct{}
	ended   sync.WaitGroup
	looks   []look
	answers []span
	sampled bool // a run's outcome has the samples
}

// A look is one time that the watch woke.
type look struct {
	span               // from when it should have woken until it did
	suspended, stepped int64
}

// A span is a stretch of CLOCK_MONOTONIC, in ns.
type span struct{ from, to int64 }

func (s span) length() int64 { return s.to - s.from }

// beginWatch begins to watch the machine and the session's first store.
func (s *Session) beginWatch(ctx context.Context) *watch {
	w := &watch{quit: make(chan struct{})}
	w.ended.Go(w.wake)
	c, err := connect(s.urls[0], nil)
	if err != nil {
		return w
	}
	if warm(ctx, c) != nil {
		c.Close()
		return w
	}
	w.client = c
	w.ended.Go(w.ask)
	return w
}

// warm opens a connection and walks the way of a command a few times.
func warm(ctx context.Context, c *redis.Client) error {
	defer context.AfterFunc(ctx, func() { c.Close() })()
	for range 3 {
		if err := c.Ping(ctx).Err(); err != nil {
			return err
		}
	}
	return nil
}

// end ends the watch. Afterwards it can be asked what it saw.
func (w *watch) end() {
	close(w.quit)
	if w.client != nil {
		w.client.Close() // a store that hangs does not hold it up
	}
	w.ended.Wait()
}

// wake wakes again and again, and notes how late.
func (w *watch) wake() {
	before := readClocks()
	due := before.monotonic
	alarm := time.NewTimer(0)
	defer alarm.Stop()
	for over := false; !over; {
		due = max(due, before.monotonic) + int64(lookEvery)
		alarm.Reset(time.Duration(due - before.monotonic))
		select {
		case <-w.quit:
			over = true
		case <-alarm.C:
		}
		now := readClocks()
		w.note(due, before, now)
		before = now
	}
}

// note notes a look that was due at an instant, and what the clocks have done since the one before.
func (w *watch) note(due int64, before, now clocks) {
	passed := now.monotonic - before.monotonic
	w.looks = append(w.looks, look{
		span:      span{due, max(due, now.monotonic)},
		suspended: beyond(now.boot-before.boot-passed, int64(ample)),
		stepped:   beyond(now.wall-before.wall-(now.boot-before.boot), int64(ample)),
	})
}

// beyond is the size of d if it is above a limit, else 0.
func beyond(d, limit int64) int64 {
	if d = max(d, -d); d > limit {
		return d
	}
	return 0
}

// ask asks the store again and again for an answer, and notes how long it takes.
func (w *watch) ask() {
	pause := time.NewTicker(pingEvery)
	defer pause.Stop()
	for {
		select {
		case <-w.quit:
			return
		case <-pause.C:
		}
		sent := monotonic()
		err := w.client.Ping(context.Background()).Err()
		w.answers = append(w.answers, span{sent, monotonic()})
		if err != nil {
			return // closed, or gone: the runs say so
		}
	}
}

// testify adds to a run's outcome what the watch, which has ended, saw of it; to the first that wants them, its samples.
func (w *watch) testify(o *Outcome, t *team) {
	o.Watch = w.during(t.time)
	if t.job.Sample && !w.sampled {
		o.WatchSamples, w.sampled = w.samples(), true
	}
}

// during is what the watch, which has ended, saw of a run.
func (w *watch) during(run span) (seen Watch) {
	var lates, answers []int64
	for _, l := range w.looks {
		if l.to < run.from || l.from > run.to {
			continue
		}
		at := l.to - run.from
		lates = append(lates, l.length())
		seen.Late.see(l.length(), at)
		seen.Suspended.see(l.suspended, at)
		seen.Stepped.see(l.stepped, at)
	}
	for _, a := range w.answers {
		if a.to >= run.from && a.from <= run.to {
			answers = append(answers, a.length())
			seen.Answer.see(a.length(), a.to-run.from)
		}
	}
	seen.Late.Median, seen.Answer.Median = median(lates), median(answers)
	return seen
}

// median is the middle of samples, which it sorts; 0 of few.
func median(samples []int64) int64 {
	if len(samples) < 20 {
		return 0
	}
	slices.Sort(samples)
	return samples[len(samples)/2]
}

// samples are all that the watch, which has ended, measured.
func (w *watch) samples() (all WatchSamples) {
	for _, l := range w.looks {
		all.Late = append(all.Late, l.length())
	}
	for _, a := range w.answers {
		all.Answer = append(all.Answer, a.length())
	}
	return all
}

// Answers measures how long the store takes to answer, so many times at the pace of a watch, and gives the sorted times
// in nanoseconds.
func (s *Session) Answers(ctx context.Context, n int) ([]int64, error) {
	var answers []int64
	err := s.ask(ctx, func(c *redis.Client) error {
		if err := warm(ctx, c); err != nil {
			return err
		}
		for range n {
			sent := monotonic()
			if err := c.Ping(ctx).Err(); err != nil {
				return err
			}
			answers = append(answers, monotonic()-sent)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(pingEvery):
			}
		}
		return nil
	})
	slices.Sort(answers)
	return answers, err
}
