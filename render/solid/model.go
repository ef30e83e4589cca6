package solid

import (
	"image/color"
	"math"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/units"
)

// Kind is what a thing is. It gives the thing its material.
type Kind uint8

// The kinds.
const (
	Group Kind = iota // of things, without a shape of its own
	Floor
	Wall
	Door // the floor before it
	Column
	KeepOut
	Rack
	Front // the side of racks and boxes that is their front
	Node
	Service
	Switch
	Panel
	Tray
	FullTray // with more cables than its limit allows
	Copper
	Fibre
	Mixed // copper and fibre, or cables of no product
	Container
	kinds // their number
)

// style is how things of a kind look.
type style struct {
	name  string
	color color.RGBA
}

// styles are those of the kinds, in the colours of all drawings.
var styles = [kinds]style{
	Group:     {"group", palette.White},
	Floor:     {"floor", palette.Grid},
	Wall:      {"wall", palette.Outline},
	Door:      {"floor before a door", palette.Green},
	Column:    {"building column", palette.Grey},
	KeepOut:   {"keep-out", palette.Vermillion},
	Rack:      {"rack", color.RGBA{0x3c, 0x43, 0x4c, 0xff}},
	Front:     {"front", color.RGBA{0x16, 0x3a, 0x5c, 0xff}},
	Node:      {"node", palette.Tint(palette.Nodes, 0.6)},
	Service:   {"service box", palette.Tint(palette.Grey, 0.35)},
	Switch:    {"switch", palette.Tint(palette.Switches, 0.8)},
	Panel:     {"patch panel", palette.Tint(palette.Panels, 0.8)},
	Tray:      {"cable tray", palette.Outline},
	FullTray:  {"cable tray above its limit", color.RGBA{0xc0, 0x10, 0x30, 0xff}},
	Copper:    {"copper cables", palette.Medium(catalog.PassiveCopper)},
	Fibre:     {"optical cables", palette.Medium(catalog.Multimode)},
	Mixed:     {"copper and optical cables", palette.Medium("")},
	Container: {"container", palette.Tint(palette.Blue, 0.5)},
}

// opaque is how much of the colour of walls there is: they are looked through.
const opaque = 0.22

// Color is the colour of a kind.
func (k Kind) Color() color.NRGBA {
	c := styles[k].color
	if k == Wall {
		return color.NRGBA{c.R, c.G, c.B, uint8(math.Round(opaque * 255))}
	}
	return color.NRGBA{c.R, c.G, c.B, 0xff}
}

// String is the name of the kind's material.
func (k Kind) String() string { return styles[k].name }

// Model is a planned machine in three dimensions.
type Model struct {
	Name    string
	Storeys []Storey // one at least; nested containers have one without a floor
	Solids  []Solid  // holders before what they hold
	Lines   []Line
	Shapes  []Shape
	// Notes say what is drawn as less than it is.
	Notes []string
}

// Storey is a hall, or a floor of a building.
type Storey struct {
	Name   string
	At     layout.Point // the corner of its floor
	Size   [2]units.Length
	Height units.Length // 0 where there are no walls to say so
}

// Solid is something at a place.
type Solid struct {
	Kind   Kind
	Name   string
	Storey int32
	Shape  int32 // in Model.Shapes; -1 for none
	In     int32 // the solid that holds it; -1 for none
	// At is where the origin of its shape is, in the axes of the solid that holds it.
	At     layout.Point
	Turned Turn
	Facts  []Fact
}

// Turn is a number of quarter turns about the upright axis, anticlockwise as seen from above.
type Turn uint8

// Line is something of one thickness along a way, in the axes of the machine.
type Line struct {
	Kind     Kind
	Name     string
	Storey   int32
	In       int32 // the solid that holds it
	Points   []layout.Point
	Diameter units.Length
	Facts    []Fact
}

// Shape is blocks and prisms, about an origin.
type Shape struct{ Parts []Part }

// Part is an upright block, or a prism.
type Part struct {
	Kind   Kind
	Lo, Hi [3]float64
	// Ring are the corners of a prism, anticlockwise, each once; a block has none.
	Ring [][2]float64
}

// Fact is a property of a thing.
type Fact struct {
	Key     string // in snake_case, with its unit
	Measure Measure
	Text    string
	Number  float64
}

// Measure is what the number of a fact counts.
type Measure uint8

// The measures.
const (
	Text Measure = iota // no number
	Count
	Watts
	Kilograms
	Metres
	Percent
)

// Counted are how many things a model has of each kind, groups and parts of shapes left out.
func (m *Model) Counted() map[Kind]int {
	out := map[Kind]int{}
	for i := range m.Solids {
		if m.Solids[i].Shape >= 0 {
			out[m.Solids[i].Kind]++
		}
	}
	for i := range m.Lines {
		out[m.Lines[i].Kind]++
	}
	return out
}
