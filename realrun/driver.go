package realrun

import (
	"encoding/json"
	"os"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/realrun/child"
	"locklab/scenarios"
	"locklab/worker"
	"locklab/worker/wire"
)

// A driver carries out the wishes of one worker: commands by go-redis, timers by the runtime, stops by asking the
// supervisor. It runs in a process of its own, which has nothing else to do.
type driver struct {
	worker   worker.Worker
	delay    scenarios.Delay
	timing   choice.Stream // of delay.Timer
	epoch    int64         // the start of the run, CLOCK_MONOTONIC
	timers   timers
	routes   []*route // by store
	ear      *ear     // nil if nobody tells the worker anything
	keys     *Keys
	replies  chan answer
	in       *json.Decoder // from the supervisor
	out      *json.Encoder // to it
	events   []history.Event
	commands int64  // sent so far, as history.Tally has them
	probe    *probe // nil unless samples are wanted
	wishes   wire.Wishes
	input    wire.Input
	done     bool
	words    <-chan os.Signal // that it is told; nil if no lease can be left behind for ever
	lockOff  bool             // the lock will never be free
}

func newDriver(s *setup, routes []*route, ear *ear, in *json.Decoder, out *json.Encoder) *driver {
	program := worker.NewProgram(s.Scenario.Plan, s.Scenario.Workers)
	_, timer := worker.DelayStreams(s.Worker)
	source := choice.Seeded(s.Seed)
	d := &driver{
		worker:  worker.New(program, s.Worker, source),
		delay:   s.Scenario.Delay,
		timing:  source.Stream(timer, choice.Fixed),
		timers:  newTimers(),
		replies: make(chan answer, wire.MaxWishes),
		routes:  routes,
		ear:     ear,
		keys:    KeysUnder(s.Prefix, lifeOfKeys(s.Scenario)),
		in:      in, out: out,
	}
	if mayNeverBeFree(s.Scenario) {
		d.words = child.Listen()
	}
	if s.Sample {
		d.probe = &probe{}
	}
	return d
}

// now is the time of the run.
func (d *driver) now() int64 { return monotonic() - d.epoch }

// run drives the worker from its beginning to its end.
func (d *driver) run() error {
	d.input = wire.Input{Kind: wire.Begin}
	if err := d.step(); err != nil {
		return err
	}
	for !d.done {
		select {
		case a := <-d.replies:
			if a.err != nil {
				return a.err
			}
			d.probe.replied(a.tag, &a.reply, monotonic())
			d.input.Kind, d.input.Tag, d.input.Reply = wire.Replied, a.tag, &a.reply
		case <-d.timers.next.C:
			t, ok := d.timers.take()
			if !ok {
				continue
			}
			d.probe.fired(t, monotonic())
			d.input.Kind, d.input.Timer = wire.Fired, t
		case err := <-d.ear.messages():
			if err != nil {
				return err
			}
			d.input.Kind = wire.Told
		case s := <-d.words:
			if err := d.hear(child.WordOf(s)); err != nil {
				return err
			}
			continue
		}
		if err := d.step(); err != nil {
			return err
		}
	}
	return nil
}

// step passes the input to the worker and carries out its wishes, until it has nothing left to do at once.
func (d *driver) step() error {
	for {
		now := d.now()
		d.wishes.Reset()
		d.worker.Step(now, &d.input, &d.wishes)
		d.note(now)
		resumed := false
		for i := range d.wishes.All() {
			wish := &d.wishes.All()[i]
			switch wish.Kind {
			case wire.Stop:
				if err := d.stop(wish.For); err != nil {
					return err
				}
				resumed = true
			case wire.Crash:
				return d.die()
			case wire.Unsubscribe:
				if err := d.ear.unsubscribe(); err != nil {
					return failure(d.ear.client, err)
				}
			default:
				d.carryOut(now, wish)
			}
		}
		if !resumed {
			d.abandon()
			return nil
		}
		d.input.Kind = wire.Resumed
	}
}

// note keeps what the worker noted.
func (d *driver) note(now int64) {
	for _, e := range d.wishes.Notes() {
		e.At = now
		d.events = append(d.events, e)
	}
}

func (d *driver) carryOut(now int64, wish *wire.Wish) {
	switch wish.Kind {
	case wire.Send:
		d.byWallClock(&wish.Command)
		d.commands += wish.Command.Op.Sent()
		d.probe.sent(wish.Tag, wish.Command.Op, d.input.Kind, d.epoch+now)
		d.routes[wish.Store].send(wish.Tag, &wish.Command)
	case wire.SetTimer:
		d.set(now, wish.Timer, wish.At)
	case wire.Cancel:
		d.timers.cancel(wish.Timer)
	case wire.Done:
		d.done = true
	}
}

// set sets a timer, later by the delay that the scenario declares.
func (d *driver) set(now int64, t wire.Timer, at int64) {
	if t != wire.TimerStart && at > now {
		at += d.delay.Timer.Draw(&d.timing)
	}
	d.probe.set(t, at-now, d.epoch+at)
	d.timers.set(t, d.epoch+max(at, now))
}

// stop asks the supervisor to stop this process, and returns when it runs again. Nothing else is handled meanwhile. A
// command that was wished for before has been sent before: its reply will wait in the socket.
func (d *driver) stop(length int64) error {
	d.awaitSent()
	asked := monotonic()
	if err := d.out.Encode(report{Stop: &length}); err != nil {
		return err
	}
	var answer stopped
	if err := d.in.Decode(&answer); err != nil {
		return err
	}
	d.probe.stopped(asked, answer.At, length, monotonic())
	return nil
}

// awaitSent waits until the last command to each store is on its way.
func (d *driver) awaitSent() {
	for _, r := range d.routes {
		r.awaitSent()
	}
}

// die reports what the worker leaves and waits to be killed. A command that was wished for before is on its way.
func (d *driver) die() error {
	d.awaitSent()
	end := d.ending()
	end.Crashed, end.Value = true, d.worker.Lock().Value()
	if err := d.out.Encode(report{End: end}); err != nil {
		return err
	}
	return d.in.Decode(&stopped{}) // nothing comes
}

// ending is what the worker leaves.
func (d *driver) ending() *ending {
	end := &ending{Events: d.events, Commands: d.commands}
	if d.probe != nil {
		end.Samples = &d.probe.samples
	}
	return end
}
