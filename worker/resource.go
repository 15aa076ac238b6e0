package worker

import (
	"locklab/history"
	"locklab/internal/choice"
	"locklab/worker/lock"
	"locklab/worker/wire"
)

// ResourceKind says what the lock protects.
type ResourceKind uint8

// The kinds of resources. NoResource is the zero value: only entries are counted.
const (
	NoResource ResourceKind = iota
	Balance                 // an account: each round adds an amount to its balance
	Job                     // jobs that are to be done once: round r of every worker is handed job r
)

// Update says how a round changes the resource.
type Update uint8

// The ways of updating. Plain is the zero value.
const (
	Plain       Update = iota // read, work, write what was computed from what was read; of a job: look whether it was done, and do it
	Atomic                    // balance: INCRBY
	Optimistic                // balance: WATCH, read, work, MULTI/SET/EXEC; again if somebody else wrote meanwhile
	Versioned                 // balance: read a version, too, and write in one script if it is still that; again if not
	Transaction               // the whole update in one script, after the work
	Partition                 // plain, but each key belongs to one worker: an account of its own, or every n-th job
	Idempotent                // job: its key is claimed by SET NX, then it is done; who comes later takes the first one's result
)

// A Resource is what a round works on. The zero value is none.
type Resource struct {
	Kind    ResourceKind
	Update  Update
	Amount  int64 // Balance: what a round adds, at least 1
	Opening int64 // Balance: of the account at the beginning
}

// Numbered is how many numbered keys the resource needs, in a run of so many workers and rounds.
func (r *Resource) Numbered(workers int, rounds int32) int {
	switch {
	case r.Kind == Job:
		return 2 * int(rounds)
	case r.Kind == Balance && r.Update == Partition:
		return 2 * workers
	}
	return 0
}

// Expected is what the balance should be after so many updates, or the sum of all balances.
func (r *Resource) Expected(workers int, updates int64) int64 {
	accounts := int64(1)
	if r.Update == Partition {
		accounts = int64(workers)
	}
	return accounts*r.Opening + r.Amount*updates
}

// Fenced reports whether the commit can be refused because of a fencing token.
func (r *Resource) Fenced() bool {
	_, commit := r.commands()
	return r.Kind == NoResource || checked(commit)
}

// reads reports whether a round looks at the resource before its work.
func (r *Resource) reads() bool {
	return r.Kind != NoResource && r.Update != Atomic && r.Update != Transaction
}

// retries reports whether an update is tried again until nobody else wrote meanwhile.
func (r *Resource) retries() bool { return r.Update == Optimistic || r.Update == Versioned }

// commands are those of the steps read and commit.
func (r *Resource) commands() (read, commit wire.Op) {
	if r.Kind == Job {
		switch r.Update {
		case Transaction:
			return 0, wire.PerformOnce
		case Idempotent:
			return wire.Set, wire.Perform
		}
		return wire.Get, wire.Perform
	}
	switch r.Update {
	case Atomic:
		return 0, wire.IncrBy
	case Optimistic:
		return wire.Watch, wire.ExecSet
	case Versioned:
		return wire.GetVersioned, wire.SetIfVersion
	case Transaction:
		return 0, wire.AddVersioned
	}
	return wire.GetVersioned, wire.SetVersioned
}

// tagSecond is the tag of the second command of a read.
const tagSecond = lock.NumTags + 1

// updating is how far a round has come in its update.
type updating struct {
	value   int64 // that was read
	version int64 // of it
	first   int64 // when the first try began, with its read
	since   int64 // when the current one did
	again   bool  // it is not the first
}

// key is the key that the worker's round works on.
func (w *Worker) key() wire.Key {
	r := &w.program.plan.Resource
	switch {
	case r.Kind == Job:
		return wire.Numbered(2 * w.round)
	case r.Update == Partition:
		return wire.Numbered(2 * w.id)
	}
	return wire.KeyBalance
}

// claim is the key under which a job is claimed.
func (w *Worker) claim() wire.Key { return w.key() + 1 }

// handed reports whether the worker has to do something in its round: of jobs that belong to one worker each, the others are
// not its own.
func (w *Worker) handed() bool {
	r := &w.program.plan.Resource
	return r.Kind != Job || r.Update != Partition || w.round%int32(w.program.Workers()) == w.id
}

// fillRead says what the first command of the current step, a read, is.
func (w *Worker) fillRead(now int64, c *wire.Command) {
	w.updating.since = now
	if !w.updating.again {
		w.updating.first = now
	}
	if c.Key = w.key(); c.Op == wire.Set {
		c.Key, c.Value, c.Options = w.claim(), int64(w.id)+1, wire.NX
	}
}

// fillUpdate says what the commit of the current step does to the resource.
func (w *Worker) fillUpdate(c *wire.Command) {
	c.Key = w.key()
	switch c.Op {
	case wire.IncrBy, wire.AddVersioned:
		c.Value = w.program.plan.Resource.Amount
	case wire.SetVersioned, wire.SetIfVersion, wire.ExecSet:
		c.Value = w.updating.value + w.program.plan.Resource.Amount
		c.Version = w.updating.version
	}
}

// hasRead takes the reply to a command of a read.
func (w *Worker) hasRead(now int64, tag wire.Tag, r *wire.Reply, out *wire.Wishes) {
	op := w.steps[w.at].op
	switch {
	case tag == tagSecond && op == wire.Set, op == wire.Get && r.Status == wire.OK:
		w.note(history.Skipped, out).Value = r.Value // somebody else has done the job, or is about to
		w.skipTo(now, history.Leave, out)
		return
	case op == wire.Watch && tag == tagStep:
		out.Send(0, tagSecond, wire.GetVersioned, w.key(), w.id)
		return
	case op == wire.Set && r.Status != wire.OK:
		out.Send(0, tagSecond, wire.Get, w.key(), w.id)
		return
	case op == wire.Set:
		w.note(history.Claimed, out)
	default:
		w.updating.value, w.updating.version = r.Value, r.Version
		e := w.note(history.HasRead, out)
		e.Value, e.Order = r.Value, r.Version
	}
	w.next(now, out)
}

// updated notes what an accepted commit did to the resource.
func (w *Worker) updated(now int64, r *wire.Reply, out *wire.Wishes) {
	p := &w.program.plan.Resource
	result := r.Version
	if p.Kind == Job {
		result = r.Value
	}
	kind, value := p.Consequence(result, w.updating.version)
	if kind == 0 {
		return
	}
	e := w.note(kind, out)
	e.Value = value
	if kind == history.DoneTwice {
		e.For = now - w.updating.since
	}
}

// Consequence is what goes with an accepted commit: that it lost an update, or did a job twice, and how many times; 0 for neither.
// result is the version that it made of a balance, or how often the job has been performed; version is that of the balance which
// it was computed from.
func (r *Resource) Consequence(result, version int64) (history.Kind, int64) {
	switch {
	case r.Kind == Job && result > 1:
		return history.DoneTwice, result - 1
	case r.Kind == Balance && r.reads() && result != version+1:
		return history.LostUpdate, result - version - 1
	}
	return 0, 0
}

// refusedUpdate takes the refusal of a commit that had no token to be refused for: somebody else was there first. The update is
// tried again; of a job, there is nothing left to do.
func (w *Worker) refusedUpdate(now int64, r *wire.Reply, out *wire.Wishes) {
	spent := now - w.updating.since
	if !w.program.plan.Resource.retries() {
		e := w.note(history.Skipped, out)
		e.Value, e.For = r.Value, spent
		w.skipTo(now, history.Leave, out)
		return
	}
	w.note(history.Retried, out).For = spent
	w.updating.again = true
	for w.step() != history.Read {
		w.at--
	}
	w.do(&w.steps[w.at], now, out)
}

// again reports whether the current step was done before in this round, with its pauses.
func (w *Worker) again() bool {
	s := w.step()
	return w.updating.again && (s == history.Read || s == history.Work || s == history.Commit)
}

func (u *updating) digest(d *choice.Digest) {
	d.Add(u.value)
	d.Add(u.version)
	d.Add(u.first)
	d.Add(u.since)
	d.Add(one(u.again))
}

func one(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}
