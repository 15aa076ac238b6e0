package history

// An Activity is what a worker does for a length of time, as far as it knows. Several may go on at once.
type Activity uint8

// The activities.
const (
	Waiting   Activity = iota // it asks for the lock
	Believing                 // it believes that it holds the lock
	Inside                    // the referee counts it as inside the critical section
	Working                   // it does its work
	Stopped                   // its process is stopped
	Asleep                    // its thread sleeps, and its process goes on
	NumActivities
)

var activityNames = [NumActivities]string{"waits for the lock", "believes it holds the lock", "inside the critical section", "works", "stopped", "its thread sleeps"}

// String says the activity in a few words.
func (a Activity) String() string { return activityNames[a] }

// activities says which events begin and end an activity. A worker that has finished or is dead does nothing more, but a dead
// one is counted as inside until it is removed. Events of no activity's change nothing.
var activities = [NumActivities]struct{ begin, end []Kind }{
	Waiting:   {[]Kind{Asked}, []Kind{Acquired, GaveUp, Never, Finished, Crashed}},
	Believing: {[]Kind{Acquired}, []Kind{Releasing, Lost, Learned, Finished, Crashed}},
	Inside:    {[]Kind{Entered}, []Kind{Left, Removed, Finished}},
	Working:   {[]Kind{WorkBegan}, []Kind{WorkEnded, Finished, Crashed}},
	Stopped:   {[]Kind{Stopping}, []Kind{Resumed, Finished, Crashed}},
	Asleep:    {[]Kind{ThreadStopping}, []Kind{ThreadResumed, Finished, Crashed}},
}

// beginnings and endings are the activities that an event of a kind begins and ends.
var beginnings, endings = func() (begin, end [256][]Activity) {
	for a := range activities {
		for _, k := range activities[a].begin {
			begin[k] = append(begin[k], Activity(a))
		}
		for _, k := range activities[a].end {
			end[k] = append(end[k], Activity(a))
		}
	}
	return begin, end
}()

// holdEnds are the events that end a hold.
var holdEnds = map[Kind]bool{Freed: true, FreedByOther: true, Overwritten: true, Expired: true}

// A Span is a length of time, in nanoseconds since the start of the run.
type Span struct{ From, To int64 }

// A Hold is the time that a worker has the lock in truth.
type Hold struct {
	Span
	Worker  int32
	Order   int64 // the number of the grant, from 1
	Lease   int64 // when the lease ends, or would have ended; noDeadline if never
	Expired bool  // the lease ended it, not a release
}

// noDeadline is the end of a lease that has none: later than any run.
const noDeadline = 1 << 62

// leaseEnd is when a lease ends that lives so long; 0 is for ever.
func leaseEnd(from, life int64) int64 {
	if life == 0 {
		return noDeadline
	}
	return from + life
}

// Spans is the history of a run as lengths of time.
type Spans struct {
	Workers [][NumActivities][]Span // by worker, in the order of time
	Holds   []Hold                  // by grant; none in a history of the real world
	Crowd   []Span                  // with two or more inside
	End     int64                   // of the run: its last event

	renewed [][]int64 // by worker: when it learned that its lease was prolonged
}

// MostWorkers is more than any run has; what a file says of a worker with such a number is left out.
const MostWorkers = 10_000

// NewSpans puts events, which must be sorted, into lengths of time. Those that are never ended end with the run.
func NewSpans(events []Event) *Spans {
	var f spanFold
	f.holds = make(map[int64]int)
	for i := range events {
		if e := &events[i]; e.Worker >= 0 && e.Worker < MostWorkers {
			f.add(e)
		}
	}
	return f.finish()
}

// idle is the begin of no activity.
var idle = func() (since [NumActivities]int64) {
	for a := range since {
		since[a] = -1
	}
	return since
}()

// A spanFold is what is known after some events.
type spanFold struct {
	Spans
	since  [][NumActivities]int64 // by worker: when what goes on began; -1 for what does not
	holds  map[int64]int          // by number of the grant
	inside int
	crowd  int64 // since when two are inside
}

func (f *spanFold) add(e *Event) {
	f.End = max(f.End, e.At)
	for int(e.Worker) >= len(f.Workers) {
		f.Workers = append(f.Workers, [NumActivities][]Span{})
		f.since = append(f.since, idle)
		f.renewed = append(f.renewed, nil)
	}
	if e.Kind.IsTruth() {
		f.hold(e)
		return
	}
	if e.Kind == Renewed {
		f.renewed[e.Worker] = append(f.renewed[e.Worker], e.At)
	}
	for _, a := range endings[e.Kind] {
		f.end(e.Worker, a, e.At)
	}
	for _, a := range beginnings[e.Kind] {
		f.end(e.Worker, a, e.At)
		f.since[e.Worker][a] = e.At
		f.count(a, 1, e.At)
	}
}

// end ends an activity if it goes on.
func (f *spanFold) end(worker int32, a Activity, at int64) {
	since := &f.since[worker][a]
	if *since < 0 {
		return
	}
	f.Workers[worker][a] = append(f.Workers[worker][a], Span{*since, at})
	*since = -1
	f.count(a, -1, at)
}

// count takes note of how many are inside.
func (f *spanFold) count(a Activity, change int, at int64) {
	if a != Inside {
		return
	}
	switch f.inside += change; {
	case f.inside == 2 && change > 0:
		f.crowd = at
	case f.inside == 1 && change < 0:
		f.Crowd = append(f.Crowd, Span{f.crowd, at})
	}
}

// hold takes note of the truth.
func (f *spanFold) hold(e *Event) {
	i, known := f.holds[e.Order]
	switch {
	case e.Kind == Granted:
		f.holds[e.Order] = len(f.Holds)
		f.Holds = append(f.Holds, Hold{Span: Span{e.At, -1}, Worker: e.Worker, Order: e.Order, Lease: leaseEnd(e.At, e.For)})
	case known && e.Kind == Prolonged:
		f.Holds[i].Lease = leaseEnd(e.At, e.For)
	case known && holdEnds[e.Kind]:
		f.Holds[i].To, f.Holds[i].Expired = e.At, e.Kind == Expired
	}
}

// finish ends what still goes on. A hold ends by itself with its lease.
func (f *spanFold) finish() *Spans {
	for worker := range f.since {
		for a := range NumActivities {
			f.end(int32(worker), a, f.End)
		}
	}
	for i := range f.Holds {
		if h := &f.Holds[i]; h.To < 0 {
			h.To = min(h.Lease, f.End)
			h.Expired = h.Lease <= f.End
		}
	}
	return &f.Spans
}

// Mistaken is, by worker, when it believes that it holds the lock although its hold has ended. In a history without truth that
// can only be said if a lease's life is known, in ns: then it is the least that must have been so, since a lease begins before its
// worker learns of it. lease is 0 if that is not known.
func (s *Spans) Mistaken(lease int64) [][]Span {
	wrong := make([][]Span, len(s.Workers))
	granted := make([][]Hold, len(s.Workers))
	for _, h := range s.Holds {
		granted[h.Worker] = append(granted[h.Worker], h)
	}
	for worker := range s.Workers {
		last := -1
		for _, belief := range s.Workers[worker][Believing] {
			for last+1 < len(granted[worker]) && granted[worker][last+1].From <= belief.From {
				last++
			}
			end := belief.To
			switch {
			case last >= 0:
				end = granted[worker][last].To
			case len(s.Holds) == 0 && lease > 0:
				end = s.lastRenewed(worker, belief) + lease
			}
			if from := max(end, belief.From); from < belief.To {
				wrong[worker] = append(wrong[worker], Span{from, belief.To})
			}
		}
	}
	return wrong
}

// lastRenewed is when a worker last learned, in a belief, how long its lease lives: at the belief's begin, or by a renewal.
func (s *Spans) lastRenewed(worker int, belief Span) int64 {
	last := belief.From
	for _, at := range s.renewed[worker] {
		if last < at && at <= belief.To {
			last = at
		}
	}
	return last
}
