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
