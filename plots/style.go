package plots

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// The size of a figure: a 16:9 slide of 13.33 by 7.5 inches.
const (
	width  vg.Length = 960
	height vg.Length = 540
	margin vg.Length = 22
)

// Sizes of type.
const (
	sizeTitle    vg.Length = 26
	sizeSubtitle vg.Length = 16
	sizeLabel    vg.Length = 17
	sizeTick     vg.Length = 16
	sizeNote     vg.Length = 14
	sizeLeast    vg.Length = 10 // what must be longer is shortened or left out
)

// The palette of Okabe and Ito. Vermillion is kept for what went wrong and for what was measured.
var (
	black      = color.NRGBA{0, 0, 0, 255}
	blue       = color.NRGBA{0, 114, 178, 255}
	green      = color.NRGBA{0, 158, 115, 255}
	purple     = color.NRGBA{204, 121, 167, 255}
	sky        = color.NRGBA{86, 180, 233, 255}
	orange     = color.NRGBA{230, 159, 0, 255}
	yellow     = color.NRGBA{240, 228, 66, 255}
	vermillion = color.NRGBA{213, 94, 0, 255}

	white     = color.NRGBA{255, 255, 255, 255}
	ink       = color.NRGBA{34, 34, 34, 255}
	grey      = color.NRGBA{95, 95, 95, 255}
	greyLight = color.NRGBA{222, 222, 222, 255}
	greyFaint = color.NRGBA{246, 246, 246, 255}
)

// tint mixes c with white; share is c's part, from 0 to 1.
func tint(c color.NRGBA, share float64) color.NRGBA {
	mix := func(v uint8) uint8 { return uint8(255 - float64((255-float64(v))*share) + 0.5) }
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), 255}
}

// onTop is the colour of text that stays legible on c.
func onTop(c color.NRGBA) color.NRGBA {
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) > 140_000 {
		return black
	}
	return white
}

// sans is the style of text of the given size and colour, placed by its lower left corner.
func sans(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		YAlign:  text.YBottom,
		Handler: plot.DefaultTextHandler,
	}
}

// weightBold is WeightBold of golang.org/x/image/font.
const weightBold = 3

// bold is sans in bold type.
func bold(size vg.Length, c color.Color) text.Style {
	sty := sans(size, c)
	sty.Font.Weight = weightBold
	return sty
}

// fit makes type smaller, down to sizeLeast, until txt is no wider than room.
func fit(sty text.Style, txt string, room vg.Length) text.Style {
	for sty.Font.Size > sizeLeast && sty.Width(txt) > room {
		sty.Font.Size--
	}
	return sty
}

// clip shortens each line of a text until it is no wider than room.
func clip(sty text.Style, txt string, room vg.Length) string {
	lines := strings.Split(txt, "\n")
	for i, l := range lines {
		runes := []rune(l)
		for n := len(runes) - 1; n > 0 && sty.Width(lines[i]) > room; n-- {
			lines[i] = string(runes[:n]) + "…"
		}
	}
	return strings.Join(lines, "\n")
}

// styleAxis gives an axis its label, type and lines.
func styleAxis(a *plot.Axis, label string) {
	keep := func(to *text.Style, from text.Style) {
		from.XAlign, from.YAlign, from.Rotation = to.XAlign, to.YAlign, to.Rotation
		*to = from
	}
	a.Label.Text = label
	keep(&a.Label.TextStyle, sans(sizeLabel, ink))
	keep(&a.Tick.Label, sans(sizeTick, ink))
	a.Label.Padding = 4
	a.Padding = 0
	a.LineStyle.Color, a.LineStyle.Width = grey, 1
	a.Tick.LineStyle.Color, a.Tick.LineStyle.Width = grey, 1
	a.Tick.Length = 5
}

// wrap breaks txt into lines no wider than room: after spaces and slashes, and where that is not enough, after hyphens.
func wrap(sty text.Style, txt string, room vg.Length) string {
	var lines []string
	for _, whole := range strings.Split(txt, "\n") {
		current := ""
		for _, part := range pieces(sty, whole, room) {
			if current != "" && sty.Width(strings.TrimRight(current+part, " ")) > room {
				lines = append(lines, strings.TrimRight(current, " "))
				current = ""
			}
			current += part
		}
		lines = append(lines, current)
	}
	return strings.Join(lines, "\n")
}

// pieces are what a line may be made of.
func pieces(sty text.Style, txt string, room vg.Length) []string {
	var parts []string
	for _, part := range cutAfter(txt, " /") {
		if sty.Width(part) > room {
			parts = append(parts, cutAfter(part, "-")...)
		} else {
			parts = append(parts, part)
		}
	}
	return parts
}

// cutAfter cuts txt after each of some ASCII characters.
func cutAfter(txt, chars string) []string {
	var parts []string
	for {
		i := strings.IndexAny(txt, chars)
		if i < 0 {
			return append(parts, txt)
		}
		parts = append(parts, txt[:i+1])
		txt = txt[i+1:]
	}
}
