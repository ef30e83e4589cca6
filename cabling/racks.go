package cabling

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// LoadedRacks returns a copy of the racks of the placement with what the schedule adds to each: the units and the
// weight of its patch panels, the power of optics and of the ends of active cables, and the weight of its cables
// (RackCables).
func (s *Schedule) LoadedRacks() []embed.Rack {
	racks := slices.Clone(s.Placement.Racks)
	at := map[int32]int{}
	for i := range racks {
		at[racks[i].Place] = i
	}
	if k := s.Patching; k != nil {
		for i := range k.Panels {
			r := &racks[at[k.Panels[i].Rack]]
			r.Used += max(k.Panels[i].Part.Units, 1)
			r.Weight += k.Panels[i].Part.Weight
		}
	}
	if s.RackPower != nil {
		for i := range racks {
			racks[i].Power += s.RackPower[racks[i].Place]
		}
	}
	if cables := s.RackCables(); cables != nil {
		for i := range racks {
			racks[i].Weight += cables[racks[i].Place].Weight
		}
	}
	return racks
}

// RackCables is the cables of a rack: those inside it, and those that leave it.
type RackCables struct {
	// Weight is that of cables in their ordered lengths. Of a cable that leaves the rack, its run along the trays is
	// left out, and half of the rest counts: vertical parts, slack and surplus of both ends together. For a cable off
	// the trays, the run is the distance between the racks.
	Weight    units.Mass
	Cables    int64 // cables with a product; every jacket of a splitter counts
	Unweighed int64 // cables among them whose part states no weight: above 0, Weight is a lower bound
}

// cordSum sums up the cables inside a rack: mass in tenths of a microgram, number, and number without a weight.
type cordSum struct{ mass, cables, light int64 }

// RackCables returns the cables of each rack, by rack position; nil if boxes are in other containers than racks.
func (s *Schedule) RackCables() []RackCables {
	if s.cords == nil {
		return nil
	}
	sums := slices.Clone(s.cords)
	for i := range s.Bundles {
		b := &s.Bundles[i]
		var run units.Length
		if b.Way >= 0 {
			run = s.Ways[b.Way].Run
		} else {
			run = s.distance(b.A, b.B)
		}
		inside := max(0, b.mass-b.weight*int64(math.Round(float64(run)*1e4)))
		for _, rack := range []int32{b.A, b.B} {
			sums[rack].mass += inside / 2
			sums[rack].cables += int64(b.Cables)
			sums[rack].light += int64(b.light)
		}
	}
	out := make([]RackCables, len(sums))
	for i, sum := range sums {
		out[i] = RackCables{Weight: units.Mass(float64(sum.mass) / 1e10), Cables: sum.cables, Unweighed: sum.light}
	}
	return out
}

// distance returns the distance between the middles of two racks on the floor, as cables off the trays are measured.
func (s *Schedule) distance(a, b int32) units.Length {
	room := s.Placement.Layout.Room
	at := func(rack int32) layout.Point {
		p := &room.Places[rack]
		return layout.Point{X: p.X, Y: p.Y, Z: room.Rows[p.Row].Z}
	}
	if s.router.mode == Direct {
		return at(a).Distance(at(b))
	}
	return at(a).Manhattan(at(b))
}

// CheckRacks adds a violation for each limit that a loaded rack or a row exceeds: units, power, weight, busbar and
// floor load. parts has the part of each type of racks.
func (v *Violations) CheckRacks(room *layout.Room, racks []embed.Rack, parts []*catalog.Part) {
	rowPower := make([]units.Power, len(room.Rows))
	rowWeight := make([]units.Mass, len(room.Rows))
	for i := range racks {
		r := &racks[i]
		name, row, limit := room.Name(int(r.Place)), room.Places[r.Place].Row, room.Type(r.Place)
		rowPower[row] += r.Power
		rowWeight[row] += r.Weight
		if r.Used > limit.Units {
			v.Add(RuleUnits, name, "%d rack units in it, the rack has %d", r.Used, limit.Units)
		}
		v.CheckLoad(name, r.Power, limit.Power, r.Weight, limit.Weight)
		v.CheckBusbar(name, r.Power, parts[room.Places[r.Place].Type].Rack)
	}
	v.checkFloor(room, racks, parts)
	v.checkAisles(room, racks)
	s := &room.Spec
	for i, row := range room.Rows {
		if s.RowPower > 0 && rowPower[i] > s.RowPower+rounding {
			draws, over := Overshoot(rowPower[i], s.RowPower, "W")
			v.Add(RuleRowPower, "row "+row.Name, "%s%s including optics, the row supplies %v: %s too little",
				draws, v.onBasis(), s.RowPower, over)
		}
		if s.RowWeight > 0 && rowWeight[i] > s.RowWeight+rounding {
			weighs, over := Overshoot(rowWeight[i], s.RowWeight, "kg")
			v.Add(RuleRowWeight, "row "+row.Name, "%s of boxes and cables, the row bears %v: %s too much",
				weighs, s.RowWeight, over)
		}
	}
}

// CheckLoad adds a violation if a rack draws more power than it supplies, or holds more weight than it bears; a limit
// of 0 is not checked.
func (v *Violations) CheckLoad(name string, power, mostPower units.Power, weight, mostWeight units.Mass) {
	if mostPower > 0 && power > mostPower+rounding {
		draws, over := Overshoot(power, mostPower, "W")
		v.Add(RulePower, name, "%s%s including optics, the rack supplies %v: %s too little", draws, v.onBasis(),
			mostPower, over)
	}
	if mostWeight > 0 && weight > mostWeight+rounding {
		weighs, over := Overshoot(weight, mostWeight, "kg")
		v.Add(RuleWeight, name, "%s in it, the rack bears %v: %s too much", weighs, mostWeight, over)
	}
}

// CheckBusbar adds a violation if the power of a rack takes more current than its busbar carries, if it has one.
func (v *Violations) CheckBusbar(name string, power units.Power, rack *catalog.RackSpec) {
	if rack == nil || rack.Busbar == nil {
		return
	}
	if b := rack.Busbar; b.Current(power) > b.Amperes+rounding {
		v.Add(RuleBusbar, name, "%v%s at %v V are %.1f A including optics, a busbar carries %v A", power,
			v.onBasis(), b.Volts, b.Current(power), b.Amperes)
	}
}

// onBasis returns " of typical power" and the like, to follow a figure of power in a message; "" if the machine file
// names no basis.
func (v *Violations) onBasis() string {
	if v.PowerBasis == "" {
		return ""
	}
	return " of " + string(v.PowerBasis) + " power"
}

// checkFloor adds a violation for each rack that, with its boxes and cables, is too heavy for the floor.
func (v *Violations) checkFloor(room *layout.Room, racks []embed.Rack, parts []*catalog.Part) {
	most := room.Spec.FloorLoad
	if most == 0 {
		return
	}
	for i := range racks {
		r := &racks[i]
		area := float64(room.Type(r.Place).Width * room.BearingDepth(room.Places[r.Place].Row))
		weight := r.Weight + parts[room.Places[r.Place].Type].Weight
		if load := units.FloorLoad(float64(weight) / area); load > most+rounding {
			_, over := Overshoot(load, most, "kg/m²")
			v.Add(RuleFloorLoad, room.Name(int(r.Place)),
				"%v with the rack on %.2f m² of floor are %v, the floor bears %v: %s too much", weight, area, load,
				most, over)
		}
	}
}

// checkAisles adds a violation for each obstacle that leaves too little free of an aisle at which racks stand.
func (v *Violations) checkAisles(room *layout.Room, racks []embed.Rack) {
	used := make([]bool, len(room.Rows))
	for i := range racks {
		used[room.Places[racks[i].Place].Row] = true
	}
	for _, o := range room.Obstructions() {
		aisle, by := room.Aisles[o.Aisle], &room.KeepOuts[o.KeepOut]
		if !used[aisle.Before] && !used[aisle.After] {
			continue
		}
		kind := "hot"
		if aisle.Cold {
			kind = "cold"
		}
		low := by.Area.Bound().Min
		v.Add(RuleAisle, "row "+room.Rows[aisle.Before].Name+" to row "+room.Rows[aisle.After].Name,
			"%s at x %.2f m, y %.2f m leaves %.2f m of the %s aisle free, which has %.2f m; %.2f m are to stay free",
			by.What(), low[0], low[1], float64(o.Free), kind, aisle.Bound.Max[1]-aisle.Bound.Min[1],
			float64(room.Spec.AisleClear))
	}
}

// rounding is the rounding error that sums of powers, in watts, and of masses, in kilograms, may have: less than any
// part states.
const rounding = 1e-6

// Overshoot writes a quantity that exceeds its limit, and the excess, with enough decimals to tell quantity and limit
// apart.
func Overshoot[Q interface {
	~float64
	fmt.Stringer
}](have, limit Q, unit string,
) (whole, over string) {
	excess := float64(have - limit)
	if have.String() != limit.String() && excess >= 0.1 {
		return have.String(), (have - limit).String()
	}
	fine := 10.0 // the excess is at least 1/fine of the unit
	for excess*fine < 1 && fine < 1e9 {
		fine *= 10
	}
	write := func(x float64) string {
		return strconv.FormatFloat(math.Round(x*fine)/fine, 'f', -1, 64) + " " + unit
	}
	return write(float64(have)), write(excess)
}

// PlugPower returns, for each kind of vertex, an upper bound on the power of the optics and cable ends in one box, for
// cables of any length: every port has the part with the highest power that fits it and that some media rule allows.
// The problem must be one that Run accepts.
func PlugPower(p *Problem) []units.Power {
	rules := p.Media
	if len(rules) == 0 {
		rules = []MediaRule{{Media: catalog.Media}}
	}
	parts := p.Catalog.Parts()
	most := map[*catalog.PortGroup]units.Power{}
	of := func(g *catalog.PortGroup) units.Power {
		found, ok := most[g]
		if ok {
			return found
		}
		for i := range parts {
			part := &parts[i]
			switch {
			case part.Optic != nil && part.Optic.Form == g.Connector &&
				slices.ContainsFunc(rules, func(m MediaRule) bool { return m.allowsEnds(part) }):
				found = max(found, part.Power)
			case part.Cable != nil &&
				(part.Cable.Connector == g.Connector || part.Cable.FarConnector() == g.Connector) &&
				slices.ContainsFunc(rules, func(m MediaRule) bool { return m.allows(part) }):
				near, far := part.EndPower()
				found = max(found, near, far)
			}
		}
		most[g] = found
		return found
	}
	out := make([]units.Power, len(p.Boxes))
	for i, k := range topology.CabledKinds(p.Graph) {
		for j := range min(k.Ports, len(p.Boxes[i].Ports)) {
			out[i] += of(p.Boxes[i].Ports[j].Group)
		}
	}
	return out
}

// TrayHeight is the height of a level of trays, for power or for data.
type TrayHeight struct {
	Name   string
	Power  bool
	Height units.Length // of its bottom above the floor
	Side   units.Length // how far its sides rise above the bottom
}

// CheckSeparation adds a violation for each level of power trays and level of data trays with less than the required
// clear height between them.
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
