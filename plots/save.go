package plots

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Figure is a drawing of one slide.
type Figure struct {
	Name    string  // which, e.g. conflicts, timeline or sweep-lost-holds
	Title   string  // what it asks or shows
	About   string  // how to read it; may be empty
	Numbers Numbers // what is drawn

	draw func(draw.Canvas)
	bare func(draw.Canvas) // without Title and About
}

// Numbers are what a figure draws, as a table for those who cannot see it. It has no columns if nothing is to be read there.
type Numbers struct {
	Columns []string
	Rows    [][]string // each as long as Columns

	more int // rows that were too many
}

// WriteBareSVG writes a figure as a document of SVG without Title and About, for who shows these in another way.
func (f Figure) WriteBareSVG(w io.Writer) error { return writeSVGOf(w, height-bareLess, f.bare) }

// dpi makes a PNG of 1920 by 1080 pixels.
const dpi = 144

var formats = map[string]func(io.Writer, Figure) error{
	".pdf": writePDF,
	".png": writePNG,
	".svg": writeSVG,
}

// CheckPath reports whether Save knows the format that the path's extension asks for: .svg, .png or .pdf.
func CheckPath(path string) error {
	if _, ok := formats[extension(path)]; !ok {
		return fmt.Errorf("%s: unknown format %q: a figure's name ends in .svg, .png or .pdf", path, filepath.Ext(path))
	}
	return nil
}

func extension(path string) string { return strings.ToLower(filepath.Ext(path)) }

// Save writes a figure in the format that the path's extension asks for. The file is there whole or not at all;
// an older one of that name stays as it was if writing fails.
func Save(f Figure, path string) error {
	if err := CheckPath(path); err != nil {
		return err
	}
	var data bytes.Buffer
	if err := formats[extension(path)](&data, f); err != nil {
		return fmt.Errorf("drawing %s: %w", path, err)
	}
	return replaceFile(path, data.Bytes())
}

func replaceFile(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".figure-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // fails, as it should, once the file has its own name
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Chmod(0o644)
	}
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

func writePNG(w io.Writer, f Figure) error {
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))
	f.draw(draw.New(c))
	var img image.Image = c.Image()
	if full, ok := img.(*image.RGBA); ok {
		img = indexed(full)
	}
	return png.Encode(w, img)
}

func writeSVG(w io.Writer, f Figure) error { return writeSVGOf(w, height, f.draw) }

// writeSVGOf names, beside the font that was measured, others of the same widths: without them a reader that lacks it
// would choose a wider one, and text would collide.
func writeSVGOf(w io.Writer, height vg.Length, fill func(draw.Canvas)) error {
	c := vgsvg.New(width, height)
	fill(draw.New(c))
	var data bytes.Buffer
	if _, err := c.WriteTo(&data); err != nil {
		return err
	}
	_, err := w.Write(bytes.ReplaceAll(data.Bytes(),
		[]byte("font-family:Liberation Sans;"),
		[]byte("font-family:Liberation Sans,Arimo,Arial,Helvetica,sans-serif;")))
	return err
}
