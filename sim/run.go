package sim

import (
	"locklab/history"
	"locklab/internal/choice"
	"locklab/sim/store"
	"locklab/worker"
	"locklab/worker/wire"
)

// maxEvents bounds a run. Reaching it is a result (Bounded), not an error.
const maxEvents = 1_000_000_000

// maxTime bounds the time of a run, in ns: 146 years. Beyond it, no event can make the clock overflow.
const maxTime = 1 << 62

// A Run is one run, and the space for it: it can be used again and again without allocating.
type Run struct {
	// Observe, if not nil, is called with every event as it is found. Events that speak of an earlier time (the
	// expiry of a lease) may come after later ones.
	Observe func(*history.Event)

	Tally   history.Tally
	Events  int64 // arrivals at the store, replies and timers; the start is not counted
	Bounded bool  // the run was cut short after very many events, or a very long time

	world  *World
	source choice.Source
	actors []actor
	store  store.Store
	truth  truth
	wishes wire.Wishes
	input  wire.Input
	event  history.Event
}

// NewRun makes the space for runs in a world.
func (w *World) NewRun() *Run {
	n := w.program.Workers()
	return &Run{world: w, actors: make([]actor, n), store: store.New(n), truth: truth{holds: make([]hold, n)}}
}

// Do carries out the run with the given seed.
func (r *Run) Do(seed uint64) {
	r.Start(choice.Seeded(seed))
	for r.Step() {
	}
}

// Step lets the next event take place. It reports false if there is none, or the run was cut short.
func (r *Run) Step() bool {
	a, id := r.first()
	if a.next.at > maxTime {
		r.Bounded = a.next.at != never
		return false
	}
	if r.source.IsScripted() && a.next.what == arrival {
		a, id = r.chooseArrival(a.next.at)
	}
	if r.Events == maxEvents {
		r.Bounded = true
		return false
	}
	r.happen(a, id)
	a.find()
	return true
}

// Start begins a run whose choices come from the given source.
func (r *Run) Start(source choice.Source) {
	r.Tally, r.Events, r.Bounded = history.Tally{}, 0, false
	r.source = source
	phase := source.Stream(r.world.phase, choice.Fixed)
	anyPhase := choice.Law{Kind: choice.Uniform, B: 999_999}
	r.store.Reset(anyPhase.Draw(&phase))
	r.truth.reset()
	for id := range r.actors {
		a := &r.actors[id]
		names := &r.world.actors[id]
		*a = actor{
			worker:   worker.New(r.world.program, id, source),
			latency:  source.Stream(names.latency, choice.Latency),
			lateness: source.Stream(names.lateness, choice.Fixed),
			stopping: source.Stream(names.stop, choice.Fixed),
			resuming: source.Stream(names.resume, choice.Fixed),
			network:  source.Stream(names.network, choice.Fixed),
			timer:    source.Stream(names.timer, choice.Fixed),
		}
		for t := range a.timers {
			a.timers[t].at = never
		}
		r.input = wire.Input{Kind: wire.Begin}
		r.step(a, id, 0)
		a.find()
	}
}

// first is the actor whose event is next: the lowest of those at one time.
func (r *Run) first() (*actor, int) {
	id := 0
	for i := 1; i < len(r.actors); i++ {
		if r.actors[i].next.at < r.actors[id].next.at {
			id = i
		}
	}
	return &r.actors[id], id
}

// happen lets an actor's next event take place.
func (r *Run) happen(a *actor, id int) {
	now := a.next.at
	r.Events++
	switch a.next.what {
	case arrival:
		r.arrive(a, now)
	case reply:
		a.link.state = idle
		a.asleep = false
		r.input.Kind, r.input.Tag, r.input.Reply = wire.Replied, a.link.tag, a.link.reply
		if a.link.queue > 0 {
			waited := a.link.pop()
			r.send(a, now, waited.tag, &waited.command)
		}
		r.step(a, id, now)
	case resumption:
		a.stopped, a.asleep = false, true
		a.awake = now
		r.input.Kind = wire.Resumed
		r.step(a, id, now)
	default:
		t := wire.Timer(a.next.what - firing)
		if t == wire.TimerStart {
			r.Events--
		}
		a.timers[t].at = never
		a.asleep = true
		r.input.Kind, r.input.Timer = wire.Fired, t
		r.step(a, id, now)
	}
}

// arrive lets the store execute a command, and sends the reply on its way.
func (r *Run) arrive(a *actor, now int64) {
	r.execute(now, &a.link.command, &a.link.reply)
	if a.dead {
		a.link.state = idle
		r.testify(a, now)
		r.remove(a, now)
		return
	}
	a.link.state = toWorker
	a.link.due = a.due(now + a.link.back + r.world.delay.Network.Draw(&a.network))
}

func (r *Run) execute(now int64, c *wire.Command, reply *wire.Reply) {
	r.store.Execute(now, c, reply)
	if r.world.locked {
		r.learn(now, c, reply)
	}
}

// step passes the input to the worker and carries out its wishes.
func (r *Run) step(a *actor, id int, now int64) {
	r.wishes.Reset()
	a.worker.Step(now, &r.input, &r.wishes)
	for i := range r.wishes.All() {
		wish := &r.wishes.All()[i]
		switch wish.Kind {
		case wire.Send:
			r.request(a, now, wish.Tag, &wish.Command)
		case wire.SetTimer:
			a.timers[wish.Timer] = a.due(r.fires(a, now, wish.Timer, wish.At))
		case wire.Cancel:
			a.timers[wish.Timer].at = never
		case wire.Stop:
			r.halt(a, now, wish.For)
		case wire.Note:
			r.note(now, &wish.Event)
		case wire.Crash:
			r.crash(a, id, now)
		case wire.Done:
			a.silence()
		}
	}
}

// request sends a command, or lets it wait for the reply to the one that is under way.
func (r *Run) request(a *actor, now int64, tag wire.Tag, c *wire.Command) {
	if a.link.state != idle {
		a.link.push(tag, c)
		return
	}
	r.send(a, now, tag, c)
}

func (r *Run) send(a *actor, now int64, tag wire.Tag, c *wire.Command) {
	network := &r.world.profile.Network
	law := &network.AfterReply
	if a.asleep {
		law = &network.AfterSleep
	}
	there := law.Draw(&a.latency)
	if network.RoundTrip {
		a.link.back = there / 2
		there -= a.link.back
	} else {
		a.link.back = law.Draw(&a.latency)
	}
	a.link.state, a.link.tag, a.link.command = toStore, tag, *c
	a.link.due = a.due(now + there + r.world.delay.Network.Draw(&a.network))
}

// fires is when a timer that is set for the given time goes off.
func (r *Run) fires(a *actor, now int64, t wire.Timer, at int64) int64 {
	switch {
	case t == wire.TimerStart:
		return at + r.world.profile.Start.Draw(&a.lateness)
	case at <= now:
		return now
	default:
		late := r.world.profile.Lateness(at - now)
		return at + late.Draw(&a.lateness) + r.world.delay.Timer.Draw(&a.timer)
	}
}

// halt stops the worker's process: its timers and replies wait until it runs again.
func (r *Run) halt(a *actor, now, d int64) {
	p := &r.world.profile
	a.stopped = true
	a.stop = a.due(now + p.Stop.Draw(&a.stopping) + d + p.Continue.Draw(&a.resuming))
}

// note counts and shows an event of a worker.
func (r *Run) note(now int64, e *history.Event) {
	if r.world.locked {
		r.believe(now, e)
	}
	e.At = now
	r.emit(e)
}

func (r *Run) emit(e *history.Event) {
	r.Tally.Add(e)
	if r.Observe != nil {
		r.Observe(e)
	}
}
