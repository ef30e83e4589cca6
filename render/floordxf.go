package render

import (
	"context"
	"errors"
	"image/color"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// dxfLayers are the layers of a room that are written as DXF, the drawing of the building among them.
var dxfLayers = []scene.DXFLayer{
	{Name: "floor", Colour: 8},
	{Name: "aisles", Colour: 9},
	{Name: "tiles", Colour: 9},
	{Name: "tile-names", Colour: 8},
	{Name: "free-positions", Colour: 8},
	{Name: "racks", Colour: 5},
	{Name: "keep-outs", Colour: 1},
	{Name: "doors", Colour: 3},
	{Name: "building-walls", Colour: 7},
	{Name: "columns", Colour: 6},
	{Name: "trays", Colour: 30},
	{Name: "rack-names", Colour: 7},
	{Name: "names", Colour: 7},
	{Name: "walls", Colour: 7},
	{Name: "building", Colour: 9},
	{Name: "dimensions", Colour: 2},
}

// FloorDXF draws the room from above as a DXF (release 12) in metres: racks as inserts of a block for each of their
// types, with attributes for their names and contents, free positions on a layer of their own; trays as lines as wide
// as their share of cables; columns, keep-outs, doors, walls and names on layers.
func FloorDXF(ctx context.Context, w io.Writer, r *machine.Result) error {
	write, err := DrawFloorDXF(ctx, r, FloorOptions{})
	if err != nil {
		return err
	}
	return write(w)
}

// DrawFloorDXF draws the same with the cables of options, those of each of their colours on a layer, and returns what
// writes it. A DXF has no colours of racks.
func DrawFloorDXF(ctx context.Context, r *machine.Result, opt FloorOptions) (func(io.Writer) error, error) {
	if r.Room() == nil {
		return nil, errors.New("containers have no racks to write as a DXF")
	}
	l, err := pen.NewLetters()
	if err != nil {
		return nil, err
	}
	l.Spare = pen.Spare
	d, err := drawRoom(ctx, l, r, FloorOptions{Cables: opt.Cables, CableColour: opt.CableColour}, true)
	if err != nil {
		return nil, err
	}
	layers := slices.Clone(dxfLayers)
	if d.cables != nil {
		for i, name := range cableLayers(d.cables) {
			layers = append(layers, scene.DXFLayer{Name: name, Colour: dxfColour(d.cables.Classes[i].Color)})
		}
		layers = append(layers, scene.DXFLayer{Name: cableEnds, Colour: 7})
	}
	d.Scene.Name, d.Scene.About = machineName(r), "A unit is a metre; x and y are those of the room."
	return func(w io.Writer) error { return scene.DXF(w, d.Scene, layers) }, nil
}

// indexed are some colours of the AutoCAD colour index, from its table.
var indexed = map[int]color.RGBA{
	1: {0xff, 0x00, 0x00, 0xff}, 2: {0xff, 0xff, 0x00, 0xff}, 3: {0x00, 0xff, 0x00, 0xff}, 4: {0x00, 0xff, 0xff, 0xff},
	5: {0x00, 0x00, 0xff, 0xff}, 6: {0xff, 0x00, 0xff, 0xff}, 8: {0x80, 0x80, 0x80, 0xff}, 9: {0xc0, 0xc0, 0xc0, 0xff},
	20: {0xff, 0x3f, 0x00, 0xff}, 30: {0xff, 0x7f, 0x00, 0xff}, 40: {0xff, 0xbf, 0x00, 0xff},
	112: {0x00, 0xbd, 0x5e, 0xff}, 140: {0x00, 0xbf, 0xff, 0xff}, 150: {0x00, 0x7f, 0xff, 0xff},
	231: {0xff, 0xaa, 0xd4, 0xff}, 250: {0x33, 0x33, 0x33, 0xff},
}

// dxfColour is the number of the colour of the index that is nearest to a colour.
func dxfColour(c color.RGBA) int {
	best, least := 7, math.Inf(1)
	for _, n := range slices.Sorted(maps.Keys(indexed)) {
		k := indexed[n]
		dr, dg, db := float64(c.R)-float64(k.R), float64(c.G)-float64(k.G), float64(c.B)-float64(k.B)
		if away := float64(dr*dr) + float64(dg*dg) + float64(db*db); away < least {
			best, least = n, away
		}
	}
	return best
}
