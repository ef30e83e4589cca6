package report

import "github.com/plenum-planner/plenum/layout"

// Floor counts the rack positions of a room.
type Floor struct {
	Rows        int `json:"rows"`          // those laid out, whether or not racks stand there
	RacksPerRow int `json:"racks_per_row"` // positions in a row, the longest of all, lost ones with them
	// ShortestRow is the positions in the shortest row, where rows are not equally long.
	ShortestRow int       `json:"shortest_row,omitzero"`
	Positions   int       `json:"positions"` // at which racks can stand
	Used        int       `json:"used"`      // at which racks with boxes stand
	Lost        FloorLost `json:"lost"`      // positions at which no rack can stand, by what is in the way
	// GapsPerRow is how many more positions a row would have without its gaps, where rows run from wall to wall.
	GapsPerRow int `json:"gaps_per_row"`
}

// FloorLost counts rack positions that are lost. One that is lost for several reasons counts at the first.
type FloorLost struct {
	Columns  int `json:"columns"`           // a column of the building
	Doors    int `json:"doors"`             // the floor before a door
	KeepOuts int `json:"keep_outs"`         // an area that is kept free
	Walls    int `json:"walls"`             // a wall, or floor beyond the walls
	Reserved int `json:"reserved,omitzero"` // positions that are to stay empty
	// Layers are those that are lost to what the drawing of the building has, by its layers.
	Layers []LayerLost `json:"layers,omitempty"`
}

// LayerLost counts the rack positions that are lost to what is drawn on a layer.
type LayerLost struct {
	Layer     string `json:"layer"`     // its name in the drawing
	To        string `json:"to"`        // what is in the way: columns, doors, keep_outs or walls
	Positions int    `json:"positions"` // at which no rack can stand
}

// causes are the words for what positions are lost to, as the keys of FloorLost.
var causes = [layout.Causes]string{
	layout.Column: "columns", layout.DoorZone: "doors", layout.KeptFree: "keep_outs", layout.Walled: "walls",
}

// NewFloor counts the positions of a room, of which so many are used; nil without a room.
func NewFloor(room *layout.Room, used int) *Floor {
	if room == nil {
		return nil
	}
	s := room.Supply()
	shortest := s.Shortest
	if shortest == s.PerRow {
		shortest = 0
	}
	f := &Floor{
		Rows: s.Rows, RacksPerRow: s.PerRow, ShortestRow: shortest, Positions: s.Free, Used: used, GapsPerRow: s.Gaps,
		Lost: FloorLost{
			Columns: s.Lost[layout.Column], Doors: s.Lost[layout.DoorZone], KeepOuts: s.Lost[layout.KeptFree],
			Walls: s.Lost[layout.Walled], Reserved: s.Lost[layout.Reserved],
		},
	}
	for _, l := range s.Layers {
		f.Lost.Layers = append(f.Lost.Layers, LayerLost{l.Layer, causes[l.Why], l.Positions})
	}
	return f
}
