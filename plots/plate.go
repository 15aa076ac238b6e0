package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// A plate is a rectangle turned by an angle: the room of a text along a line.
type plate struct {
	at          vg.Point
	halfW, half vg.Length // along the angle, and across
	angle       float64
}

// plateOf is the room of a rectangle that is not turned.
func plateOf(r vg.Rectangle) plate {
	return plate{at: middle(r), halfW: (r.Max.X - r.Min.X) / 2, half: (r.Max.Y - r.Min.Y) / 2}
}

// corners go around the plate.
func (p plate) corners() []vg.Point {
	sin, cos := math.Sincos(p.angle)
	along := vg.Point{X: vg.Length(cos), Y: vg.Length(sin)}.Scale(p.halfW)
	across := vg.Point{X: vg.Length(-sin), Y: vg.Length(cos)}.Scale(p.half)
	return []vg.Point{
		p.at.Sub(along).Sub(across), p.at.Add(along).Sub(across), p.at.Add(along).Add(across), p.at.Sub(along).Add(across),
	}
}

// touches reports whether two plates overlap: no edge of one of them has the other on its far side.
func (p plate) touches(o plate) bool {
	for _, angle := range []float64{p.angle, p.angle + math.Pi/2, o.angle, o.angle + math.Pi/2} {
		a0, a1 := p.shadow(angle)
		b0, b1 := o.shadow(angle)
		if a1 <= b0 || b1 <= a0 {
			return false
		}
	}
	return true
}

// shadow is from where to where the plate reaches in a direction.
func (p plate) shadow(angle float64) (from, to vg.Length) {
	sin, cos := math.Sincos(angle)
	var on []vg.Length
	for _, q := range p.corners() {
		on = append(on, q.X*vg.Length(cos)+q.Y*vg.Length(sin))
	}
	return slices.Min(on), slices.Max(on)
}

// within reports whether all of the plate is in a rectangle.
func (p plate) within(r vg.Rectangle) bool {
	return !slices.ContainsFunc(p.corners(), func(q vg.Point) bool {
		return q.X < r.Min.X || q.X > r.Max.X || q.Y < r.Min.Y || q.Y > r.Max.Y
	})
}
