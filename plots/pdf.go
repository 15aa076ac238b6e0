package plots

import (
	"image/color"
	"io"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgpdf"
)

// undated makes PDF files say that they are of 1970, in place of now.
var undated = sync.OnceFunc(func() {
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultCatalogSort(true)
})

func writePDF(w io.Writer, f Figure) error {
	undated()
	c := vgpdf.New(width, height)
	f.draw(draw.NewCanvas(outlined{c}, width, height))
	_, err := c.WriteTo(w)
	return err
}

// outlined draws text as the outlines of its letters, and colours as they are. vgpdf itself takes one font for another as soon
// as there are two, has no letter beyond those of Windows-1252, and darkens what is translucent.
type outlined struct{ vg.Canvas }

// SetColor makes outlined a vg.Canvas.
func (o outlined) SetColor(c color.Color) {
	o.Canvas.SetColor(straight(color.NRGBAModel.Convert(c).(color.NRGBA)))
}

// straight is a colour that is not multiplied by its opacity, against the rule of color.Color: as vgpdf takes it.
type straight color.NRGBA

// RGBA makes straight a color.Color.
func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.R) * 0x101, uint32(s.G) * 0x101, uint32(s.B) * 0x101, uint32(s.A) * 0x101
}

// FillString makes outlined a vg.Canvas.
func (o outlined) FillString(face plotfont.Face, at vg.Point, text string) {
	var (
		buf   sfnt.Buffer
		path  vg.Path
		ppem  = fixed.Int26_6(face.Face.UnitsPerEm())
		scale = face.Font.Size / vg.Length(ppem)
		prev  sfnt.GlyphIndex
	)
	for i, r := range text {
		glyph, err := face.Face.GlyphIndex(&buf, r)
		if err != nil {
			continue // no font of plot has such a letter
		}
		if i > 0 {
			if kern, err := face.Face.Kern(&buf, prev, glyph, ppem, font.HintingNone); err == nil {
				at.X += vg.Length(kern) * scale
			}
		}
		segments, err := face.Face.LoadGlyph(&buf, glyph, ppem, nil)
		if err == nil {
			path = appendGlyph(path, segments, at, scale)
		}
		if advance, err := face.Face.GlyphAdvance(&buf, glyph, ppem, font.HintingNone); err == nil {
			at.X += vg.Length(advance) * scale
		}
		prev = glyph
	}
	if len(path) > 0 {
		o.Fill(path)
	}
}

// appendGlyph appends the outlines of a letter whose origin is at a point. A font's y axis points down.
func appendGlyph(path vg.Path, segments sfnt.Segments, at vg.Point, scale vg.Length) vg.Path {
	place := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + vg.Length(p.X)*scale, Y: at.Y - vg.Length(p.Y)*scale}
	}
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(place(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(place(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(place(s.Args[0]), place(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(place(s.Args[0]), place(s.Args[1]), place(s.Args[2]))
		}
	}
	if len(segments) > 0 {
		path.Close()
	}
	return path
}
