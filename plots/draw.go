package plots

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// box is the rectangle from x0, y0 to x1, y1.
func box(x0, y0, x1, y1 vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}
}

// grow is r with its edges moved outward by d.
func grow(r vg.Rectangle, d vg.Length) vg.Rectangle {
	return box(r.Min.X-d, r.Min.Y-d, r.Max.X+d, r.Max.Y+d)
}

// middle is the centre of r.
func middle(r vg.Rectangle) vg.Point {
	return vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
}

// overlaps reports whether a and b have a point inside both.
func overlaps(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// off is how far the k-th of n that are side by side is from their middle.
func off(k, n int, each vg.Length) vg.Length { return each * (vg.Length(k) - vg.Length(n-1)/2) }

func fill(c draw.Canvas, r vg.Rectangle, clr color.Color) {
	c.SetColor(clr)
	c.Fill(r.Path())
}

// outline strokes the edges of r; dashes may be nil.
func outline(c draw.Canvas, r vg.Rectangle, clr color.Color, w vg.Length, dashes []vg.Length) {
	c.SetLineStyle(draw.LineStyle{Color: clr, Width: w, Dashes: dashes})
	c.Stroke(r.Path())
}

func line(c draw.Canvas, clr color.Color, w vg.Length, dashes []vg.Length, x0, y0, x1, y1 vg.Length) {
	c.StrokeLine2(draw.LineStyle{Color: clr, Width: w, Dashes: dashes}, x0, y0, x1, y1)
}

// hatch strokes r with lines that rise to the right, step apart from each other along the x axis.
func hatch(c draw.Canvas, r vg.Rectangle, clr color.Color, w, step vg.Length) {
	h := r.Max.Y - r.Min.Y
	for x := r.Min.X - h + step/2; x < r.Max.X; x += step {
		from, to := max(x, r.Min.X), min(x+h, r.Max.X)
		if from < to {
			line(c, clr, w, nil, from, r.Min.Y+from-x, to, r.Min.Y+to-x)
		}
	}
}

// lineHeight is the distance of two lines of type of size 1.
const lineHeight = 1.16

// textHeight is how high txt is, line by line.
func textHeight(sty text.Style, txt string) vg.Length {
	return sty.Font.Size * lineHeight * vg.Length(1+strings.Count(txt, "\n"))
}

// An anchor says which point of a text is put somewhere: X from 0 (its left) to 1, Y from 0 (its bottom) to 1.
type anchor vg.Point

var (
	leftMiddle  = anchor{0, 0.5}
	center      = anchor{0.5, 0.5}
	rightMiddle = anchor{1, 0.5}
	leftTop     = anchor{0, 1}
)

// write puts the anchor of txt, of one or more lines, at a point. (The handler's own alignment is off by the part of
// a font's height that no letter uses.)
func write(c draw.Canvas, sty text.Style, a anchor, at vg.Point, txt string) {
	face := sty.Handler.Cache().Lookup(sty.Font, sty.Font.Size)
	size, step := sty.Font.Size, sty.Font.Size*lineHeight
	top := at.Y + textHeight(sty, txt)*(1-a.Y)
	c.SetColor(sty.Color)
	for i, one := range strings.Split(txt, "\n") {
		baseline := top - vg.Length(i)*step - step/2 - 0.35*size
		c.FillString(face, vg.Point{X: at.X - sty.Width(one)*a.X, Y: baseline}, one)
	}
}

// plateWhite lets a little of the ground below a text through.
var plateWhite = color.NRGBA{255, 255, 255, 225}

// writeOn puts txt in the middle of a white plate, legible on any ground.
func writeOn(c draw.Canvas, sty text.Style, at vg.Point, txt string) {
	w, h := sty.Width(txt)/2+3, textHeight(sty, txt)/2
	fill(c, box(at.X-w, at.Y-h, at.X+w, at.Y+h), plateWhite)
	write(c, sty, center, at, txt)
}

// writeAlong puts the middle of one line of text at a point, turned to the left by an angle.
func writeAlong(c draw.Canvas, sty text.Style, at vg.Point, angle float64, txt string) {
	c.Push()
	c.Translate(at)
	c.Rotate(angle)
	write(c, sty, center, vg.Point{}, txt)
	c.Pop()
}

// A glyph draws a marker of radius r.
type glyph func(c draw.Canvas, clr color.Color, at vg.Point, r vg.Length)

func polygon(c draw.Canvas, clr color.Color, at vg.Point, r vg.Length, corners ...vg.Point) {
	points := make([]vg.Point, len(corners))
	for i, p := range corners {
		points[i] = at.Add(p.Scale(r))
	}
	c.FillPolygon(clr, points)
	c.StrokeLines(draw.LineStyle{Color: white, Width: 1}, append(points, points[0]))
}

func diamond(c draw.Canvas, clr color.Color, at vg.Point, r vg.Length) {
	polygon(c, clr, at, r*1.25, vg.Point{X: -1}, vg.Point{Y: 1}, vg.Point{X: 1}, vg.Point{Y: -1})
}

func square(c draw.Canvas, clr color.Color, at vg.Point, r vg.Length) {
	polygon(c, clr, at, r*0.9, vg.Point{X: -1, Y: -1}, vg.Point{X: -1, Y: 1}, vg.Point{X: 1, Y: 1}, vg.Point{X: 1, Y: -1})
}

func triangle(c draw.Canvas, clr color.Color, at vg.Point, r vg.Length) {
	polygon(c, clr, at, r*1.2, vg.Point{X: -1, Y: -0.8}, vg.Point{Y: 1}, vg.Point{X: 1, Y: -0.8})
}

func pointer(c draw.Canvas, clr color.Color, at vg.Point, r vg.Length) {
	polygon(c, clr, at, r*1.2, vg.Point{X: -1, Y: 0.8}, vg.Point{Y: -1}, vg.Point{X: 1, Y: 0.8})
}

func circle(c draw.Canvas, clr color.Color, at vg.Point, r vg.Length) {
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: white, Radius: r + 1, Shape: draw.CircleGlyph{}}, at)
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: clr, Radius: r, Shape: draw.CircleGlyph{}}, at)
}

func cross(c draw.Canvas, clr color.Color, at vg.Point, r vg.Length) {
	for _, stroke := range []struct {
		clr color.Color
		w   vg.Length
	}{{white, 6.5}, {clr, 3.5}} {
		line(c, stroke.clr, stroke.w, nil, at.X-r, at.Y-r, at.X+r, at.Y+r)
		line(c, stroke.clr, stroke.w, nil, at.X-r, at.Y+r, at.X+r, at.Y-r)
	}
}
