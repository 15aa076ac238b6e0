package plots

import (
	"cmp"
	"slices"

	"locklab/history"
)

// A span is a time of the run in nanoseconds, from its start to its end.
type span struct{ from, to int64 }

func (s span) length() int64 { return s.to - s.from }

// within is the part of s inside of w.
func (s span) within(w span) (span, bool) {
	part := span{max(s.from, w.from), min(s.to, w.to)}
	return part, part.from <= part.to && s.from <= w.to && s.to >= w.from
}

// A state is what a worker does as far as it knows.
type state uint8

const (
	idle    state = iota
	waiting       // it asked for the lock
	holding       // it believes that it holds the lock, and is not in the critical section
	inside        // it is in the critical section
)

// A segment is a time during which a worker does one thing.
type segment struct {
	span
	state  state
	paused bool // its process was stopped
}

// A hold is the time that a worker has the lock in truth. order is the number of the grant.
type hold struct {
	span
	worker  int32
	order   int64
	expired bool // its lease ended it
}

// A zombie is the time that a worker believes in a hold that is gone.
type zombie struct {
	span
	hold   hold
	struck bool // somebody entered while another was inside
}

// A mark is an event of one moment in a worker's lane.
type mark struct {
	at   int64
	kind history.Kind
}

// A lane is what one worker did.
type lane struct {
	segments []segment
	beliefs  []span // that it holds the lock
	marks    []mark // conflicts and rejected writes
}

// A story is a history put into lanes.
type story struct {
	lanes   []lane // by worker
	holds   []hold // by grant; none in a history of the real world
	zombies []zombie
	twofold []span // with two or more inside
	end     int64
}

// tell puts a history into lanes.
func tell(events []history.Event) story {
	events = slices.DeleteFunc(slices.Clone(events), func(e history.Event) bool { return e.Worker < 0 || e.Worker >= history.MostWorkers }) // no run has these
	slices.SortStableFunc(events, func(a, b history.Event) int { return cmp.Compare(a.At, b.At) })
	var s story
	if len(events) > 0 {
		s.end = events[len(events)-1].At
	}
	s.lanes = foldLanes(events, s.end)
	known := history.NewSpans(events)
	for i := range s.lanes {
		s.lanes[i].beliefs = spansOf(known.Workers[i][history.Believing])
	}
	for _, h := range known.Holds {
		s.holds = append(s.holds, hold{span: span{h.From, h.To}, worker: h.Worker, order: h.Order, expired: h.Expired})
	}
	s.twofold = spansOf(known.Crowd)
	s.zombies = s.findZombies()
	return s
}

func foldLanes(events []history.Event, end int64) []lane {
	var workers int32
	for _, e := range events {
		workers = max(workers, e.Worker+1)
	}
	folds := make([]laneFold, workers)
	for i := range events {
		if e := &events[i]; !e.Kind.IsTruth() {
			folds[e.Worker].add(e)
		}
	}
	lanes := make([]lane, workers)
	for i := range folds {
		folds[i].flush(end)
		lanes[i] = folds[i].lane
	}
	return lanes
}

// A laneFold is what is known of a worker after some of its events.
type laneFold struct {
	lane
	since                            int64 // it does what it does
	waiting, believes, inside, pause bool
}

func (f *laneFold) add(e *history.Event) {
	f.flush(e.At)
	switch e.Kind {
	case history.Asked:
		f.waiting = true
	case history.GaveUp, history.Never:
		f.waiting = false
	case history.Acquired:
		f.waiting = false
		f.believes = true
	case history.Releasing, history.Lost, history.Learned:
		f.believes = false
	case history.Entered:
		f.inside = true
		if e.Inside > 1 {
			f.marks = append(f.marks, mark{at: e.At, kind: e.Kind})
		}
	case history.Rejected:
		f.marks = append(f.marks, mark{at: e.At, kind: e.Kind})
	case history.Left:
		f.inside = false
	case history.Stopping, history.ThreadStopping:
		f.pause = true
	case history.Resumed, history.ThreadResumed:
		f.pause = false
	case history.Finished:
		f.waiting, f.believes, f.inside, f.pause = false, false, false, false
	}
}

// flush ends the current segment. Idle time leaves none.
func (f *laneFold) flush(at int64) {
	next := segment{span: span{f.since, at}, state: f.state(), paused: f.pause}
	f.since = at
	if next.length() == 0 || next.state == idle && !next.paused {
		return
	}
	if n := len(f.segments); n > 0 {
		last := &f.segments[n-1]
		if last.to == next.from && last.state == next.state && last.paused == next.paused {
			last.to = next.to
			return
		}
	}
	f.segments = append(f.segments, next)
}

func (f *laneFold) state() state {
	switch {
	case f.inside:
		return inside
	case f.believes:
		return holding
	case f.waiting:
		return waiting
	}
	return idle
}

func spansOf(all []history.Span) []span {
	var spans []span
	for _, s := range all {
		spans = append(spans, span{s.From, s.To})
	}
	return spans
}

// findZombies finds the beliefs that outlived their holds, in the order of the grants.
func (s *story) findZombies() []zombie {
	var zombies []zombie
	for _, h := range s.holds {
		belief, ok := s.beliefIn(h)
		if !ok || belief.to <= h.to {
			continue
		}
		z := zombie{span: span{max(h.to, belief.from), belief.to}, hold: h}
		z.struck = s.conflictIn(z.span)
		zombies = append(zombies, z)
	}
	return zombies
}

// beliefIn is the worker's belief that a hold gave rise to: the first from its grant to the worker's next grant.
func (s *story) beliefIn(h hold) (span, bool) {
	next := s.end + 1
	for _, other := range s.holds {
		if other.worker == h.worker && other.from > h.from {
			next = min(next, other.from)
		}
	}
	for _, b := range s.lanes[h.worker].beliefs {
		if h.from <= b.from && b.from < next {
			return b, true
		}
	}
	return span{}, false
}

func (s *story) conflictIn(w span) bool {
	for _, l := range s.lanes {
		for _, m := range l.marks {
			if m.kind == history.Entered && w.from <= m.at && m.at <= w.to {
				return true
			}
		}
	}
	return false
}

// FirstZombie is the part of a simulated run that shows best what a lease does not promise: from a little before a
// worker is granted the lock until a little after it stops believing that it holds it, though its lease ended in
// between. It is the first such time with a conflict, or just the first. There is none, and ok is false, in a
// history without truth, or where no belief outlived its hold.
func FirstZombie(events []history.Event) (from, to int64, ok bool) {
	s := tell(events)
	if len(s.zombies) == 0 {
		return 0, 0, false
	}
	z := s.zombies[0]
	if i := slices.IndexFunc(s.zombies, func(z zombie) bool { return z.struck }); i >= 0 {
		z = s.zombies[i]
	}
	length := z.to - z.hold.from
	return max(0, z.hold.from-length/10), z.to + length/4, true
}
