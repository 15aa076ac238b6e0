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
	for _, test := range []struct {
		profile *scenarios.Profile
		seen    realrun.Watch
		want    string
	}{
		{known, realrun.Watch{Late: at(33), Answer: at(20)}, ""},
		{known, realrun.Watch{Late: at(34)}, "the supervisor woke too late, by 34ms at 1.2s; with this profile at most 33ms"},
		{known, realrun.Watch{Answer: at(21)}, "the store took long to answer, 21ms at 1.2s; with this profile at most 20ms"},
		{&lab, realrun.Watch{Late: at(5000), Answer: at(5000)}, ""},
		{&lab, realrun.Watch{Suspended: at(60_000)}, "the machine was suspended for 1m0s at 1.2s"},
		{&lab, realrun.Watch{Stepped: at(70)}, "the machine's wall clock jumped by 70ms at 1.2s"},
	} {
		limits := NewLimits(test.profile)
		if got := limits.disturbance(&test.seen); got != test.want {
			t.Errorf("%s, %+v: %q, want %q", test.profile.Name, test.seen, got, test.want)
		}
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
		law    *choice.Law
		median int64 // microseconds
		fits   bool
	}{
		{here, 25, true}, {here, 80, true}, {here, 400, true}, {here, 1100, false}, {here, 20_000, false},
		{away, 20_100, true}, {away, 30_000, true}, {away, 80, false}, {away, 1000, false}, {away, 100_000, false},
	} {
		err := compareAnswers(time.Duration(test.median)*time.Microsecond, test.law)
		if (err == nil) != test.fits {
			t.Errorf("median %d µs: %v, want it to fit: %v", test.median, err, test.fits)
		}
	}
	err := compareAnswers(20*time.Millisecond, here)
	if want := "it answers in 20ms (median), the one that the profile was measured with in 100µs (median; 90 % in 30µs to 300µs)"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}
