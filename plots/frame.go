package plots

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A frame is what all figures share: a title, a line below it, a legend in a strip of its own, and the rest.
type frame struct {
	title    string
	subtitle string
	legend   []legendEntry
	body     func(draw.Canvas)
	numbers  Numbers // not drawn
}

// A legendEntry explains what sample draws into a rectangle of swatchWidth by swatchHeight.
type legendEntry struct {
	text   string
	sample func(draw.Canvas, vg.Rectangle)
}

const (
	swatchWidth  vg.Length = 30
	swatchHeight vg.Length = 15
)

// figure is the frame as a figure of the given name.
func (f frame) figure(name string) Figure {
	return Figure{Name: name, Title: f.title, About: f.subtitle, Numbers: f.numbers, draw: f.draw, bare: f.drawBare}
}

func (f frame) draw(c draw.Canvas) {
	fill(c, c.Rectangle, white)
	c = draw.Crop(c, margin, -margin, margin, -margin)
	room := c.Max.X - c.Min.X
	title := fit(bold(sizeTitle, ink), f.title, room)
	write(c, title, leftTop, vg.Point{X: c.Min.X, Y: c.Max.Y + 4}, clip(title, f.title, room))
	c.Max.Y -= sizeTitle + 8
	if f.subtitle != "" {
		sub := fit(sans(sizeSubtitle, grey), f.subtitle, room)
		write(c, sub, leftTop, vg.Point{X: c.Min.X, Y: c.Max.Y}, clip(sub, f.subtitle, room))
		c.Max.Y -= sizeSubtitle + 8
	}
	f.drawBody(c)
}

// bareLess is by how much lower a figure without title is.
const bareLess = sizeTitle + sizeSubtitle + 16

func (f frame) drawBare(c draw.Canvas) {
	fill(c, c.Rectangle, white)
	f.drawBody(draw.Crop(c, margin, -margin, margin, -margin))
}

func (f frame) drawBody(c draw.Canvas) {
	c.Max.Y = drawLegend(c, f.legend) - 8
	f.body(c)
}

// drawLegend writes the entries from left to right in as many rows as they need, and gives the lower end of the last.
func drawLegend(c draw.Canvas, entries []legendEntry) vg.Length {
	const gap, rowHeight = 20, 22
	sty := sans(sizeNote+1, ink)
	x, y := c.Min.X, c.Max.Y
	for _, e := range entries {
		w := swatchWidth + 7 + sty.Width(e.text)
		if x > c.Min.X && x+w > c.Max.X {
			x, y = c.Min.X, y-rowHeight
		}
		drawEntry(c, e, vg.Point{X: x, Y: y - rowHeight/2})
		x += w + gap
	}
	if len(entries) == 0 {
		return y
	}
	return y - rowHeight
}

// drawEntry puts an entry whose left end has its middle at the given point.
func drawEntry(c draw.Canvas, e legendEntry, at vg.Point) {
	e.sample(c, box(at.X, at.Y-swatchHeight/2, at.X+swatchWidth, at.Y+swatchHeight/2))
	write(c, sans(sizeNote+1, ink), leftMiddle, vg.Point{X: at.X + swatchWidth + 7, Y: at.Y}, e.text)
}
