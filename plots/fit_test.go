package plots

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// ridged is a fit over three axes, the second of which is given out of order, and a fourth with one value.
func ridged() *Fit {
	return &Fit{
		Title: "Which parameters?", Note: "2 of 12 combinations", Region: 3,
		Axes: []FitAxis{
			{"lock.retry.every", []string{"10ms", "25ms"}, []float64{0, 1}, 0},
			{"think", []string{"20ms", "5ms", "10ms"}, []float64{4, 0, 30}, 1},
			{"workers", []string{"2", "3"}, []float64{0, 8}, 0},
			{"rounds", []string{"40"}, []float64{0}, 0},
		},
		Planes: []FitPlane{{0, 1, []float64{4, 0, 30, 5, 1, 31}}, {0, 2, []float64{0, 8, 1, 9}}},
	}
}

func fitFigures(t *testing.T, f *Fit) []Figure {
	t.Helper()
	figures, err := f.Figures()
	if err != nil {
		t.Fatal(err)
	}
	return figures
}

func TestFitFigures(t *testing.T) {
	figures := fitFigures(t, ridged())
	if got := namesOf(figures); !slices.Equal(got, []string{"profile", "ridge"}) {
		t.Fatalf("drawn are %q", got)
	}
	for i, words := range [][]string{
		{"Which parameters?", "retry, lock.retry.every (ms)", "think time, think (ms)", "workers", "not told from the best (Δ up to 3.00)", "Δ above 7.5"},
		{"2 of 12 combinations", "ridge: not told from the best (Δ up to 3.00)", "Δ log likelihood, with the other axes", "4.0", "31"},
	} {
		svg := string(saved(t, figures[i], ".svg"))
		for _, w := range words {
			if !strings.Contains(svg, w) {
				t.Errorf("%s does not say %q", figures[i].Name, w)
			}
		}
		for _, w := range []string{"NaN", "Inf", "rounds"} {
			if strings.Contains(svg, w) {
				t.Errorf("%s says %q", figures[i].Name, w)
			}
		}
	}
}

// One axis has no planes; none with more than one value is nothing to draw, and neither is what does not fit.
func TestFitOverFewAxes(t *testing.T) {
	one := &Fit{Region: 1.92, Axes: ridged().Axes[:1]}
	if got := namesOf(fitFigures(t, one)); !slices.Equal(got, []string{"profile"}) {
		t.Errorf("over one axis drawn are %q", got)
	}
	for want, f := range map[string]*Fit{
		"no axis has more than one value": {Axes: ridged().Axes[3:]},
		"more pairs of axes":              {Axes: ridged().Axes, Planes: make([]FitPlane, MostPlanes+1)},
	} {
		if _, err := f.Figures(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one with %q", err, want)
		}
	}
}

// Values lie on an axis in their own order, and Δ with them.
func TestFitAxisIsInOrder(t *testing.T) {
	f := ridged()
	a := newFitAxis(&f.Axes[1])
	if got := a.ordered(f.Axes[1].Delta); !slices.Equal(got, []float64{0, 30, 4}) || a.best != 0 {
		t.Errorf("Δ from 5 to 20 ms is %v, the best at %d", got, a.best)
	}
	if at := []float64{a.at(0), a.at(1), a.at(2)}; at[1] != 0.5 || at[1]-at[0] != at[2]-at[1] {
		t.Errorf("few values lie at %v, not side by side", at)
	}
	x := newFitAxis(&f.Axes[0])
	d := drawnPlane{f, &x, &a, nil, f.Planes[0].Delta}
	if table := d.table(); !slices.Equal(table[0], []float64{0, 30, 4}) || !slices.Equal(table[1], []float64{1, 31, 5}) {
		t.Errorf("the plane is %v", table)
	}
}

func TestManyValuesLieOnATrueScale(t *testing.T) {
	f := FitAxis{Path: "think", Delta: make([]float64, 13)}
	for _, v := range []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "50"} {
		f.Values = append(f.Values, v+"ms")
	}
	a := newFitAxis(&f)
	if near, far := a.at(11)-a.at(10), a.at(12)-a.at(11); far < 30*near {
		t.Errorf("11 to 50 ms is %.3f wide, 10 to 11 ms %.3f", far, near)
	}
}

// The best is the darkest, and what is beyond the scale is white.
func TestFitLevels(t *testing.T) {
	f := ridged()
	if got := []int{f.level(0), f.level(f.mostShown() / 2), f.level(f.mostShown()), f.level(1000)}; !slices.Equal(got, []int{heatLevels, heatLevels / 2, 0, 0}) {
		t.Errorf("levels %v", got)
	}
}

// The outline goes around the region, and nowhere else: in a plane of 2 by 3 with two cells of it above each other, six edges.
func TestOutlineOfTheRegion(t *testing.T) {
	f := ridged()
	x, y := newFitAxis(&f.Axes[0]), newFitAxis(&f.Axes[1])
	d := drawnPlane{f, &x, &y, &panel{box(0, 0, 200, 300), &x.shown, &y.shown}, nil}
	var c recorder.Canvas
	d.outlineRegion(draw.NewCanvas(&c, 200, 300), [][]float64{{0, 3, 4}, {9, 3.01, 5}}, draw.LineStyle{Color: blue, Width: vg.Length(2)})
	strokes := 0
	for _, a := range c.Actions {
		if _, ok := a.(*recorder.Stroke); ok {
			strokes++
		}
	}
	if strokes != 6 {
		t.Errorf("%d edges, want 6", strokes)
	}
}
