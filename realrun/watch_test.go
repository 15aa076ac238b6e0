package realrun

import (
	"slices"
	"testing"
	"time"
)

const ms = int64(time.Millisecond)

// watched is a watch that looks at made-up clocks: each step gives by how many milliseconds CLOCK_MONOTONIC, CLOCK_BOOTTIME and
// CLOCK_REALTIME go on until the next look, which is due 5 ms after the last.
func watched(steps ...[3]int64) *watch {
	var w watch
	now := clocks{monotonic: 1000 * ms, boot: 5000 * ms, wall: 9000 * ms}
	for _, step := range steps {
		next := clocks{now.monotonic + step[0]*ms, now.boot + step[1]*ms, now.wall + step[2]*ms}
		w.note(now.monotonic+int64(lookEvery), now, next)
		now = next
	}
	return &w
}

func TestWatchSeesWhatIsWrong(t *testing.T) {
	t.Parallel()
	quiet := [3]int64{5, 5, 5}
	for _, test := range []struct {
		name  string
		steps [][3]int64
		want  Watch
	}{
		{"a quiet machine", [][3]int64{quiet, quiet, quiet}, Watch{}},
		{"late by 7 ms", [][3]int64{quiet, {12, 12, 12}, quiet, {8, 8, 8}}, Watch{Late: Seen{Worst: Worst{7 * ms, 17 * ms}}}},
		{"late all along", slices.Repeat([][3]int64{{7, 7, 7}}, 20), Watch{Late: Seen{Worst{2 * ms, 7 * ms}, 2 * ms}}},
		{"suspended for 3 s", [][3]int64{quiet, {5, 3005, 3005}, quiet}, Watch{Suspended: Worst{3000 * ms, 10 * ms}}},
		{"the clock is set ahead", [][3]int64{{5, 5, 65}, quiet}, Watch{Stepped: Worst{60 * ms, 5 * ms}}},
		{"the clock is set back", [][3]int64{quiet, {5, 5, -55}}, Watch{Stepped: Worst{60 * ms, 10 * ms}}},
		{"the clock is slowed down", [][3]int64{{5, 5, 4}, {5, 5, 4}}, Watch{}},
		{"woken before its time", [][3]int64{{4, 4, 4}}, Watch{}},
	} {
		if got := watched(test.steps...).during(span{1000 * ms, 2000 * ms}); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// What happened before a run began, and after it ended, was not during it.
func TestWatchTellsRunsApart(t *testing.T) {
	t.Parallel()
	w := watched([3]int64{25, 25, 25}, [3]int64{5, 5, 5}, [3]int64{5, 5, 5}) // late from 1005 to 1025
	w.answers = []span{{1030 * ms, 1033 * ms}, {1034 * ms, 1044 * ms}}
	for _, test := range []struct {
		from, to     int64
		late, answer Worst
	}{
		{1000, 1004, Worst{}, Worst{}},
		{1000, 1005, Worst{20 * ms, 25 * ms}, Worst{}},
		{1020, 1029, Worst{20 * ms, 5 * ms}, Worst{}},
		{1026, 1032, Worst{}, Worst{3 * ms, 7 * ms}},
		{1026, 1040, Worst{}, Worst{10 * ms, 18 * ms}},
		{1045, 1050, Worst{}, Worst{}},
	} {
		got := w.during(span{test.from * ms, test.to * ms})
		if got.Late.Worst != test.late || got.Answer.Worst != test.answer {
			t.Errorf("from %d to %d ms: late %+v, answer %+v; want %+v, %+v", test.from, test.to, got.Late, got.Answer, test.late, test.answer)
		}
	}
}
