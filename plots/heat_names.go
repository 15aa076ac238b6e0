package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A namedLine is drawn in a panel with its name on it.
type namedLine struct {
	name   string
	points []vg.Point
}

// namedLines are the boundaries that cross a panel, without those that run too close to one that matters more.
func (s *sweep) namedLines(p *panel, x, y *axis, more ...setting) []namedLine {
	const least, apart = 24, 14 // shorter lines explain nothing; closer ones leave no room for a name
	var lines []namedLine
	for _, b := range boundaries {
		sum, ok := s.balance(b, x, y, more...)
		if !ok {
			continue
		}
		l := namedLine{name: b.name}
		for _, at := range sum.trace(p.x, p.y) {
			l.points = append(l.points, p.point(at))
		}
		close := func(o namedLine) bool { return o.covers(l, apart) }
		if l.length() >= least && !slices.ContainsFunc(lines, close) {
			lines = append(lines, l)
		}
	}
	return lines
}

func (l namedLine) length() vg.Length {
	sum := vg.Length(0)
	for i := 1; i < len(l.points); i++ {
		sum += distance(l.points[i-1], l.points[i])
	}
	return sum
}

// covers reports whether all corners of another line, and its middle, are within a distance of this one.
func (l namedLine) covers(o namedLine, d vg.Length) bool {
	mid, _ := o.along(o.length() / 2)
	far := func(q vg.Point) bool {
		return !slices.ContainsFunc(l.plates(), func(p plate) bool {
			p.halfW, p.half = p.halfW+d, d
			return p.touches(plate{at: q})
		})
	}
	return !slices.ContainsFunc(append(slices.Clone(o.points), mid), far)
}

func distance(a, b vg.Point) vg.Length {
	return vg.Length(math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)))
}

// along is the point at some way from the line's beginning, and the line's direction there, so that text is not upside down.
func (l namedLine) along(way vg.Length) (vg.Point, float64) {
	for i := 1; ; i++ {
		a, b := l.points[i-1], l.points[i]
		d := distance(a, b)
		if way > d && i < len(l.points)-1 {
			way -= d
			continue
		}
		angle := math.Atan2(float64(b.Y-a.Y), float64(b.X-a.X))
		if angle > math.Pi/2+1e-9 {
			angle -= math.Pi
		} else if angle < -math.Pi/2+1e-9 {
			angle += math.Pi
		}
		if d == 0 {
			return a, angle
		}
		return a.Add(b.Sub(a).Scale(way / d)), angle
	}
}

// drawNamed draws lines and their names, which keep clear of each other, of the other lines and of what is taken. A
// line for whose name there is no room is left out. It gives all that is taken then.
func drawNamed(c draw.Canvas, p *panel, lines []namedLine, taken []plate) []plate {
	var names []func()
	for i := 0; i < len(lines); i++ {
		clear := slices.Clone(taken)
		for k, o := range lines {
			if k != i {
				clear = append(clear, o.plates()...)
			}
		}
		sty, spot, ok := lines[i].fit(p.Rectangle, clear)
		if !ok {
			lines = slices.Delete(lines, i, i+1)
			i--
			continue
		}
		taken = append(taken, spot)
		name := lines[i].name
		names = append(names, func() {
			c.FillPolygon(plateWhite, spot.corners())
			writeAlong(c, sty, spot.at, spot.angle, name)
		})
	}
	for _, l := range lines {
		c.StrokeLines(draw.LineStyle{Color: white, Width: 4}, l.points)
	}
	for _, l := range lines {
		c.StrokeLines(draw.LineStyle{Color: ink, Width: 1.7, Dashes: []vg.Length{7, 4}}, l.points)
		taken = append(taken, l.plates()...)
	}
	for _, write := range names {
		write()
	}
	return taken
}

// fit finds room for the line's name, in type as large as it allows.
func (l namedLine) fit(within vg.Rectangle, taken []plate) (text.Style, plate, bool) {
	for size := nameSize(within); size >= sizeLeast; size-- {
		sty := bold(size, ink)
		for _, side := range []vg.Length{0, 0.6, -0.6, 1.3, -1.3} {
			if spot, ok := l.room(sty, side, within, taken); ok {
				return sty, spot, true
			}
		}
	}
	return text.Style{}, plate{}, false
}

// nameSize is the size of type of names in a panel.
func nameSize(within vg.Rectangle) vg.Length {
	return min(sizeNote+1, max(sizeLeast+1, (within.Max.Y-within.Min.Y)/16))
}

// plates are the line itself, as what a name must not cover.
func (l namedLine) plates() []plate {
	var all []plate
	for i := 1; i < len(l.points); i++ {
		a, b := l.points[i-1], l.points[i]
		all = append(all, plate{
			at: a.Add(b).Scale(0.5), halfW: distance(a, b) / 2, half: 1.5,
			angle: math.Atan2(float64(b.Y-a.Y), float64(b.X-a.X)),
		})
	}
	return all
}

// room finds a place for the line's name, near its middle if it can: on it, or so many heights of the name to its left.
func (l namedLine) room(sty text.Style, side vg.Length, within vg.Rectangle, taken []plate) (plate, bool) {
	whole, w, h := l.length(), sty.Width(l.name)/2+5, textHeight(sty, l.name)
	for off := vg.Length(0); off <= whole/2; off += 6 {
		for _, way := range []vg.Length{whole/2 + off, whole/2 - off} {
			at, angle := l.along(way)
			sin, cos := math.Sincos(angle)
			at = at.Add(vg.Point{X: vg.Length(-sin), Y: vg.Length(cos)}.Scale(side * h))
			spot := plate{at: at, halfW: w, half: h / 2, angle: angle}
			if spot.within(grow(within, -3)) && !slices.ContainsFunc(taken, spot.touches) {
				return spot, true
			}
		}
	}
	return plate{}, false
}
