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
	Door:      {"floor before a door", palette.Door},
	Column:    {"building column", palette.Column},
	KeepOut:   {"keep-out", palette.KeepOut},
	Rack:      {"rack", palette.RackSide},
	Front:     {"front", palette.Front},
	Node:      {"node", palette.NodeFill},
	Service:   {"service box", palette.ServiceFill},
	Switch:    {"switch", palette.SwitchFill},
	Panel:     {"patch panel", palette.PanelFill},
	Tray:      {"cable tray", palette.Tray(0)},
	FullTray:  {"cable tray above its limit", palette.Tray(len(palette.TraySteps) - 1)},
	Copper:    {"copper cables", palette.Medium(catalog.PassiveCopper)},
	Fibre:     {"optical cables", palette.Medium(catalog.Multimode)},
	Mixed:     {"copper and optical cables", palette.Medium("")},
	Container: {"container", palette.Container(3)},
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
	Storeys []Storey // one at least; containers have one without a floor
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
	Ports  []catalog.PortGroup // of a box or panel; none of other things
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
