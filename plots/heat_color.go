package plots

import "image/color"

// heat is the colour scale of rates above zero, from a little to the most: "inferno" of matplotlib (Stéfan van der Walt
// and Nathaniel Smith, 2015, CC0), from 0.9 of it down to 0.1. Its lightness falls evenly, so that it reads in grey and for
// colour-blind people, and its light end is well apart from the white that stands for zero.
var heat = []color.NRGBA{
	{0xF6, 0xD7, 0x46, 255}, {0xFC, 0xA5, 0x0A, 255}, {0xF3, 0x78, 0x19, 255}, {0xDD, 0x51, 0x3A, 255}, {0xBC, 0x37, 0x54, 255},
	{0x93, 0x26, 0x67, 255}, {0x6A, 0x17, 0x6E, 255}, {0x42, 0x0A, 0x68, 255}, {0x16, 0x0B, 0x39, 255},
}

// heatLevels is how many colours a rate above zero may have: more than an eye tells apart, few enough that
// neighbouring cells are drawn as one.
const heatLevels = 50

// heatLevel is the level of a share of the most that the scale shows: 0 for nothing at all, else from 1 to heatLevels.
func heatLevel(share float64) int {
	if share <= 0 {
		return 0
	}
	return min(heatLevels, 1+int(share*heatLevels*(1-1e-9)))
}

// heatColor is the colour of a level.
func heatColor(level int) color.NRGBA {
	if level == 0 {
		return white
	}
	at := float64(level-1) / (heatLevels - 1) * float64(len(heat)-1)
	i := min(int(at), len(heat)-2)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + (at-float64(i))*(float64(b)-float64(a)) + 0.5) }
	a, b := heat[i], heat[i+1]
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}
