package wire

import "locklab/history"

// Timer names one of a worker's timers. Setting a timer that is set moves it.
type Timer uint8

// The timers.
const (
	TimerStart   Timer = iota // the drawn start
	TimerRetry                // the next try to acquire
	TimerStep                 // the end of work or think
	TimerPause                // a pause in the midst of work or think
	TimerPauseAt              // a pause at a stated time of the run
	TimerRenew                // the next renewal of the lease, or the end of the patience with one
	TimerLearn                // when the holder learns, or looks, whether the lock is lost
	TimerThread               // the end of a thread's sleep
	TimerTimeout              // the end of the wait for the answers of several stores
	NumTimers
)

// Tag tells a worker which of its commands a reply belongs to. A world returns it as it was given.
type Tag uint8

// WishKind says which fields of a Wish count.
type WishKind uint8

// The kinds of wishes.
const (
	Send        WishKind = iota + 1 // Tag, Store, Command
	SetTimer                        // Timer, At: fire at this time of the run, or at once if it has passed
	Cancel                          // Timer
	Stop                            // For: stop the whole process for so long; then Resumed comes
	Crash                           // the process dies at once; nothing is wished for any more
	Done                            // the worker has finished its rounds and will not wish again
	Unsubscribe                     // no message is to come any more, but those that are on their way
)

// A Wish is one thing that a worker wants from its world. A world carries wishes out in order.
type Wish struct {
	Kind    WishKind
	Timer   Timer
	Tag     Tag
	Store   uint8
	At, For int64 // nanoseconds
	Command Command
}

// MaxStores is the most stores that a worker uses.
const MaxStores = 9

// MaxWishes is the most that a worker wishes for in one step, and MaxNotes the most that it notes.
const (
	MaxWishes = MaxStores + 6
	MaxNotes  = 10
)

// Wishes is what a worker wants and notes in one step; it is used again and again. The zero value is empty.
type Wishes struct {
	wishes int
	notes  int
	list   [MaxWishes]Wish
	events [MaxNotes]history.Event
}

// Reset empties the lists.
func (w *Wishes) Reset() { w.wishes, w.notes = 0, 0 }

// All is what was wished for since the last Reset, in order. It is valid until the next.
func (w *Wishes) All() []Wish { return w.list[:w.wishes] }

// Notes are the events that were noted since the last Reset, complete but for their time. They are valid until the next.
func (w *Wishes) Notes() []history.Event { return w.events[:w.notes] }

func (w *Wishes) add(kind WishKind) *Wish {
	wish := &w.list[w.wishes]
	w.wishes++
	wish.Kind = kind
	return wish
}

// Send wishes for a command of a worker to be sent to a store, and gives it, for what else belongs to it.
func (w *Wishes) Send(store uint8, tag Tag, op Op, key Key, worker int32) *Command {
	wish := w.add(Send)
	wish.Store, wish.Tag = store, tag
	c := &wish.Command
	*c = Command{}
	c.Op, c.Key, c.Worker = op, key, worker
	return c
}

// SetTimer wishes for a timer to fire at the given time of the run.
func (w *Wishes) SetTimer(t Timer, at int64) {
	wish := w.add(SetTimer)
	wish.Timer, wish.At = t, at
}

// Cancel wishes for a timer not to fire.
func (w *Wishes) Cancel(t Timer) { w.add(Cancel).Timer = t }

// Stop wishes for the whole process to be stopped for the given time.
func (w *Wishes) Stop(d int64) { w.add(Stop).For = d }

// Note notes an event of a worker's round, and gives it, for what else there is to say of it.
func (w *Wishes) Note(k history.Kind, worker, round int32) *history.Event {
	e := &w.events[w.notes]
	w.notes++
	*e = history.Event{}
	e.Kind, e.Worker, e.Round = k, worker, round
	return e
}

// Crash wishes for the process to die.
func (w *Wishes) Crash() { w.add(Crash) }

// Unsubscribe wishes for no more messages.
func (w *Wishes) Unsubscribe() { w.add(Unsubscribe) }

// Done says that the worker has finished.
func (w *Wishes) Done() { w.add(Done) }

// InputKind says which fields of an Input count.
type InputKind uint8

// The kinds of inputs.
const (
	Begin   InputKind = iota + 1 // the run begins; comes first, once
	Replied                      // Tag, Reply
	Fired                        // Timer
	Resumed                      // the stop that was wished for is over
	Told                         // a message came that the worker has subscribed to
)

// An Input is one thing that happens to a worker.
type Input struct {
	Kind  InputKind
	Timer Timer
	Tag   Tag
	Reply *Reply
}
