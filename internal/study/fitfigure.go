package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"locklab/plots"
)

// Figure is the result as it is drawn: along each axis, and over pairs of axes, those of the widest ridge if there are many.
func (r *FitResult) Figure() *plots.Fit {
	var names []string
	for i := range r.fit.parts {
		names = append(names, r.fit.parts[i].Scenario.Name)
	}
	f := &plots.Fit{
		Title: "Which parameters explain the counts of " + strings.Join(names, ", ") + "?",
		Note: fmt.Sprintf("%d of %d combinations are on the ridge; %d simulated runs of each scenario, %d near the best; profile %s, seed %d.",
			r.Region.Combinations, r.Combinations, r.Runs, r.RefinedRuns, r.Profile, r.Seed),
		Region: r.Region.Delta,
	}
	for _, a := range r.Axes {
		f.Axes = append(f.Axes, plots.FitAxis{Path: a.Path, Values: a.Values, Delta: a.Delta, Best: slices.Index(a.Values, a.Best)})
	}
	along := r.widest()
	for i, x := range along {
		for _, y := range along[i+1:] {
			f.Planes = append(f.Planes, plots.FitPlane{X: x, Y: y, Delta: r.ProfileAlong(x, y)})
		}
	}
	return f
}

// widest are those axes, in order, of which so many have the most of their values in the region that all pairs can be drawn.
func (r *FitResult) widest() []int {
	var along []int
	for i, a := range r.Axes {
		if len(a.Values) > 1 {
			along = append(along, i)
		}
	}
	share := func(i int) float64 { return float64(len(r.Axes[i].InRegion)) / float64(len(r.Axes[i].Values)) }
	slices.SortStableFunc(along, func(a, b int) int { return cmp.Compare(share(b), share(a)) })
	for len(along)*(len(along)-1)/2 > plots.MostPlanes {
		along = along[:len(along)-1]
	}
	slices.Sort(along)
	return along
}
