package cabling

import (
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// LoadedRacks returns the racks of the placement with what the schedule adds to
// them: its patch panels, and the power of optics and of the ends of active cables.
func (s *Schedule) LoadedRacks() []embed.Rack {
	racks := slices.Clone(s.Placement.Racks)
	at := map[int32]int{}
	for i := range racks {
		at[racks[i].Place] = i
	}
	if k := s.Patching; k != nil {
		for i := range k.Panels {
			r := &racks[at[k.Panels[i].Rack]]
			r.Used += max(k.Part.Units, 1)
			r.Weight += k.Part.Weight
		}
	}
	if s.RackPower != nil {
		for i := range racks {
			racks[i].Power += s.RackPower[racks[i].Place]
		}
	}
	return racks
}

// CheckRacks holds loaded racks of a part, and their rows, against their limits.
func (v *Violations) CheckRacks(room *layout.Room, racks []embed.Rack, part *catalog.Part) {
	rowPower := make([]units.Power, len(room.Rows))
	rowWeight := make([]units.Mass, len(room.Rows))
	limit := catalog.RackSpec{}
	if part.Rack != nil {
		limit = *part.Rack
	}
	for i := range racks {
		r := &racks[i]
		name, row := room.Name(int(r.Place)), room.Places[r.Place].Row
		rowPower[row] += r.Power
		rowWeight[row] += r.Weight
		if r.Used > room.Spec.Rack.Units {
			v.Add(RuleUnits, name, "%d rack units in it, the rack has %d", r.Used, room.Spec.Rack.Units)
		}
		if limit.Power > 0 && r.Power > limit.Power {
			v.Add(RulePower, name, "%v with what is plugged in, the rack supplies %v", r.Power, limit.Power)
		}
		if limit.Weight > 0 && r.Weight > limit.Weight {
			v.Add(RuleWeight, name, "%v in it, the rack bears %v", r.Weight, limit.Weight)
		}
	}
	s := &room.Spec
	for i, row := range room.Rows {
		if s.RowPower > 0 && rowPower[i] > s.RowPower {
			v.Add(RuleRowPower, "row "+row.Name, "%v with what is plugged in, the row supplies %v", rowPower[i],
				s.RowPower)
		}
		if s.RowWeight > 0 && rowWeight[i] > s.RowWeight {
			v.Add(RuleRowWeight, "row "+row.Name, "%v of boxes, the row bears %v", rowWeight[i], s.RowWeight)
		}
	}
}

// TrayHeight is where a level of trays, for power or for data, hangs.
type TrayHeight struct {
	Name   string
	Power  bool
	Height units.Length // of its bottom above the floor
	Side   units.Length // how far its sides rise above the bottom
}

// CheckSeparation holds levels of power trays against the levels of data trays
// above and below them: a clear height is asked for.
func (v *Violations) CheckSeparation(levels []TrayHeight, asked units.Length) {
	for i := range levels {
		for j := range levels {
			power, data := &levels[i], &levels[j]
			if !power.Power || data.Power {
				continue
			}
			low, high := power, data
			if low.Height > high.Height {
				low, high = high, low
			}
			if clear := high.Height - low.Height - low.Side; clear < asked-1e-9 {
				v.Add(RuleSeparation, "trays "+power.Name+" and "+data.Name,
					"%v of clear height between power and data, %v are asked for", max(0, clear.Round4()), asked)
			}
		}
	}
}
