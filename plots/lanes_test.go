package plots

import (
	"reflect"
	"testing"

	"locklab/history"
)

func TestLanesFollowWhatAWorkerKnows(t *testing.T) {
	s := tell(zombieRun(false))
	want := []segment{
		{span: span{0, 1 * ms}, state: waiting},
		{span: span{1 * ms, 2 * ms}, state: holding},
		{span: span{2 * ms, 1202 * ms}, state: holding, paused: true},
		{span: span{1202 * ms, 1203 * ms}, state: holding},
		{span: span{1203 * ms, 1503 * ms}, state: inside},
	}
	if got := s.lanes[0].segments; !reflect.DeepEqual(got, want) {
		t.Errorf("worker 0 got\n%v, want\n%v", got, want)
	}
}

func TestHoldsAreTheStoresTruth(t *testing.T) {
	want := []hold{
		{span: span{1 * ms, 1001 * ms}, worker: 0, order: 1, expired: true},
		{span: span{1010 * ms, 1312 * ms}, worker: 1, order: 2},
	}
	if got := tell(zombieRun(false)).holds; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestZombieBelievesAfterItsHold(t *testing.T) {
	s := tell(zombieRun(false))
	if len(s.zombies) != 1 {
		t.Fatalf("got zombies %v, want one", s.zombies)
	}
	z := s.zombies[0]
	if z.hold.worker != 0 || z.span != (span{1001 * ms, 1503 * ms}) || !z.struck {
		t.Errorf("got %+v, want worker 0 from 1001 to 1503 ms, with a conflict", z)
	}
}

func TestTwofoldIsTimeWithTwoInside(t *testing.T) {
	for fencing, want := range map[bool]span{false: {1203 * ms, 1311 * ms}, true: {1203 * ms, 1205 * ms}} {
		if got := tell(zombieRun(fencing)).twofold; !reflect.DeepEqual(got, []span{want}) {
			t.Errorf("fencing %v: got %v, want %v", fencing, got, want)
		}
	}
}

func TestMarks(t *testing.T) {
	want := []mark{{at: 1203 * ms, kind: history.Entered}, {at: 1204 * ms, kind: history.Rejected}}
	if got := tell(zombieRun(true)).lanes[0].marks; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestABeliefBelongsToOneHold(t *testing.T) {
	// The reply to the first grant never arrives: only the second gives rise to a belief.
	s := tell([]history.Event{
		{At: 1, Kind: history.Granted, Order: 1}, {At: 5, Kind: history.Expired, Order: 1},
		{At: 7, Kind: history.Granted, Order: 2}, {At: 8, Kind: history.Acquired},
		{At: 9, Kind: history.Releasing}, {At: 10, Kind: history.Freed, Order: 2},
	})
	if len(s.zombies) != 0 {
		t.Errorf("got zombies %v, want none", s.zombies)
	}
}

func TestFirstZombie(t *testing.T) {
	from, to, ok := FirstZombie(zombieRun(false))
	if !ok || from != 0 || to != (1503+1502/4)*ms+ms/2 {
		t.Errorf("got %d to %d, %v; want from the start to a quarter beyond the zombie's 1502 ms", from, to, ok)
	}
	if _, _, ok := FirstZombie(observable(zombieRun(false))); ok {
		t.Error("found a zombie in a history without truth")
	}
}

func TestFirstZombiePrefersOneWithAConflict(t *testing.T) {
	quiet := []history.Event{
		{At: 1 * ms, Kind: history.Granted, Order: 11}, {At: 2 * ms, Kind: history.Acquired},
		{At: 3 * ms, Kind: history.Expired, Order: 11}, {At: 4 * ms, Kind: history.Releasing},
	}
	later := zombieRun(false)
	for i := range later {
		later[i].At += 5000 * ms
	}
	from, to, ok := FirstZombie(append(quiet, later...))
	if !ok || from < 4000*ms || to < 6500*ms {
		t.Errorf("got %d to %d, %v; want the zombie with the conflict", from, to, ok)
	}
}

func TestWindowWithoutAZombie(t *testing.T) {
	opts := storyOf(observable(zombieRun(false)), "")
	if opts.From > 1203*ms || opts.To < 1311*ms {
		t.Errorf("got %d to %d, want the conflict within", opts.From, opts.To)
	}
	quiet := []history.Event{{At: 0, Kind: history.Asked}, {At: ms, Kind: history.Acquired}, {At: 9 * ms, Kind: history.Releasing}}
	if opts := storyOf(quiet, ""); opts.From != 0 || opts.To != 9*ms {
		t.Errorf("got %d to %d, want the whole short run", opts.From, opts.To)
	}
}
