package layout_test

import (
	"fmt"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Two rows of three racks that face each other across a cold aisle.
func ExampleNewRoom() {
	spec := layout.RoomSpec{
		Rows: 2, PerRow: 3,
		Rack:      layout.RackType{Units: 42, Width: 0.6, Depth: 1.2, Height: 2},
		Cold:      1.2,
		Hot:       0.9,
		Alternate: true,
	}
	room, err := layout.NewRoom(spec.Complete())
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, place := range room.Places {
		fmt.Printf("%s at %.1f, %.1f\n", room.Name(i), place.X, place.Y)
	}
	// Output:
	// A01 at 0.3, 0.6
	// A02 at 0.9, 0.6
	// A03 at 1.5, 0.6
	// B01 at 0.3, 3.0
	// B02 at 0.9, 3.0
	// B03 at 1.5, 3.0
}

// Cubes of eight slots, eight to a hall: the level of a link is the lowest container that holds both ends.
func ExampleNewTree() {
	tree, err := layout.NewTree([]layout.TreeLevel{
		{Name: "hall", Count: [3]int{2, 2, 2}, Gap: 1},
		{Name: "cube", Count: [3]int{2, 2, 2}, Pitch: [3]units.Length{0.5, 0.5, 0.5}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	l := tree.Layout()
	for _, slot := range []int32{1, 8} {
		fmt.Printf("0 and %d share a %s; %d is in %s at %v\n",
			slot, l.Levels[l.Common(0, slot)].Name, slot, l.Innermost(slot), l.Position(slot))
	}
	// Output:
	// 0 and 1 share a cube; 1 is in cube-0.0.0 at {0.75 m 0.25 m 0.25 m}
	// 0 and 8 share a hall; 8 is in cube-1.0.0 at {2.25 m 0.25 m 0.25 m}
}
