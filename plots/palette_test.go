package plots

import (
	"image"
	"image/color"
	"testing"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// With a palette, areas have their very colour, and edges nearly.
func TestPaletteKeepsColors(t *testing.T) {
	figures, err := Figures(swept(some, ttlAndPause(50)...), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(figures, everything(t)...) {
		c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))
		f.draw(draw.New(c))
		full := c.Image().(*image.RGBA)
		few, ok := indexed(full).(*image.Paletted)
		if !ok {
			t.Errorf("%s has no palette", f.Name)
			continue
		}
		size := full.Bounds().Size()
		for y := range size.Y {
			for x := range size.X {
				want, got := full.RGBAAt(x, y), color.RGBAModel.Convert(few.At(x, y)).(color.RGBA)
				if off := apart(want, got); off > mostOff || off > 0 && isAround(full, x, y, want) {
					t.Fatalf("%s at %d, %d: %v, want %v", f.Name, x, y, got, want)
				}
			}
		}
	}
}

// A picture of too many colours stays as it is: areas, or edges that are far apart.
func TestPaletteIsTooSmall(t *testing.T) {
	for what, part := range map[string]int{"areas": 4, "edges": 1} {
		img := image.NewRGBA(image.Rect(0, 0, 400, 400))
		for y := range 400 {
			for x := range 400 {
				at := x/part%20*20 + y/part%20
				img.SetRGBA(x, y, color.RGBA{uint8(at % 8 * 32), uint8(at / 8 % 8 * 32), uint8(at / 64 * 32), 255})
			}
		}
		if indexed(img) != image.Image(img) {
			t.Errorf("400 colours of %s became fewer", what)
		}
	}
}
