package wire_test

import (
	"testing"

	"locklab/history"
	"locklab/worker/wire"
)

// A list keeps wishes in order, forgets them when it is reset, and takes no more than it says.
func TestWishes(t *testing.T) {
	var w wire.Wishes
	for range 2 {
		w.Reset()
		w.Send(1, 2, wire.Incr, wire.KeyToken, 5)
		w.SetTimer(wire.TimerStep, 3)
		w.Cancel(wire.TimerPause)
		w.Stop(4)
		w.Note(history.Asked, 6, 7)
		w.Done()
		all := w.All()
		for i, kind := range []wire.WishKind{wire.Send, wire.SetTimer, wire.Cancel, wire.Stop, wire.Done} {
			if all[i].Kind != kind {
				t.Errorf("wish %d is of kind %d, want %d", i, all[i].Kind, kind)
			}
		}
		if all[0].Store != 1 || all[0].Tag != 2 || all[0].Command != (wire.Command{Op: wire.Incr, Key: wire.KeyToken, Worker: 5}) || all[1].Timer != wire.TimerStep || all[1].At != 3 ||
			all[2].Timer != wire.TimerPause || all[3].For != 4 || w.Notes()[0] != (history.Event{Kind: history.Asked, Worker: 6, Round: 7}) || len(all) != 5 {
			t.Errorf("got %+v", all)
		}
	}
	for len(w.All()) < wire.MaxWishes {
		w.Done()
	}
	defer func() {
		if recover() == nil {
			t.Error("one wish too many was taken")
		}
	}()
	w.Done()
}
