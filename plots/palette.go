package plots

import (
	"cmp"
	"image"
	"image/color"
	"maps"
	"slices"
)

// Few colours fill areas of a figure, but thousands of mixtures smooth its edges. With those of the mixtures left out that are
// near another, a PNG has a palette, and is about a third as large.

const (
	paletteSize = 256
	mostOff     = 16 // of 255: by how much red, green and blue may be off at an edge
)

// indexed is the picture with a palette: the colours of areas as they are, those of edges nearly; or the picture itself if
// a palette cannot do that.
func indexed(img *image.RGBA) image.Image {
	areas, edges := colorsOf(img)
	for off := 4; off <= mostOff; off += 4 {
		if taken, ok := paletteOf(areas, edges, off); ok {
			return recolored(img, taken)
		}
	}
	return img
}

// colorsOf are the picture's colours, the most frequent first: those of which some pixel has nothing else around it, and the
// others.
func colorsOf(img *image.RGBA) (areas, edges []color.RGBA) {
	count := make(map[color.RGBA]int)
	isArea := make(map[color.RGBA]bool)
	size := img.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			c := img.RGBAAt(x, y)
			count[c]++
			if !isArea[c] && isAround(img, x, y, c) {
				isArea[c] = true
			}
		}
	}
	for _, c := range slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B), int(a.A)-int(b.A))
	}) {
		if isArea[c] {
			areas = append(areas, c)
		} else {
			edges = append(edges, c)
		}
	}
	return areas, edges
}

// isAround reports whether all neighbours of a pixel have the given colour.
func isAround(img *image.RGBA, x, y int, c color.RGBA) bool {
	for _, d := range [...]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {X: 1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: 1}, {X: -1, Y: -1}} {
		if img.RGBAAt(x+d.X, y+d.Y) != c {
			return false
		}
	}
	return true
}

// paletteOf takes all colours of areas, and as many of edges as it needs so that none is off by more than the given amount. It
// reports false if those are too many.
func paletteOf(areas, edges []color.RGBA, off int) (taken []color.RGBA, ok bool) {
	taken = slices.Clone(areas)
	for _, c := range edges {
		if slices.ContainsFunc(taken, func(other color.RGBA) bool { return apart(c, other) <= off }) {
			continue
		}
		if len(taken) >= paletteSize {
			return nil, false
		}
		taken = append(taken, c)
	}
	return taken, len(taken) <= paletteSize
}

// apart is how far two colours are from each other in the component in which they are farthest.
func apart(a, b color.RGBA) int {
	off := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return max(off(a.R, b.R), off(a.G, b.G), off(a.B, b.B), off(a.A, b.A))
}

// recolored is the picture in the nearest of the colours.
func recolored(img *image.RGBA, colors []color.RGBA) *image.Paletted {
	var palette color.Palette
	nearest := make(map[color.RGBA]uint8)
	for i, c := range colors {
		palette = append(palette, c)
		nearest[c] = uint8(i)
	}
	out := image.NewPaletted(img.Bounds(), palette)
	size := img.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			c := img.RGBAAt(x, y)
			i, known := nearest[c]
			if !known {
				closest := slices.MinFunc(colors, func(a, b color.RGBA) int { return apart(a, c) - apart(b, c) })
				i = nearest[closest]
				nearest[c] = i
			}
			out.SetColorIndex(x, y, i)
		}
	}
	return out
}
