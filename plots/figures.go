package plots

import (
	"errors"
	"slices"

	"locklab/history"
)

// Options say what figures cannot know from their data. The zero value is fine.
type Options struct {
	Title    string            // of the timeline
	Captions map[string]string // a few words for a scenario, by its name, below it in Conflicts

	// Calibration is what was counted of many cells that were predicted and measured; nil if there are only few.
	Calibration *Calibration
}

// Figures draws all that there is something for: Conflicts of records and cells, Agreement where simulation and
// measurement answer each other, Timeline of events. With a Calibration, Forecasts, Transforms and Coverage take the
// place of Agreement, and of Conflicts too if that would have more columns than can be told apart.
func Figures(l history.Lines, opts Options) ([]Figure, error) {
	var figures []Figure
	if len(l.Records)+len(l.Cells) > 0 && !opts.Calibration.isCrowd() {
		f, err := Conflicts(l, opts.Captions)
		if err != nil {
			return nil, err
		}
		figures = append(figures, f)
	}
	if opts.Calibration != nil {
		figures = append(figures, opts.Calibration.figures()...)
	} else if f, err := Agreement(l); err == nil {
		figures = append(figures, f)
	}
	if len(l.Events) > 0 {
		f, err := Timeline(l.Events, storyOf(l.Events, opts.Title))
		if err != nil {
			return nil, err
		}
		figures = append(figures, f)
	}
	if len(figures) == 0 {
		return nil, errors.New("nothing to draw: need records, cells or the events of a run")
	}
	return figures, nil
}

// storyOf chooses the window of a timeline: the first zombie, else the surroundings of the first conflict, else the
// start of the run.
func storyOf(events []history.Event, title string) TimelineOptions {
	if from, to, ok := FirstZombie(events); ok {
		return TimelineOptions{Title: title, From: from, To: to}
	}
	s := tell(events)
	if len(s.twofold) == 0 {
		return TimelineOptions{Title: title, To: s.visits(6)}
	}
	w := s.twofold[0]
	around := 2 * max(w.length(), 100e6)
	return TimelineOptions{Title: title, From: max(0, w.from-around), To: min(s.end, w.to+around)}
}

// visits is the end of the n-th stay in the critical section by any worker, or of the run.
func (s *story) visits(n int) int64 {
	var ends []int64
	for _, l := range s.lanes {
		for _, g := range l.segments {
			if g.state == inside {
				ends = append(ends, g.to)
			}
		}
	}
	if len(ends) < n {
		return s.end
	}
	slices.Sort(ends)
	return ends[n-1]
}
