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
	// expiry of a lease) may come after later ones. A run that is observed takes place one event at a time.
	Observe func(*history.Event)

	// Flights, if not nil, is called with every command that a store has executed, when its reply is on its way. Such a run
	// takes place one event at a time, too.
	Flights func(*history.Flight)

	// Hashing asks for Hash, the hash of the run's events.
	Hashing bool
	Hash    history.Hash

	Waits   *history.Waits // if not nil, counts every wait
	Tally   history.Tally
	Events  int64 // arrivals at the store, replies and timers; the start is not counted
	Bounded bool  // the run was cut short after very many events, or a very long time

	world    *World
	silent   bool // nobody looks at single events
	source   choice.Source
	actors   []actor
	order    order       // of the next events; ahead, of what arrives at the store
	store    store.Store // the first
	others   others
	messages messages
	truth    truth
	wishes   wire.Wishes
	event    history.Event
	flying   []int64 // by worker and store: when the command under way was sent, if somebody asks for Flights
}

// NewRun makes the space for runs in a world.
func (w *World) NewRun() *Run {
	n := w.program.Workers()
	return &Run{
		world: w, actors: make([]actor, n), order: newOrder(n), store: store.New(n, w.numbered), others: newOthers(w, n),
		messages: newMessages(w), truth: truth{holds: make([]hold, n)},
	}
}

// Do carries out the run with the given seed.
func (r *Run) Do(seed uint64) {
	r.do(seed)
	r.Account()
}

func (r *Run) do(seed uint64) {
	r.Start(choice.Seeded(seed))
	if r.mayRunAhead() {
		if r.runAhead() {
			return
		}
		r.Start(choice.Seeded(seed)) // where it is cut short depends on the order of events
	}
	for r.Step() {
	}
}

// Step lets the next event take place. It reports false if there is none, or the run was cut short.
func (r *Run) Step() bool {
	id, at := r.order.next()
	a := &r.actors[id]
	if at > maxTime {
		r.Bounded = at != never
		return false
	}
	if r.source.IsScripted() {
		a, id = r.chooseArrival(a, id, at)
	}
	if r.Events == maxEvents {
		r.Bounded = true
		return false
	}
	if a.next.what < elsewhere {
		r.happen(a, id)
	} else {
		r.happenElsewhere(a, id)
	}
	r.find(a, id)
	if r.world.endless {
		r.endVainWaits(at)
	}
	return true
}

// find looks for an actor's next event, and puts the actor in its place among the others.
func (r *Run) find(a *actor, id int) {
	a.find()
	if r.others.n > 0 {
		r.others.find(a, id)
	}
	if r.world.wakes {
		r.messages.find(a, id)
	}
	r.order.put(id, a.next.at, never)
}

// Start begins a run whose choices come from the given source.
func (r *Run) Start(source choice.Source) {
	r.Tally, r.Hash, r.Events, r.Bounded = history.Tally{Each: r.Waits}, history.Hash{}, 0, false
	r.source = source
	phase := source.Stream(r.world.phase, choice.Fixed)
	anyPhase := choice.Law{Kind: choice.Uniform, B: 999_999}
	r.store.Reset(anyPhase.Draw(&phase), r.world.begin)
	r.others.reset(r.world, source)
	r.messages.reset(r.world, source)
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
		r.wishes.Reset()
		a.worker.Begin(&r.wishes)
		r.carryOut(a, id, 0)
		r.find(a, id)
	}
}

// happen lets an actor's next event take place.
func (r *Run) happen(a *actor, id int) {
	now := a.next.at
	r.Events++
	switch a.next.what {
	case arrival:
		r.arrive(a, id, now)
	case reply:
		r.replied(a, id, now)
	case resumption:
		a.waits &^= forResume
		a.asleep, a.after, a.awake = true, afterStop, now
		r.wishes.Reset()
		a.worker.Resumed(now, &r.wishes)
		r.carryOut(a, id, now)
	case message:
		r.told(a, id, now)
	default:
		t := wire.Timer(a.next.what - firing)
		if t == wire.TimerStart {
			r.Events--
		}
		r.fired(a, id, t, now)
	}
}

// arrive lets the store execute a command, and sends the reply on its way.
func (r *Run) arrive(a *actor, id int, now int64) {
	command, reply := &a.link.command, &a.link.reply
	r.store.Execute(now, command, reply)
	r.Tally.Commands += command.Op.Sent()
	switch {
	case r.world.quorum > 0:
		r.learnOfVote(now, 0, command, reply)
	case r.world.locked && telling(command.Op):
		r.learn(now, command, reply)
	}
	if publishes(command.Op) {
		r.publish(now)
	}
	a.waits &^= forStore
	if a.dead {
		r.executed(command, 0, now, -1)
		r.testify(a, now)
		if !r.others.busy(id) {
			r.remove(a, now)
		}
		return
	}
	a.waits |= forReply
	a.link.due = a.due(r.returns(a, now))
	r.executed(command, 0, now, a.link.due.at)
}

// replied hands the worker the reply.
func (r *Run) replied(a *actor, id int, now int64) {
	a.waits &^= forReply
	a.asleep, a.after = false, afterReply
	tag := a.link.tag
	if a.link.queue > 0 {
		waited := a.link.pop()
		r.send(a, now, waited.tag, &waited.command)
	}
	r.wishes.Reset()
	a.worker.Replied(now, tag, &a.link.reply, &r.wishes)
	r.carryOut(a, id, now)
}

// fired tells the worker that a timer has fired.
func (r *Run) fired(a *actor, id int, t wire.Timer, now int64) {
	a.disarm(t)
	a.asleep, a.after = true, a.sleeps[t]
	r.wishes.Reset()
	a.worker.Fired(now, t, &r.wishes)
	r.carryOut(a, id, now)
}

// carryOut carries out what a worker wishes for, and takes what it has noted.
func (r *Run) carryOut(a *actor, id int, now int64) {
	r.takeNotes(now)
	all := r.wishes.All()
	for i := range all {
		wish := &all[i]
		switch wish.Kind {
		case wire.Send:
			if wish.Store > 0 {
				r.sendElsewhere(a, id, now, wish)
			} else if a.waits&forLink == 0 {
				r.send(a, now, wish.Tag, &wish.Command)
			} else {
				a.link.push(wish.Tag, &wish.Command) // until the one that is under way was replied to
			}
		case wire.SetTimer:
			a.arm(wish.Timer, r.fires(a, now, wish.Timer, wish.At))
		case wire.Cancel:
			a.disarm(wish.Timer)
		case wire.Stop:
			r.halt(a, id, now, wish.For)
		case wire.Crash:
			r.crash(a, id, now)
		case wire.Done:
			a.silence()
			r.hangUp(id)
		case wire.Unsubscribe:
			r.store.Unsubscribe(int32(id))
		}
	}
}

func (r *Run) send(a *actor, now int64, tag wire.Tag, c *wire.Command) {
	a.waits |= forStore
	r.sent(c, 0, now)
	r.sendOn(a, &a.link, &a.latency, &a.network, now, tag, c)
}

// sendOn sends a command on one of the worker's links.
func (r *Run) sendOn(a *actor, l *link, latency, network *choice.Stream, now int64, tag wire.Tag, c *wire.Command) {
	l.tag = tag
	l.command = *c
	l.leaves = 0
	there, delay := r.latencyOn(a, l, latency), r.world.delay.Network.Draw(network)
	if delay > 0 {
		l.leaves = now + delay
	}
	l.due = a.due(now + delay + there)
}

// halt stops the worker's process, as soon as the command that it has sent has left it: its timers and replies wait until it
// runs again.
func (r *Run) halt(a *actor, id int, now, d int64) {
	p := &r.world.profile
	if a.waits&forStore != 0 {
		now = max(now, a.link.leaves)
	}
	now = max(now, r.others.leaves(id))
	a.waits |= forResume
	a.stands = now + p.Stop.Draw(&a.stopping)
	a.stop = a.due(a.stands + d + p.Continue.Draw(&a.resuming))
}
