package report

import "github.com/plenum-planner/plenum/layout"

// Floor counts the rack positions of a room.
type Floor struct {
	Rows        int       `json:"rows"`          // those laid out, whether or not racks stand there
	RacksPerRow int       `json:"racks_per_row"` // positions in a row, lost ones with them
	Positions   int       `json:"positions"`     // at which racks can stand
	Used        int       `json:"used"`          // at which racks with boxes stand
	Lost        FloorLost `json:"lost"`          // positions at which no rack can stand, by what is in the way
	// GapsPerRow is how many more positions a row would have without its gaps, where rows run from wall to wall.
	GapsPerRow int `json:"gaps_per_row"`
}

// FloorLost counts rack positions that are lost. One that is lost for several reasons counts at the first.
type FloorLost struct {
	Columns  int `json:"columns"`   // a column of the building
	Doors    int `json:"doors"`     // the floor before a door
	KeepOuts int `json:"keep_outs"` // an area that is kept free
}

// NewFloor counts the positions of a room, of which so many are used; nil without a room.
func NewFloor(room *layout.Room, used int) *Floor {
	if room == nil {
		return nil
	}
	s := room.Supply()
	return &Floor{
		Rows: s.Rows, RacksPerRow: s.PerRow, Positions: s.Free, Used: used, GapsPerRow: s.Gaps,
		Lost: FloorLost{
			Columns: s.Lost[layout.Column], Doors: s.Lost[layout.DoorZone], KeepOuts: s.Lost[layout.KeptFree],
		},
	}
}
