// Package palette has the colours of all drawings and charts, so that the same thing has the same colour everywhere.
//
// They are those that Okabe and Ito chose to be told apart by everyone, also by those who see few colours: Masataka
// Okabe and Kei Ito, "Color Universal Design", 2008. Values of a quantity have those of cividis: Jamie R. Nuñez,
// Christopher R. Anderton, Ryan S. Renslow, "Optimizing colormaps with consideration for color vision deficiency to
// enable accurate interpretation of scientific data", PLoS ONE 13(7), 2018.
package palette

import (
	"fmt"
	"image/color"
	"math"

	"github.com/plenum-planner/plenum/catalog"
)

// The colours of Okabe and Ito.
var (
	Black      = color.RGBA{0x00, 0x00, 0x00, 0xff}
	Orange     = color.RGBA{0xe6, 0x9f, 0x00, 0xff}
	Sky        = color.RGBA{0x56, 0xb4, 0xe9, 0xff}
	Green      = color.RGBA{0x00, 0x9e, 0x73, 0xff}
	Yellow     = color.RGBA{0xf0, 0xe4, 0x42, 0xff}
	Blue       = color.RGBA{0x00, 0x72, 0xb2, 0xff}
	Vermillion = color.RGBA{0xd5, 0x5e, 0x00, 0xff}
	Purple     = color.RGBA{0xcc, 0x79, 0xa7, 0xff}
)

// What is not coloured to tell things apart.
var (
	Ink     = color.RGBA{0x22, 0x2b, 0x36, 0xff} // words and lines
	Faint   = color.RGBA{0x6b, 0x75, 0x80, 0xff} // words that step back
	Outline = color.RGBA{0x9a, 0xa3, 0xad, 0xff} // edges
	Ground  = color.RGBA{0xf7, 0xf7, 0xf4, 0xff} // the floor, and panels of charts
	Grid    = color.RGBA{0xdd, 0xe1, 0xe6, 0xff} // lines behind data
	Grey    = color.RGBA{0x5f, 0x6b, 0x76, 0xff}
	White   = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

// series are the colours of things that are only told apart, in their order.
var series = [...]color.RGBA{Blue, Vermillion, Green, Purple, Orange, Sky, Black, Grey}

// Series is the colour of thing i. Things beyond the eighth repeat colours with other lines: Round tells how often.
func Series(i int) color.RGBA { return series[i%len(series)] }

// Round is how often the colours of a series have been used up before thing i.
func Round(i int) int { return i / len(series) }

// media are the colours of what carries a signal.
var media = map[catalog.Medium]color.RGBA{
	catalog.PassiveCopper: Vermillion,
	catalog.ActiveCopper:  Orange,
	catalog.ActiveOptical: Green,
	catalog.Multimode:     Blue,
	catalog.SingleMode:    Purple,
}

// Medium is the colour of a medium.
func Medium(m catalog.Medium) color.RGBA {
	if c, ok := media[m]; ok {
		return c
	}
	return Grey
}

// Kinds of things in a machine: what its racks hold and what it costs.
var (
	Switches = Purple
	Nodes    = Sky
	Adapters = Blue
	Cables   = Vermillion
	Optics   = Orange
	Racks    = Grey
	Panels   = Yellow
	Labour   = Green
	Other    = Outline
	// Midplanes have the colour of cables, lighter, as their traces take the place of cables.
	Midplanes = Tint(Cables, 0.5)
)

// Hex is a colour as most formats write it, RRGGBB.
func Hex(c color.RGBA) string { return fmt.Sprintf("%02X%02X%02X", c.R, c.G, c.B) }

// Tint mixes a colour with white: 1 leaves it as it is, 0 is white.
func Tint(c color.RGBA, share float64) color.RGBA {
	mix := func(v uint8) uint8 { return uint8(math.Round(255 + share*(float64(v)-255))) }
	return color.RGBA{mix(c.R), mix(c.G), mix(c.B), 0xff}
}

// cividis has nine of its colours, evenly spaced.
var cividis = [...]color.RGBA{
	{0x00, 0x22, 0x4e, 0xff},
	{0x12, 0x35, 0x70, 0xff},
	{0x3b, 0x49, 0x6c, 0xff},
	{0x57, 0x5d, 0x6d, 0xff},
	{0x70, 0x71, 0x73, 0xff},
	{0x8a, 0x86, 0x78, 0xff},
	{0xa5, 0x9c, 0x74, 0xff},
	{0xc3, 0xb3, 0x69, 0xff},
	{0xfe, 0xe8, 0x38, 0xff},
}

// Heat is the colour of a share of the most, from 0, which is light, to 1, which is dark.
func Heat(share float64) color.RGBA {
	if !(share > 0) {
		share = 0
	}
	at := (1 - min(share, 1)) * float64(len(cividis)-1)
	i := min(int(at), len(cividis)-2)
	part := at - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + part*(float64(b)-float64(a)))) }
	a, b := cividis[i], cividis[i+1]
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// On is the colour of words on a ground: black on a light one, white on a dark one, whichever has more contrast.
func On(ground color.RGBA) color.RGBA {
	if l := luminance(ground); 1.05/(l+0.05) > (l+0.05)/0.05 {
		return White
	}
	return Black
}

// Contrast is that of two colours, from 1 to 21, as the Web Content Accessibility Guidelines define it.
func Contrast(a, b color.RGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance is the relative luminance of a colour, as the guidelines define it.
func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return float64(0.2126*linear(c.R)) + float64(0.7152*linear(c.G)) + float64(0.0722*linear(c.B))
}
