// Package palette has the colours of all drawings and charts, so that the same thing has the same colour everywhere.
//
// Colours that tell things apart are those of Masataka Okabe and Kei Ito, "Color Universal Design", 2008, moved as
// little as is needed to differ for people without one kind of cones, and in lightness on a grey print. Colours of
// quantities are cividis: Jamie R. Nuñez, Christopher R. Anderton, Ryan S. Renslow, "Optimizing colormaps with
// consideration for color vision deficiency to enable accurate interpretation of scientific data", PLoS ONE 13(7),
// 2018.
package palette

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
)

// Colours that tell things apart.
var (
	Black      = color.RGBA{0x00, 0x00, 0x00, 0xff}
	Orange     = color.RGBA{0xe7, 0x9f, 0x01, 0xff}
	Sky        = color.RGBA{0x41, 0x9f, 0xd8, 0xff}
	Green      = color.RGBA{0x4a, 0xd0, 0xa2, 0xff}
	Yellow     = color.RGBA{0xf0, 0xe4, 0x42, 0xff}
	Blue       = color.RGBA{0x19, 0x6b, 0xaa, 0xff}
	Vermillion = color.RGBA{0xd5, 0x5e, 0x00, 0xff}
	Purple     = color.RGBA{0xd2, 0x8a, 0xba, 0xff}
)

// What is not coloured to tell things apart.
var (
	Ink     = color.RGBA{0x22, 0x2b, 0x36, 0xff} // words and lines
	Faint   = color.RGBA{0x66, 0x70, 0x7b, 0xff} // words that step back
	Outline = color.RGBA{0x9a, 0xa3, 0xad, 0xff} // edges
	Ground  = color.RGBA{0xf7, 0xf7, 0xf4, 0xff} // the floor, and panels of charts
	Grid    = color.RGBA{0xdd, 0xe1, 0xe6, 0xff} // lines behind data
	Grey    = color.RGBA{0x66, 0x72, 0x7e, 0xff}
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

// Unstated is the colour of cables for which a machine file states none.
var Unstated = color.RGBA{0xb4, 0xb4, 0xb4, 0xff}

// jackets are colours of cables by the names that machine files state, among them those that TIA-598 numbers fibres by.
// White and yellow are darkened, so that their lines are seen on paper.
var jackets = map[string]color.RGBA{
	"aqua": {0x00, 0xb4, 0xc8, 0xff}, "black": {0x1a, 0x1a, 0x1a, 0xff}, "blue": {0x1f, 0x5f, 0xd0, 0xff},
	"brown": {0x8b, 0x5a, 0x2b, 0xff}, "gray": {0x78, 0x80, 0x88, 0xff}, "green": {0x1e, 0x96, 0x46, 0xff},
	"grey": {0x78, 0x80, 0x88, 0xff}, "lime": {0x86, 0xc2, 0x1a, 0xff}, "magenta": {0xc8, 0x1e, 0x96, 0xff},
	"orange": {0xf0, 0x82, 0x14, 0xff}, "pink": {0xf0, 0x82, 0xaa, 0xff}, "purple": {0x7d, 0x3c, 0xb4, 0xff},
	"red": {0xd2, 0x28, 0x28, 0xff}, "rose": {0xf0, 0x82, 0xaa, 0xff}, "slate": {0x78, 0x80, 0x88, 0xff},
	"turquoise": {0x00, 0xb4, 0xc8, 0xff}, "violet": {0x7d, 0x3c, 0xb4, 0xff}, "white": {0xd8, 0xd4, 0xc4, 0xff},
	"yellow": {0xdc, 0xb4, 0x00, 0xff},
}

// Jacket returns the colour that the name of a cable's colour means, and whether it is known.
func Jacket(name string) (color.RGBA, bool) {
	c, ok := jackets[strings.ToLower(strings.TrimSpace(name))]
	return c, ok
}

// Jackets returns the colours in which to draw cables by the names that machine files state, "" for none. A name whose
// colour is not known, or is that of an earlier name, gets one of the series in its place.
func Jackets(names []string) []color.RGBA {
	var out []color.RGBA
	for i, name := range names {
		c, ok := Jacket(name)
		if name == "" {
			c, ok = Unstated, true
		}
		if !ok || slices.Contains(out, c) {
			c = Tint(Series(i), 1/float64(1+Round(i)))
		}
		out = append(out, c)
	}
	return out
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
	Services = Tint(Grey, 0.35)
	Other    = Outline
	// Midplanes have the colour of cables, lighter, as their traces take the place of cables.
	Midplanes = Tint(Cables, 0.5)
	// Hoses are a light blue, as of water.
	Hoses = Tint(Blue, 0.5)
)

// Fills of what stands in a room: of racks by what they hold, and of boxes in racks. Ink can be read on all of them.
var (
	Free        = White
	NodeFill    = color.RGBA{0x8e, 0xbd, 0xdc, 0xff}
	MixedFill   = color.RGBA{0x93, 0xe1, 0xca, 0xff} // nodes and switches
	ServiceFill = color.RGBA{0xea, 0xc3, 0x8c, 0xff}
	ServedFill  = color.RGBA{0xcd, 0xbe, 0xa1, 0xff} // switches and service boxes
	SwitchFill  = color.RGBA{0xc8, 0x8a, 0xb5, 0xff}
	EndFill     = color.RGBA{0xf4, 0xe9, 0x67, 0xff} // switches at the end of a row
	MiddleFill  = color.RGBA{0xdc, 0xa6, 0x30, 0xff} // switches in the middle of a row
	PanelFill   = color.RGBA{0xc6, 0xe4, 0xb9, 0xff}
)

// behind are the fills of racks behind coloured cables: cold greys, darker with more switches, and warm ones for
// service boxes and for switches of a whole row.
var behind = map[color.RGBA]color.RGBA{
	NodeFill:    {0xd5, 0xdb, 0xe2, 0xff},
	MixedFill:   {0xb9, 0xc4, 0xcf, 0xff},
	SwitchFill:  {0x9a, 0xa9, 0xb8, 0xff},
	ServiceFill: {0xe8, 0xdd, 0xc9, 0xff},
	ServedFill:  {0xc4, 0xb4, 0x95, 0xff},
	EndFill:     {0xd8, 0xd2, 0xaf, 0xff},
	MiddleFill:  {0xa6, 0x99, 0x6e, 0xff},
}

// Behind is the fill of a rack behind cables in their colours, so that a colour on the floor belongs to cables only.
func Behind(fill color.RGBA) color.RGBA {
	if c, ok := behind[fill]; ok {
		return c
	}
	return fill
}

// What a room has.
var (
	Cold     = color.RGBA{0xe3, 0xf0, 0xfa, 0xff} // aisles
	Hot      = color.RGBA{0xfc, 0xe8, 0xdf, 0xff}
	ColdInk  = color.RGBA{0x2b, 0x6c, 0x9e, 0xff} // words in aisles
	HotInk   = color.RGBA{0xa8, 0x4a, 0x26, 0xff}
	Front    = color.RGBA{0x16, 0x3a, 0x5c, 0xff} // of racks
	RackSide = color.RGBA{0x3c, 0x43, 0x4c, 0xff}
	Door     = color.RGBA{0x2e, 0x7d, 0x5b, 0xff}
	Wall     = color.RGBA{0x33, 0x38, 0x40, 0xff}
	KeepOut  = color.RGBA{0xb8, 0x3a, 0x2e, 0xff}
	Column   = color.RGBA{0x55, 0x5b, 0x63, 0xff}
	Beyond   = color.RGBA{0xc9, 0xcc, 0xd1, 0xff} // outside the walls
)

// containers are fills of containers, from the outermost inwards.
var containers = [...]color.RGBA{
	{0xf2, 0xf4, 0xf6, 0xff},
	{0xdf, 0xe3, 0xe7, 0xff},
	{0xcb, 0xd1, 0xd7, 0xff},
	{0xb5, 0xbd, 0xc5, 0xff},
	{0xa0, 0xa9, 0xb3, 0xff},
}

// Container is the fill of a container of a level, 0 for the outermost.
func Container(level int) color.RGBA { return containers[min(level, len(containers)-1)] }

// trays are the colours of trays by TraySteps; the last is of those above their limit.
var trays = [...]color.RGBA{
	{0xc8, 0xcc, 0xd2, 0xff}, Heat(0.125), Heat(0.33), Heat(0.55), Heat(0.8), Black,
}

// TraySteps are the greatest shares of the limit of a tray's fill up to which trays have the same colour.
var TraySteps = [...]float64{0, 0.25, 0.5, 0.75, 1, math.Inf(1)}

// Tray is the colour of trays of a step, darker where they are fuller.
func Tray(step int) color.RGBA { return trays[step] }

// BareTray is the colour of trays without cables on floor plans, which are thin lines there.
var BareTray = color.RGBA{0x84, 0x8e, 0x99, 0xff}

// traysBeside are the colours of TrayBeside.
var traysBeside = [...]color.RGBA{
	BareTray,
	{0xf6, 0xb4, 0x8f, 0xff},
	{0xee, 0x84, 0x5f, 0xff},
	{0xc9, 0x4b, 0x3a, 0xff},
	{0x8e, 0x1f, 0x2f, 0xff},
	Black,
}

// TrayBeside is Tray in reds, for trays over racks in colours of Heat.
func TrayBeside(step int) color.RGBA { return traysBeside[step] }

// DimTray is the colour of trays of a step on a dark page, brighter where they are fuller.
func DimTray(step int) color.RGBA {
	if step == 0 {
		return color.RGBA{0x3a, 0x42, 0x4a, 0xff}
	}
	return Heat(0.72 - 0.18*float64(step-1))
}

// Dim is a fill on a dark page, on which words are light. It keeps the order of fills by lightness.
func Dim(c color.RGBA) color.RGBA {
	mix := func(v uint8) uint8 { return uint8(math.Round(0.44 * float64(v))) }
	return color.RGBA{mix(c.R), mix(c.G), mix(c.B), 0xff}
}

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
