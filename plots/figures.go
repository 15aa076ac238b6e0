package plots

import (
	"errors"
	"fmt"
	"slices"

	"locklab/history"
)

// Options say what figures cannot know from their data. The zero value is fine.
type Options struct {
	Title    string            // of a timeline or a sweep
	Captions map[string]string // a few words for a scenario, by its name, below it in Conflicts
	Where    []string          // of a sweep, only the values named here, "path=value" each

	// Calibration is what was counted of many cells that were predicted and measured; nil if there are only few.
	Calibration *Calibration
}

// Figures draws all that there is something for: heat maps or curves of a sweep, else Conflicts of records and cells;
// Agreement where simulation and measurement answer each other; Timeline of events. With a Calibration, Forecasts,
// Transforms and Coverage take the place of Agreement, and of Conflicts too if that would have more columns than can be
// told apart; a sweep that cannot be drawn is then left out, unless Where asks for it.
//
// Runs that were disturbed are no measurements, and left out.
func Figures(l history.Lines, opts Options) ([]Figure, error) {
	l.Records = undisturbed(l.Records)
	l.Sweeps = sweepsOf(&l)
	figures, err := ratesOf(&l, opts)
	if err != nil {
		return nil, err
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

// sweepsOf are the first lines of sweeps by which the figure of a sweep is laid out: of simulated ones, or, where there are
// no cells, of measured ones.
func sweepsOf(l *history.Lines) []history.Sweep {
	if len(l.Cells) == 0 {
		return l.Sweeps
	}
	return slices.DeleteFunc(slices.Clone(l.Sweeps), func(s history.Sweep) bool { return s.World == history.Real })
}

// ratesOf draws records and cells, in the way that suits them. Of a sweep it takes the records of simulated runs out,
// which are in its cells.
func ratesOf(l *history.Lines, opts Options) ([]Figure, error) {
	swept := *l
	if opts.Calibration != nil {
		swept = predictions(l)
	}
	switch {
	case isSweep(&swept):
		l.Records = slices.DeleteFunc(slices.Clone(l.Records), func(r history.Record) bool { return r.World == history.Sim })
		figures, err := sweepFigures(swept, opts)
		if err != nil && opts.Calibration != nil && len(opts.Where) == 0 {
			return nil, nil
		}
		return figures, err
	case len(opts.Where) > 0:
		return nil, fmt.Errorf("--where %s: it chooses values of a sweep's axes, and there are no cells of a sweep", opts.Where[0])
	case opts.Calibration.isCrowd():
		return nil, nil
	case len(l.Records)+len(l.Cells) > 0:
		f, err := Conflicts(*l, opts.Captions)
		return []Figure{f}, err
	}
	return nil, nil
}

// predictions leaves out what was predicted under profiles under which nothing was measured: references, which Coverage
// draws.
func predictions(l *history.Lines) history.Lines {
	measured := make(map[string]bool)
	for i := range l.Records {
		if r := &l.Records[i]; r.World == history.Real {
			measured[r.ProfileHash] = true
		}
	}
	kept := *l
	kept.Cells = slices.DeleteFunc(slices.Clone(l.Cells), func(c history.Cell) bool { return !measured[c.ProfileHash] })
	kept.Sweeps = slices.DeleteFunc(slices.Clone(l.Sweeps), func(s history.Sweep) bool { return !measured[s.ProfileHash] })
	return kept
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
