package plots

import "locklab/history"

// What is written where all is well.
const (
	noConflict = "no conflict\nin any run"
	noLoss     = "no hold lost\nin any run"
)

// sweepFigures draws what its number of axes asks for: curves over one, heat maps over two, and panels for a third.
func sweepFigures(l history.Lines, opts Options) ([]Figure, error) {
	s, err := newSweep(&l, opts.Where)
	if err != nil {
		return nil, err
	}
	r, err := s.roles()
	if err != nil {
		return nil, err
	}
	s.keepMeasured(r)
	switch {
	case r.y < 0:
		return []Figure{s.curvesFigure(r, opts.Title)}, nil
	case r.by < 0:
		return []Figure{s.planeFigure(r, opts.Title)}, nil
	}
	return []Figure{
		s.panelsFigure("sweep-conflicts", r, heatPanel{calm: noConflict, of: conflictsOf, flag: true}, opts.Title),
		s.panelsFigure("sweep-lost-holds", r, heatPanel{calm: noLoss, of: lostOf}, opts.Title),
	}, nil
}

// planeFigure sets conflicts and lost holds over the same two axes side by side.
func (s *sweep) planeFigure(r roles, title string) Figure {
	h := newHeatmap(s, r, []heatPanel{
		{title: "What shows: conflicts / entries", calm: noConflict, of: conflictsOf, flag: true},
		{title: "What happened: lost holds / entries", calm: noLoss, of: lostOf},
	})
	if title == "" {
		title = s.Scenario + ": where does the lock stop being safe?"
	}
	f := frame{title: title, subtitle: s.simulated(), legend: h.legend(), body: h.draw, numbers: s.numbers()}
	return f.figure("sweep")
}

// panelsFigure draws one rate in a panel for each value of the third axis.
func (s *sweep) panelsFigure(name string, r roles, like heatPanel, title string) Figure {
	var panels []heatPanel
	for k := range s.axes[r.by].values {
		p := like
		p.title, p.by = s.axes[r.by].show(k), k
		panels = append(panels, p)
	}
	h := newHeatmap(s, r, panels)
	asked, rate := "where do conflicts show?", "conflicts"
	if name == "sweep-lost-holds" {
		asked, rate = "where are holds lost?", "lost holds"
	}
	if title == "" {
		title = s.Scenario + ": " + asked
	}
	f := frame{title: title, subtitle: "Colour: " + rate + " / entries. " + s.simulated(), legend: h.legend(), body: h.draw, numbers: s.numbers()}
	return f.figure(name)
}
