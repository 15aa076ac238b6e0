package calibrate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/realrun"
	"locklab/realrun/server"
	"locklab/scenarios"
	"locklab/worker/wire"
)

func TestMain(m *testing.M) {
	if realrun.IsWorker() {
		os.Exit(realrun.Work())
	}
	os.Exit(m.Run())
}

func open(t *testing.T, url string) *realrun.Session {
	t.Helper()
	s, err := realrun.Open(t.Context(), url)
	if errors.Is(err, server.ErrNoServer) && os.Getenv("CI") == "" {
		t.Skip("needs a Redis server: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// A measured profile has samples of everything, and survives being written and read.
func TestMachine(t *testing.T) {
	t.Parallel()
	const runs = 6
	s := open(t, realrun.Auto)
	p, err := Machine(t.Context(), s, runs)
	if err != nil {
		t.Fatal(err)
	}
	checkProfile(t, p)
	for name, law := range map[string]*choice.Law{
		"start": &p.Start, "stop": &p.Stop, "continue": &p.Continue,
		"lateness of the watch": &p.Watch.Late, "answer to the watch": &p.Watch.Answer,
	} {
		if law.Kind != choice.Empirical || len(law.Samples) < 2*runs || law.Min() < 0 {
			t.Errorf("%s: %d samples from %d to %d", name, len(law.Samples), law.Min(), law.Max())
		}
	}
	if want := "each way by the clock that client and store share"; p.About["ways"] != want {
		t.Errorf("ways: %s, want %s", p.About["ways"], want)
	}
	if !slices.ContainsFunc(p.Network.Ways.ByCommand, func(e scenarios.Extra) bool { return e.Op == wire.Enter }) {
		t.Errorf("enter, a script of many commands, takes no longer than others: %+v", p.Network.Ways.ByCommand)
	}
	if p.Carries != 0 {
		t.Errorf("a quick calibration knows that the machine carries %d runs", p.Carries)
	}
}

// checkProfile checks what every measured profile must be like.
func checkProfile(t *testing.T, p *scenarios.Profile) {
	t.Helper()
	trips := map[string]scenarios.Trip{"after a reply": p.Network.Ways.AfterReply, "after a stop": p.Network.Ways.AfterStop}
	for i := range p.Timers {
		late := &p.Timers[i].Late
		if p.Timers[i].Sleep != Sleeps[i] || late.Kind != choice.Empirical || late.Min() < 0 || late.Max() == 0 {
			t.Errorf("sleeps of %d ns: late by %d to %d", p.Timers[i].Sleep, late.Min(), late.Max())
		}
		trips[fmt.Sprint("after a sleep of ", Sleeps[i])] = p.Timers[i].Trip
	}
	for name, trip := range trips {
		there, back := trip.There.Sequence, trip.Back.Sequence
		if len(there) == 0 || len(there) != len(back) {
			t.Fatalf("%s: %d ways there, %d back", name, len(there), len(back))
		}
		for i := range there {
			if there[i] <= 0 || back[i] <= 0 || there[i]+back[i] < 5000 {
				t.Errorf("%s: %d ns there, %d back: too short to be true", name, there[i], back[i])
			}
		}
	}
	again, err := scenarios.ParseProfile("machine.yaml", p.YAML())
	if err != nil {
		t.Fatal(err)
	}
	if again.Hash() != p.Hash() {
		t.Error("the profile is another one after being written and read")
	}
}

// A Redis some milliseconds away, more there than back.
func TestRedisFarAway(t *testing.T) {
	t.Parallel()
	const there, back = 4 * time.Millisecond, 9 * time.Millisecond
	p, err := Machine(t.Context(), open(t, farAway(t, there, back)), 4)
	if err != nil {
		t.Fatal(err)
	}
	checkProfile(t, p)
	trips := []scenarios.Trip{p.Network.Ways.AfterReply, p.Network.Ways.AfterStop}
	for i := range p.Timers {
		trips = append(trips, p.Timers[i].Trip)
	}
	for i, trip := range trips {
		for _, way := range []struct {
			law  *choice.Law
			want time.Duration
		}{{&trip.There, there}, {&trip.Back, back}} {
			// The parts of a single trip are split by the proportion of all, and the proxy's own timers are late.
			median := time.Duration(way.law.Quantile(1 << 63))
			if median < way.want-way.want/10 || median > way.want+4*time.Millisecond {
				t.Errorf("trip %d: %v, want a little more than %v", i, median, way.want)
			}
		}
	}
}

func TestMachineInterrupted(t *testing.T) {
	t.Parallel()
	s := open(t, realrun.Auto)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := Machine(ctx, s, 2); p != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("profile %v, error %v; want that it was cancelled", p, err)
	}
}

// Many samples are thinned out by rows, evenly spread: quantiles stay about where they are, and so does what follows what.
func TestLaw(t *testing.T) {
	if l := law(nil); !l.IsZero() {
		t.Errorf("the law of no samples is %+v", l)
	}
	few := law([]int64{3, 1, 2})
	if !slices.Equal(few.Samples, []int64{1, 2, 3}) || !slices.Equal(few.Sequence, []int64{3, 1, 2}) {
		t.Errorf("few samples became %v, in sequence %v", few.Samples, few.Sequence)
	}
	samples := make([]int64, 12_345)
	for i := range samples {
		samples[i] = int64(len(samples) - i)
	}
	many := law(samples)
	if len(many.Samples) != maxSamples || !slices.IsSorted(many.Samples) {
		t.Fatalf("%d samples, want %d, ascending", len(many.Samples), maxSamples)
	}
	for _, percent := range []int{1, 10, 50, 90, 99} {
		got, want := many.Samples[percent*maxSamples/100], int64(percent*len(samples)/100)
		if diff := max(got-want, want-got); diff > int64(len(samples)*choice.Row/maxSamples)+choice.Row {
			t.Errorf("the %d %% quantile is %d, want %d", percent, got, want)
		}
	}
	for i := 1; i < len(many.Sequence); i++ {
		if i%choice.Row != 0 && many.Sequence[i] != many.Sequence[i-1]-1 {
			t.Fatalf("sample %d of a row follows another than before", i%choice.Row)
		}
	}
	if samples[0] != int64(len(samples)) {
		t.Error("the samples that were given were changed")
	}
}

// A timer counts for the duration that it was set for.
func TestLateness(t *testing.T) {
	late := lateness([]realrun.TimerSample{
		{Sleep: 10*ms - 5, Late: 1}, {Sleep: 25 * ms, Late: 3}, {Sleep: 25*ms + ms/2, Late: 9}, {Sleep: 299 * ms, Late: 4}, {Sleep: 17 * ms, Late: 9},
		{Sleep: 25 * ms, Late: 2}, {Sleep: ms, Late: 5}, {Sleep: 0, Late: 9},
	})
	for i, want := range [][]int64{{5}, nil, {1}, {3, 2}, nil, {4}} {
		if !slices.Equal(late[i], want) {
			t.Errorf("lateness at %d ns: %v, want %v", Sleeps[i], late[i], want)
		}
	}
	if _, err := new(Report).profile(&realrun.Samples{}, history.Store{}, true); err == nil {
		t.Error("no error for a profile without samples")
	}
}
