package study

import (
	"testing"

	"locklab/history"
	"locklab/sim/explore"
)

func TestHappened(t *testing.T) {
	const ms = 1_000_000
	at := func(time int64, worker int32, kind history.Kind, token int64) history.Event {
		return history.Event{At: time * ms, Worker: worker, Kind: kind, Token: token}
	}
	// Worker 0 is stopped right after it has asked; it was granted the lock before worker 1, and learns of it later.
	overtaken := []history.Event{
		at(0, 0, history.Asked, 0), at(0, 0, history.Stopping, 0), at(1, 1, history.Asked, 0), at(2, 1, history.Refused, 0),
		at(1000, 1, history.Acquired, 0), at(1001, 1, history.TokenDrawn, 1), at(1100, 1, history.Accepted, 1),
		at(1200, 0, history.Resumed, 0), at(1200, 0, history.Acquired, 0), at(1201, 0, history.TokenDrawn, 2), at(1300, 0, history.Accepted, 2),
	}
	// It was stopped before, and its try was refused: its hold is the later one.
	refused := []history.Event{
		at(0, 1, history.Asked, 0), at(1, 1, history.Acquired, 0), at(2, 1, history.TokenDrawn, 1),
		at(3, 0, history.Asked, 0), at(3, 0, history.Stopping, 0), at(4, 1, history.Accepted, 1),
		at(1200, 0, history.Resumed, 0), at(1200, 0, history.Refused, 0), at(1225, 0, history.Acquired, 0),
		at(1226, 0, history.TokenDrawn, 2), at(1300, 0, history.Accepted, 2),
	}
	// The same, of an update that is tried until nobody else wrote meanwhile.
	again := []history.Event{
		at(0, 0, history.Asked, 0), at(0, 0, history.Stopping, 0), at(1, 1, history.Asked, 0), at(2, 1, history.Refused, 0),
		at(1000, 1, history.Acquired, 0), at(1100, 1, history.Committed, 0), at(1200, 0, history.Resumed, 0),
		at(1200, 0, history.Acquired, 0), at(1250, 0, history.Retried, 0), at(1300, 0, history.Committed, 0),
	}
	for _, test := range []struct {
		what     string
		events   []history.Event
		property explore.Property
		happened bool
		known    bool
	}{
		{"a stale write of the overtaken", overtaken, explore.NoStaleWrite, true, true},
		{"a stale update that was tried again", again, explore.NoStaleWrite, true, true},
		{"a token of the overtaken", overtaken, explore.TokenOrder, true, true},
		{"no entry at all", overtaken, explore.NoConflict, false, true},
		{"a write in order", refused, explore.NoStaleWrite, false, true},
		{"tokens in order", refused, explore.TokenOrder, false, true},
		{"two inside", []history.Event{{Kind: history.Entered, Inside: 2}}, explore.NoConflict, true, true},
		{"everybody was granted the lock in the end", overtaken, explore.NoEndlessAsk, false, true},
		{"one would have waited for ever", []history.Event{{Kind: history.Asked}, {Kind: history.Never}}, explore.NoEndlessAsk, true, true},
	} {
		if happened, known := Happened(test.property, test.events); happened != test.happened || known != test.known {
			t.Errorf("%s: got %v, known %v", test.what, happened, known)
		}
	}
}
