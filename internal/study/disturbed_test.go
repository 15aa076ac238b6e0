package study

import (
	"strings"
	"testing"
	"time"

	"locklab/internal/choice"
	"locklab/realrun"
	"locklab/scenarios"
)

const milli = int64(time.Millisecond)

// usual is a law of samples in milliseconds.
func usual(samples ...int64) choice.Law {
	l := choice.Law{Kind: choice.Empirical}
	for _, s := range samples {
		l.Samples = append(l.Samples, s*milli)
	}
	return l
}

func TestDisturbance(t *testing.T) {
	known := &scenarios.Profile{Watch: scenarios.Watch{Late: usual(1, 2, 11), Answer: usual(1, 2)}}
	lab := scenarios.Lab()
	at := func(ms int64) realrun.Worst { return realrun.Worst{NS: ms * milli, At: 1234 * milli} }
	once := func(ms int64) realrun.Seen { return realrun.Seen{Worst: at(ms)} }
	along := func(micro int64) realrun.Seen { return realrun.Seen{Median: micro * 1000} }
	short := &scenarios.Scenario{}
	for _, test := range []struct {
		profile *scenarios.Profile
		seen    realrun.Watch
		want    string
	}{
		{known, realrun.Watch{Late: once(33), Answer: once(20)}, ""},
		{known, realrun.Watch{Late: once(34)}, "the supervisor woke late, by 34ms at 1.2s; with this profile at most by 33ms"},
		{known, realrun.Watch{Answer: once(21)}, "the store answered late, by 21ms at 1.2s; with this profile at most by 20ms"},
		{known, realrun.Watch{Late: along(4100), Answer: along(4100)}, ""},
		{known, realrun.Watch{Late: along(4101)}, "the supervisor woke late, by 4.1ms at the median; with this profile at most by 4.1ms"},
		{known, realrun.Watch{Answer: along(5000)}, "the store answered late, by 5ms at the median; with this profile at most by 4.1ms"},
		{&lab, realrun.Watch{Late: once(5000), Answer: along(5000)}, ""},
		{&lab, realrun.Watch{Suspended: at(60_000)}, "the machine was suspended for 1m0s at 1.2s"},
		{&lab, realrun.Watch{Stepped: at(70)}, "the machine's wall clock jumped by 70ms at 1.2s"},
	} {
		limits := NewLimits(test.profile, short)
		if got := limits.disturbance(&test.seen); got != test.want {
			t.Errorf("%s, %+v: %q, want %q", test.profile.Name, test.seen, got, test.want)
		}
	}
}

// The longer the work, the longer is a delay that does no harm once.
func TestLimitsOfLongWork(t *testing.T) {
	p := &scenarios.Profile{Watch: scenarios.Watch{Late: usual(1, 2, 11), Answer: usual(1, 2)}}
	s := new(scenarios.Scenario)
	s.Work = choice.Const(150 * milli)
	got := NewLimits(p, s)
	if want := (Limits{Limit{33 * time.Millisecond, 4100 * time.Microsecond}, Limit{30 * time.Millisecond, 4100 * time.Microsecond}}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A profile is for a store that is as far away as the one that it was measured with.
func TestCompareAnswers(t *testing.T) {
	micro := func(samples ...int64) *choice.Law {
		l := choice.Law{Kind: choice.Empirical}
		for _, s := range samples {
			l.Samples = append(l.Samples, s*1000)
		}
		return &l
	}
	here := micro(30, 60, 80, 90, 100, 150, 200, 300)
	away := micro(20_100, 20_150, 20_200, 20_300, 21_000)
	for _, test := range []struct {
		law   *choice.Law
		quick int64 // microseconds
		fits  bool
	}{
		{here, 5, true}, {here, 80, true}, {here, 600, true}, {here, 1000, false}, {here, 20_000, false},
		{away, 20_100, true}, {away, 40_000, true}, {away, 80, false}, {away, 1000, false}, {away, 100_000, false},
	} {
		err := compareAnswers(time.Duration(test.quick)*time.Microsecond, test.law)
		if (err == nil) != test.fits {
			t.Errorf("%d µs: %v, want it to fit: %v", test.quick, err, test.fits)
		}
	}
	err := compareAnswers(20*time.Millisecond, here)
	if want := "it answers in 20ms when it is quick, the one that the profile was measured with in 100µs at the median (90 % in 30µs to 300µs)"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}
