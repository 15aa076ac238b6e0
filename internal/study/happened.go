package study

import (
	"locklab/history"
	"locklab/sim/explore"
)

// Happened reports whether a measured history shows that a property is violated. known is false if no history can show
// it. Where the order of grants matters, it is the order in which the workers learned of them; a worker that was
// stopped right after it had asked, and was then granted the lock, would have learned of it when it was stopped.
func Happened(p explore.Property, events []history.Event) (happened, known bool) {
	w := witness{holds: make(map[int32]*heldBy), done: make(map[int32]bool)}
	for i := range events {
		w.see(&events[i])
	}
	switch p {
	case explore.NoConflict:
		return w.conflict, true
	case explore.NoStaleWrite:
		return w.stale, true
	case explore.TokenOrder:
		return w.disorder, true
	case explore.NoLostUpdate:
		return w.lost, true
	case explore.DoneOnce:
		return w.twice, true
	case explore.Done:
		return w.leftUndone(), true
	case explore.NoEndlessAsk:
		return w.never, true // a run in which somebody waited for ever, and was not told so, would not have ended
	}
	return false, false
}

// A witness reads a history and notes what is wrong in it.
type witness struct {
	holds    map[int32]*heldBy // by worker
	accepted int64             // when the latest hold was granted of which a write was accepted
	fenced   int64             // when the latest hold was granted that has a token
	token    int64             // the highest token of a hold

	done map[int32]bool // by job: that of the round, or not yet

	conflict, stale, disorder, never, lost, twice bool
}

// leftUndone reports whether a job that was handed to somebody was not done.
func (w *witness) leftUndone() bool {
	for _, done := range w.done {
		if !done {
			return true
		}
	}
	return false
}

// heldBy is the last hold of a worker, and its last token.
type heldBy struct {
	since, token          int64 // when it was granted
	heldRound, tokenRound int32
	asking                bool  // a try is under way, or was refused
	stopped               int64 // when the process was stopped with a try under way; -1 if it was not
}

func (w *witness) see(e *history.Event) {
	h := w.holds[e.Worker]
	if h == nil {
		h = &heldBy{heldRound: -1, tokenRound: -1, stopped: -1}
		w.holds[e.Worker] = h
	}
	w.done[e.Round] = w.done[e.Round] || e.Kind == history.Accepted && e.Step == history.Commit
	switch e.Kind {
	case history.LostUpdate:
		w.lost = true
	case history.DoneTwice:
		w.twice = true
	case history.Entered:
		w.conflict = w.conflict || e.Inside > 1
	case history.Asked:
		h.asking, h.stopped = true, -1
	case history.Stopping:
		if h.asking {
			h.stopped = e.At
		}
	case history.Refused:
		h.stopped = -1
	case history.GaveUp:
		h.asking = false
	case history.Never:
		h.asking, w.never = false, true
	case history.Acquired:
		h.asking = false
		h.since, h.heldRound = e.At, e.Round
		if h.stopped >= 0 {
			h.since = h.stopped
		}
		if e.Token != 0 {
			h.token, h.tokenRound = e.Token, e.Round
		}
		w.fence(h)
	case history.TokenDrawn:
		h.token, h.tokenRound = e.Token, e.Round
		w.fence(h)
	case history.Accepted, history.Committed:
		w.stale = w.stale || h.since < w.accepted
		w.accepted = max(w.accepted, h.since)
	}
}

// fence judges a hold as soon as both it and its token are of one round.
func (w *witness) fence(h *heldBy) {
	if h.heldRound != h.tokenRound {
		return
	}
	w.disorder = w.disorder || (h.since < w.fenced) != (h.token < w.token)
	w.fenced, w.token = max(w.fenced, h.since), max(w.token, h.token)
}
