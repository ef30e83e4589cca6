package report

import "github.com/plenum-planner/plenum/units"

// Feed is a supply of power.
type Feed struct {
	Name     string      `json:"name"`     // as room.feeds calls it
	Supplies int         `json:"supplies"` // boxes with outlets that hang on it
	Power    units.Power `json:"power_w"`  // what it gives with all feeds, as far as parts state inlets and power
	// WorstPower is what it gives without the feed whose loss puts most on it; left out where no loss adds anything.
	WorstPower units.Power `json:"worst_power_w,omitzero"`
	// WorstLost is that feed; left out likewise.
	WorstLost string `json:"worst_lost,omitempty"`
	// Dark is how many boxes go dark when it is lost.
	Dark int `json:"dark"`
}

// SupplyLoss is the loss of as many power shelves, or other boxes with outlets, of a rack as may fail together.
type SupplyLoss struct {
	Rack       string   `json:"rack"`       // its name
	Redundancy string   `json:"redundancy"` // as the template of the rack states it: N+1, 2N
	Lost       []string `json:"lost"`       // of all choices, the one with most boxes dark
	Most       string   `json:"most"`       // the box with outlets that gives most then
	// Power is what that box gives to others.
	Power     units.Power `json:"power_w"`
	MostPower units.Power `json:"power_max_w,omitzero"` // the most that it can give; left out where not stated
	Dark      int         `json:"dark"`                 // how many boxes go dark
}
