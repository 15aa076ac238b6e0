package sim

import (
	"slices"

	"locklab/internal/choice"
	"locklab/sim/store"
	"locklab/worker"
	"locklab/worker/wire"
)

// others are the stores of a run beyond the first, numbered from 1, and the workers' links to them. A lock at one store has
// none, and then they cost nothing.
type others struct {
	n      int
	stores []store.Store
	links  []farLink // of worker w to store s at w*n + s-1
	leases []lease   // of worker w at any store s, the first included, at w*(n+1) + s
}

// A farLink is a worker's link to one of the other stores.
type farLink struct {
	link
	way     way
	latency choice.Stream
	network choice.Stream
}

// way is the way that a link's command, or the reply to it, is on.
type way uint8

const (
	noWay way = iota // there is none
	there
	back
)

// otherNames are the names of the streams of the other stores, and of the links to them.
type otherNames struct {
	phases []choice.Name // by store
	links  []struct{ latency, network choice.Name }
}

// nameOthers makes the names of the streams.
func (w *World) nameOthers(workers int) {
	for s := 1; s < w.stores; s++ {
		w.others.phases = append(w.others.phases, choice.NameOf("store", s, "phase"))
	}
	for id := range workers {
		for s := 1; s < w.stores; s++ {
			w.others.links = append(w.others.links, struct{ latency, network choice.Name }{
				choice.NameOf("link", id, worker.ToStore("latency", s)), worker.NetworkStream(id, s),
			})
		}
	}
}

func newOthers(w *World, workers int) others {
	o := others{n: len(w.others.phases)}
	for range o.n {
		o.stores = append(o.stores, store.New(workers, 0))
	}
	if w.quorum > 0 {
		o.links, o.leases = make([]farLink, o.n*workers), make([]lease, w.stores*workers)
	}
	return o
}

// reset makes the other stores and the links to them ready for a new run.
func (o *others) reset(w *World, source choice.Source) {
	clear(o.leases)
	law := choice.Law{Kind: choice.Uniform, B: 999_999}
	for s := range o.stores {
		phase := source.Stream(w.others.phases[s], choice.Fixed)
		o.stores[s].Reset(law.Draw(&phase), store.Begin{})
	}
	for i := range o.links {
		names := &w.others.links[i]
		o.links[i] = farLink{latency: source.Stream(names.latency, choice.Latency), network: source.Stream(names.network, choice.Fixed)}
	}
}

// of are a worker's links.
func (o *others) of(worker int) []farLink { return o.links[worker*o.n : (worker+1)*o.n] }

// What is an actor's next event may be at another store, numbered from 1: elsewhere plus twice its number, less 2, is that a
// command arrives there, and one more that the reply comes back.
const elsewhere = message + 1

func (w what) arrivesElsewhere() bool { return w >= elsewhere && (w-elsewhere)%2 == 0 }

// far is the index of the link to another store that an event is about.
func (w what) far() int { return int(w-elsewhere) / 2 }

// find puts what comes next on an actor's links to other stores in the place of its next event, if it comes first.
func (o *others) find(a *actor, id int) {
	first := a.dueNext()
	arrives := a.next.what == arrival
	for i, links := 0, o.of(id); i < len(links); i++ {
		l := &links[i]
		w := elsewhere + what(2*i)
		switch {
		case l.way == there:
			if l.due.at < a.next.at || l.due.at == a.next.at && !(arrives && first.before(l.due, 0)) {
				a.next, first, arrives = pending{l.due.at, w}, l.due, true
			}
		case l.way == back && a.waits&forResume == 0:
			at := max(l.due.at, a.awake)
			if at < a.next.at || at == a.next.at && !arrives && l.due.before(first, a.awake) {
				a.next, first, arrives = pending{at, w + 1}, l.due, false
			}
		}
	}
}

// dueNext is when the actor's next event was due, and its number among its own.
func (a *actor) dueNext() moment {
	switch a.next.what {
	case 0:
		return moment{at: never}
	case arrival, reply:
		return a.link.due
	case resumption:
		return a.stop
	}
	return a.timers[a.next.what-firing]
}

// sendElsewhere sends a command to another store, or lets it wait for the one that is under way.
func (r *Run) sendElsewhere(a *actor, id int, now int64, wish *wire.Wish) {
	l := &r.others.of(id)[wish.Store-1]
	if l.way != noWay {
		l.push(wish.Tag, &wish.Command)
		return
	}
	l.way = there
	leaves := now + r.before(wish)*r.world.further
	r.sent(&wish.Command, int32(wish.Store), leaves)
	r.sendOn(a, &l.link, &l.latency, &l.network, leaves, wish.Tag, &wish.Command)
	if leaves > now {
		l.leaves = max(l.leaves, leaves)
	}
}

// before is how many commands a worker sends at once before that of a wish.
func (r *Run) before(wish *wire.Wish) (n int64) {
	all := r.wishes.All()
	for i := 0; &all[i] != wish; i++ {
		if all[i].Kind == wire.Send {
			n++
		}
	}
	return n
}

// happenElsewhere lets an actor's next event take place, which is at another store.
func (r *Run) happenElsewhere(a *actor, id int) {
	r.Events++
	now, i := a.next.at, a.next.what.far()
	l := &r.others.of(id)[i]
	if a.next.what.arrivesElsewhere() {
		r.arriveElsewhere(a, id, l, i+1, now)
		return
	}
	l.way = noWay
	a.asleep, a.after = false, afterReply
	tag := l.tag
	if l.queue > 0 {
		waited := l.pop()
		l.way = there
		r.sent(&waited.command, int32(i+1), now)
		r.sendOn(a, &l.link, &l.latency, &l.network, now, waited.tag, &waited.command)
	}
	r.wishes.Reset()
	a.worker.Replied(now, tag, &l.reply, &r.wishes)
	r.carryOut(a, id, now)
}

// arriveElsewhere lets another store execute a command.
func (r *Run) arriveElsewhere(a *actor, id int, l *farLink, s int, now int64) {
	r.storeAt(s).Execute(now, &l.command, &l.reply)
	r.learnOfVote(now, s, &l.command, &l.reply)
	r.Tally.Commands += l.command.Op.Sent()
	if a.dead {
		r.executed(&l.command, int32(s), now, -1)
		l.way = noWay
		if a.waits&forStore == 0 && !r.others.busy(id) {
			r.remove(a, now)
		}
		return
	}
	l.way = back
	l.due = a.due(r.returnsOn(a, &l.link, &l.network, now))
	r.executed(&l.command, int32(s), now, l.due.at)
}

// storeAt is one of the stores, numbered from 0.
func (r *Run) storeAt(s int) *store.Store {
	if s == 0 {
		return &r.store
	}
	return &r.others.stores[s-1]
}

// busy reports whether a command of the worker is on its way to another store.
func (o *others) busy(worker int) bool {
	return slices.ContainsFunc(o.of(worker), func(l farLink) bool { return l.way == there })
}

// hangUp takes back what waits to be sent to other stores by a worker that dies. No reply reaches it any more.
func (o *others) hangUp(worker int) {
	for i, links := 0, o.of(worker); i < len(links); i++ {
		links[i].queue = 0
		if links[i].way == back {
			links[i].way = noWay
		}
	}
}

// leaves is when the last command to another store leaves its worker, if the scenario delays it; else some time before.
func (o *others) leaves(worker int) (at int64) {
	for i, links := 0, o.of(worker); i < len(links); i++ {
		if links[i].way == there {
			at = max(at, links[i].leaves)
		}
	}
	return at
}

// copyFrom makes all equal to those of another run in the same world.
func (o *others) copyFrom(from *others) {
	for s := range o.stores {
		o.stores[s].CopyFrom(&from.stores[s])
	}
	copy(o.links, from.links)
	copy(o.leases, from.leases)
}

// digest takes all that decides how the run goes on into the digest.
func (o *others) digest(d *choice.Digest) {
	for s := range o.stores {
		o.stores[s].Digest(d)
	}
	for i := range o.links {
		l := &o.links[i]
		w := waits(0)
		switch l.way {
		case there:
			w = forStore
		case back:
			w = forReply
		}
		d.Add(int64(l.way))
		l.link.digest(d, w)
	}
	for i := range o.leases {
		d.Add(o.leases[i].value)
		d.Add(o.leases[i].end)
	}
}

// chooseAmongAll lets the source of choices say which of the commands that arrive at one store at one instant is executed
// first, and makes that the next event of its actor.
func (r *Run) chooseAmongAll(w what, at int64) (*actor, int) {
	together := 0
	for id := range r.actors {
		if r.arrivesAs(id, w, at) {
			together++
		}
	}
	pick := 0
	if together > 1 {
		pick = r.source.Choose(choice.Order, 0, together)
	}
	for id := range r.actors {
		if a := &r.actors[id]; r.arrivesAs(id, w, at) {
			if pick == 0 {
				a.next = pending{at, w}
				return a, id
			}
			pick--
		}
	}
	panic("sim: no command arrives")
}

// arrivesAs reports whether a command of an actor arrives at a time, at the store that an event tells of.
func (r *Run) arrivesAs(id int, w what, at int64) bool {
	if w == arrival {
		return r.actors[id].waits&forStore != 0 && r.actors[id].link.due.at == at
	}
	l := &r.others.of(id)[w.far()]
	return l.way == there && l.due.at == at
}
