package page

import (
	"slices"

	"locklab/history"
)

// look finds what is to be seen first of a run, and how much that tells: 2 for a mistaken belief that led to a conflict, from the
// belief's begin on, and 3 if its worker was stopped meanwhile; 1 for the first conflict; 0 for the begin of the run.
func look(r *Run, s *history.Spans, wrong [][]history.Span) (int, [2]int64) {
	conflicts := conflictsOf(r.Events)
	struck := func(w history.Span) bool {
		i, _ := slices.BinarySearch(conflicts, w.From)
		return i < len(conflicts) && conflicts[i] <= w.To
	}
	first, telling := history.Span{From: -1}, 2
	for worker := range wrong {
		i := slices.IndexFunc(wrong[worker], struck)
		if i >= 0 && (first.From < 0 || wrong[worker][i].From < first.To) {
			first = history.Span{From: believedSince(s, worker, wrong[worker][i]), To: wrong[worker][i].To}
			if wasStopped(s, worker, first) {
				telling = 3
			}
		}
	}
	const around, begin = 500e6, 3e9
	switch {
	case first.From >= 0:
		return telling, widened(first)
	case len(conflicts) > 0:
		return 1, widened(history.Span{From: max(0, conflicts[0]-around), To: conflicts[0] + around})
	}
	return 0, widened(history.Span{To: min(s.End, begin)})
}

func conflictsOf(events []history.Event) []int64 {
	var at []int64
	for i := range events {
		if markOf(&events[i]) == conflict.letter {
			at = append(at, events[i].At)
		}
	}
	return at
}

// widened is a window around a span, in microseconds. If it is near the begin of the run it has that, too.
func widened(s history.Span) [2]int64 {
	const least = 50_000
	length := max((s.To-s.From)/1000, least)
	from, to := s.From/1000-length/10, s.From/1000+length*115/100
	if from < length {
		from = 0
	}
	return [2]int64{from, to}
}

// believedSince is when the hold was granted, or else the belief began, that turned out to be wrong.
func believedSince(s *history.Spans, worker int, wrong history.Span) int64 {
	since := wrong.From
	for _, b := range s.Workers[worker][history.Believing] {
		if b.To >= wrong.To {
			since = b.From
			break
		}
	}
	for i := len(s.Holds) - 1; i >= 0; i-- {
		if h := &s.Holds[i]; int(h.Worker) == worker && h.From <= since {
			return h.From
		}
	}
	return since
}

// wasStopped reports whether a worker's process was stopped within a span.
func wasStopped(s *history.Spans, worker int, within history.Span) bool {
	return slices.ContainsFunc(s.Workers[worker][history.Stopped], func(p history.Span) bool {
		return p.From < within.To && within.From < p.To
	})
}
