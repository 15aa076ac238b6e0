package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	headRoom vg.Length = 40 // for a panel's title and note
	mostRow  vg.Length = 80 // a row is no higher
	mostSlot vg.Length = 20 // nor is what a row has for one series
)

var (
	wrongGround = tint(vermillion, 0.3)
	fineGround  = tint(green, 0.13)
)

func (s *safety) draw(c draw.Canvas) {
	labels := vg.Length(0)
	for _, r := range s.rows {
		labels = max(labels, sans(sizeTick, ink).Width(r.name))
	}
	labels = min(labels, 200) + 8
	bottom := max(c.Min.Y+tickRoom, c.Max.Y-headRoom-mostRow*vg.Length(len(s.rows)))
	rows := box(c.Min.X, bottom, c.Max.X, c.Max.Y-headRoom)
	s.drawRows(c, rows, labels)
	w := (c.Max.X - c.Min.X - labels - 2*panelGap) / 3
	for i := range s.panels {
		left := c.Min.X + labels + vg.Length(i)*(w+panelGap)
		p := panel{box(left, rows.Min.Y, left+w, rows.Max.Y), &s.panels[i].ruler, nil}
		s.panels[i].drawHead(c, &p)
		if i == 0 {
			s.drawWrong(c, &p)
		}
		s.drawMarks(c, &p, &s.panels[i])
	}
}

// part is that of a panel, or of all of them, that belongs to a row.
func (s *safety) part(of vg.Rectangle, i int) vg.Rectangle {
	h := (of.Max.Y - of.Min.Y) / vg.Length(len(s.rows))
	return box(of.Min.X, of.Max.Y-vg.Length(i+1)*h, of.Max.X, of.Max.Y-vg.Length(i)*h)
}

// drawRows names the rows, and keeps them apart.
func (s *safety) drawRows(c draw.Canvas, all vg.Rectangle, labels vg.Length) {
	for i, of := range s.rows {
		r, name := s.part(all, i), of.name
		if i%2 == 0 {
			fill(c, r, greyFaint)
		}
		sty := sans(min(sizeTick, 0.85*(r.Max.Y-r.Min.Y)), ink)
		sty = fit(sty, name, labels-8)
		write(c, sty, rightMiddle, vg.Point{X: r.Min.X + labels - 8, Y: middle(r).Y}, clip(sty, name, labels-8))
	}
}

func (d *column) drawHead(c draw.Canvas, p *panel) {
	w := p.Max.X - p.Min.X
	title := fit(bold(sizeLabel, ink), d.title, w)
	write(c, title, leftMiddle, vg.Point{X: p.Min.X, Y: p.Max.Y + headRoom - 12}, clip(title, d.title, w))
	note := fit(sans(sizeNote, grey), d.note, w)
	write(c, note, leftMiddle, vg.Point{X: p.Min.X, Y: p.Max.Y + 10}, clip(note, d.note, w))
	for _, t := range d.ticks(most(w, widest(d.ticks(8))+24)) {
		x := p.X(d.at(t.Value))
		line(c, greyLight, 1, nil, x, p.Min.Y, x, p.Max.Y)
	}
	p.drawTicksBelow(c)
	outline(c, p.Rectangle, grey, 1, nil)
}

// drawWrong makes rows stand out in which something goes wrong, and says of the others in how many runs nothing did.
func (s *safety) drawWrong(c draw.Canvas, p *panel) {
	for i, of := range s.rows {
		r := s.part(p.Rectangle, i)
		h := r.Max.Y - r.Min.Y
		if of.zero {
			fill(c, grow(r, -1), fineGround)
			write(c, bold(min(sizeTick, 0.85*h), ink), leftMiddle, vg.Point{X: r.Min.X + 6, Y: middle(r).Y}, "0")
		}
		if of.said != "" {
			room := r.Max.X - r.Min.X - 30
			sty := fit(sans(min(sizeNote-2, 0.8*h), grey), of.said, room)
			write(c, sty, leftMiddle, vg.Point{X: r.Min.X + 24, Y: middle(r).Y}, clip(sty, of.said, room))
			continue
		}
		worst := p.X(p.x.at(s.panels[0].worst(i)))
		fill(c, box(r.Min.X, r.Min.Y+0.12*h, worst, r.Max.Y-0.12*h), wrongGround)
	}
}

// worst is the largest mean of a row.
func (d *column) worst(row int) float64 {
	worst := 0.0
	for _, s := range d.series {
		if v := s.rates[row].mean; v > worst {
			worst = v
		}
	}
	return worst
}

// drawMarks draws the marks of all rows of which nothing is said instead.
func (s *safety) drawMarks(c draw.Canvas, p *panel, d *column) {
	n := vg.Length(len(d.series))
	for i, of := range s.rows {
		if of.said != "" && d == &s.panels[0] {
			continue
		}
		r := s.part(p.Rectangle, i)
		slot := min(0.8*(r.Max.Y-r.Min.Y)/n, mostSlot)
		for k := range d.series {
			d.series[k].drawDots(c, p, d.series[k].rates[i], middle(r).Y-off(k, len(d.series), slot), max(2.6, min(5.5, 0.42*slot)))
		}
	}
}

func (s *series) drawDots(c draw.Canvas, p *panel, v rate, y, radius vg.Length) {
	if math.IsNaN(v.mean) {
		return
	}
	x := func(value float64) vg.Length { return p.X(p.x.at(value)) }
	if v.hi > v.lo {
		lyingWhisker(c, s.color, x(v.lo), x(v.hi), y)
	}
	if v.dots == nil {
		s.glyph(c, s.color, vg.Point{X: x(v.mean), Y: y}, radius)
	}
	for _, dot := range v.dots {
		s.glyph(c, s.color, vg.Point{X: x(dot), Y: y}, radius)
	}
}

// lyingWhisker is a whisker that lies.
func lyingWhisker(c draw.Canvas, clr color.NRGBA, x0, x1, y vg.Length) {
	line(c, clr, 2, nil, x0, y, x1, y)
	line(c, clr, 2, nil, x0, y-3, x0, y+3)
	line(c, clr, 2, nil, x1, y-3, x1, y+3)
}
