package calibrate

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"locklab/history"
	"locklab/internal/choice"
	"locklab/realrun"
	"locklab/realrun/server"
	"locklab/scenarios"
)

func TestMain(m *testing.M) {
	if realrun.IsWorker() {
		os.Exit(realrun.Work())
	}
	os.Exit(m.Run())
}

func open(t *testing.T) *realrun.Session {
	t.Helper()
	s, err := realrun.Open(t.Context(), realrun.Auto)
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
	const runs = 4
	s := open(t)
	p, err := Machine(t.Context(), s, runs)
	if err != nil {
		t.Fatal(err)
	}
	for name, law := range map[string]*choice.Law{
		"start": &p.Start, "stop": &p.Stop, "continue": &p.Continue,
		"round trip after a sleep": &p.Network.AfterSleep, "round trip after a reply": &p.Network.AfterReply,
		"lateness of the watch": &p.Watch.Late, "answer to the watch": &p.Watch.Answer,
		"lateness at 10 ms": &p.Timers[0].Late, "lateness at 25 ms": &p.Timers[1].Late, "lateness at 300 ms": &p.Timers[2].Late,
	} {
		if law.Kind != choice.Empirical || len(law.Samples) < 2*runs || law.Min() < 0 {
			t.Errorf("%s: %d samples from %d to %d", name, len(law.Samples), law.Min(), law.Max())
		}
	}
	if law := p.Network.AfterReply; law.Min() < 10_000 {
		t.Errorf("a round trip of %d ns: too short to be true", law.Min())
	}
	again, err := scenarios.ParseProfile("machine.yaml", p.YAML())
	if err != nil {
		t.Fatal(err)
	}
	if again.Hash() != p.Hash() {
		t.Error("the profile is another one after being written and read")
	}
}

func TestMachineInterrupted(t *testing.T) {
	t.Parallel()
	s := open(t)
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

// A timer counts for the nearest of the durations that are measured.
func TestLateness(t *testing.T) {
	late := lateness([]realrun.TimerSample{{Sleep: 10*ms - 5, Late: 1}, {Sleep: 17 * ms, Late: 2}, {Sleep: 18 * ms, Late: 3}, {Sleep: 299 * ms, Late: 4}})
	for i, want := range [][]int64{{1, 2}, {3}, {4}} {
		if !slices.Equal(late[i], want) {
			t.Errorf("lateness at %d ns: %v, want %v", Sleeps[i], late[i], want)
		}
	}
	if _, err := profile(&realrun.Samples{}, history.Store{}, 2); err == nil {
		t.Error("no error for a profile without samples")
	}
}
