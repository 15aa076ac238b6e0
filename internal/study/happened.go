package study

import (
	"locklab/history"
	"locklab/sim/explore"
)

// Happened reports whether a measured history shows that a property is violated. known is false if no history can show
// it. Where the order of grants matters, it is the order in which the workers learned of them.
func Happened(p explore.Property, events []history.Event) (happened, known bool) {
	w := witness{holds: make(map[int32]*heldBy)}
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
	}
	return false, false
}

// A witness reads a history and notes what is wrong in it.
type witness struct {
	holds    map[int32]*heldBy // by worker
	grants   int64
	accepted int64 // the latest hold of which a write was accepted
	fenced   int64 // the latest hold that has a token
	token    int64 // the highest token of a hold

	conflict, stale, disorder bool
}

// heldBy is the last hold of a worker, and its last token.
type heldBy struct {
	order, token          int64
	heldRound, tokenRound int32
}

func (w *witness) see(e *history.Event) {
	h := w.holds[e.Worker]
	if h == nil {
		h = &heldBy{heldRound: -1, tokenRound: -1}
		w.holds[e.Worker] = h
	}
	switch e.Kind {
	case history.Entered:
		w.conflict = w.conflict || e.Inside > 1
	case history.Acquired:
		w.grants++
		h.order, h.heldRound = w.grants, e.Round
		if e.Token != 0 {
			h.token, h.tokenRound = e.Token, e.Round
		}
		w.fence(h)
	case history.TokenDrawn:
		h.token, h.tokenRound = e.Token, e.Round
		w.fence(h)
	case history.Accepted:
		w.stale = w.stale || h.order < w.accepted
		w.accepted = max(w.accepted, h.order)
	}
}

// fence judges a hold as soon as both it and its token are of one round.
func (w *witness) fence(h *heldBy) {
	if h.heldRound != h.tokenRound {
		return
	}
	w.disorder = w.disorder || (h.order < w.fenced) != (h.token < w.token)
	w.fenced, w.token = max(w.fenced, h.order), max(w.token, h.token)
}
