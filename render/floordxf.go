package render

import (
	"context"
	"io"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/scene"
)

// dxfLayers are the layers of a room that are written as DXF, the drawing of the building among them.
var dxfLayers = []scene.DXFLayer{
	{Name: "floor", Colour: 8},
	{Name: "aisles", Colour: 9},
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
	c, err := drawFloor(ctx, r, true)
	if err != nil {
		return err
	}
	c.Scene.About = "A unit is a metre; x and y are those of the room."
	return scene.DXF(w, c.Scene, dxfLayers)
}
