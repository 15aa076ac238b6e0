package history

// A Flight is one command on its way from a worker to a store, and the reply on its way back. Only the simulator sees all of
// it. Times are nanoseconds since the start of the run.
type Flight struct {
	Worker   int32
	Store    int32  // the number of the store, from 0
	Command  string // what it is for, e.g. "acquire"
	Sent     int64  // when the worker sent it
	Executed int64  // when the store executed it
	Replied  int64  // when the reply was at the worker, whose process may have been stopped then; -1 if none was sent
}
