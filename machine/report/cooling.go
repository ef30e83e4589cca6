package report

import (
	"fmt"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// Cooling is which coolant distribution units serve which racks.
type Cooling struct {
	// Loops are those of room.loops, then units that serve the rack that they stand in.
	Loops    []CoolingLoop `json:"loops"`
	Unserved []string      `json:"unserved_racks"` // racks with heat to liquid that no loop has
}

// CoolingLoop is coolant distribution units that cool racks together.
type CoolingLoop struct {
	Name     string      `json:"name"`                  // as room.loops calls it, or units that serve their rack
	CDUs     []string    `json:"cdus"`                  // the units
	Spare    int         `json:"spare,omitempty"`       // how many of them do not count; left out for none
	Capacity units.Power `json:"capacity_w"`            // the most heat that the others take
	Heat     units.Power `json:"heat_w"`                // to liquid, of all its racks
	MostFlow units.Flow  `json:"flow_max_lpm,omitzero"` // the most that the others pump; left out where not stated
	// Flow is what the racks need; left out where the loop states no flow for a kilowatt.
	Flow  units.Flow   `json:"flow_lpm,omitzero"`
	Hoses units.Length `json:"hoses_m"` // of all hoses, as they are bought
	Racks []CooledRack `json:"racks"`   // with heat to liquid
}

// CooledRack is a rack that a loop serves.
type CooledRack struct {
	Rack string      `json:"rack"`              // its name
	CDU  string      `json:"cdu"`               // the unit of the loop that its hoses lead to
	Heat units.Power `json:"heat_w"`            // to liquid
	Flow units.Flow  `json:"flow_lpm,omitzero"` // that it needs; left out where it is not known
	// Hose is the length of each of its two hoses, over the floor along the axes and with `hose_slack`; 0 inside a
	// rack, and from another hall.
	Hose      units.Length `json:"hose_m"`
	OtherHall bool         `json:"other_hall,omitempty"` // whether the unit stands in another hall
	// Product is the line of the bill with its two hoses, by the part and the length; left out where none has them.
	Product catalog.Item `json:"hose,omitzero"`
}

// String is a line about the loops: how many racks they serve, and which is used most.
func (c *Cooling) String() string {
	racks, fullest := 0, -1
	share := func(i int) float64 {
		if c.Loops[i].Heat == 0 {
			return 0
		}
		return float64(c.Loops[i].Heat) / float64(c.Loops[i].Capacity)
	}
	for i := range c.Loops {
		racks += len(c.Loops[i].Racks)
		if fullest < 0 || share(i) > share(fullest) {
			fullest = i
		}
	}
	if fullest < 0 {
		return "no loop"
	}
	l := &c.Loops[fullest]
	out := fmt.Sprintf("%s for %s, %s takes %v of %v", english.Count(len(c.Loops), "loop"),
		english.Count(racks, "rack"),
		l.Name, l.Heat, l.Capacity)
	if l.Flow > 0 && l.MostFlow > 0 {
		out += fmt.Sprintf(" and %v of %v", l.Flow, l.MostFlow)
	}
	if n := len(c.Unserved); n > 0 {
		out += fmt.Sprintf("; %s without a loop", english.Count(n, "rack"))
	}
	return out
}
