package cabling

import (
	"cmp"
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Entry is the cables that leave a rack to the trays above it or below its floor.
type Entry struct {
	Rack   int32 // rack position
	At     catalog.OpeningAt
	Cables int
	Bare   int        // of them, of parts that state no diameter: with any, Area is a lower bound
	Area   units.Area // of their cross-sections
	// Bend is the largest of their least bend radii, of those that state one; 0 where none does.
	Bend units.Length

	area int64 // in areaUnit
}

// Entries returns the cables on trays that leave each rack, by rack position, those at the top first. Cables off the
// trays are left out.
func (s *Schedule) Entries() []Entry {
	room := s.Placement.Layout.Room
	if room == nil || s.Trays == nil {
		return nil
	}
	type key struct {
		rack   int32
		bottom bool
	}
	found := map[key]*Entry{}
	for i := range s.Bundles {
		b := &s.Bundles[i]
		if b.Way < 0 {
			continue
		}
		bottom := s.Trays.Network.Levels[s.Ways[b.Way].Level].Height < 0
		for _, rack := range []int32{b.A, b.B} {
			e := found[key{rack, bottom}]
			if e == nil {
				e = &Entry{Rack: rack, At: catalog.AtTop}
				if bottom {
					e.At = catalog.AtBottom
				}
				found[key{rack, bottom}] = e
			}
			e.Cables += int(b.Cables)
			e.Bare += int(b.Bare)
			e.area += b.area
			e.Bend = max(e.Bend, units.Length(b.bend))
		}
	}
	var out []Entry
	for rack := range room.Places {
		for _, bottom := range []bool{false, true} {
			if e := found[key{int32(rack), bottom}]; e != nil {
				e.Area = inArea(e.area)
				out = append(out, *e)
			}
		}
	}
	return out
}

// CheckEntries adds a violation of RuleEntry where the cables that leave a rack are too thick for its openings or cable
// managers, or bend too tightly there; parts has the part of each type of racks. It returns the positions of the racks
// whose openings or managers are too small, in ascending order, also where the violation is suppressed; racks that
// break the rule only by a bend are not among them.
func (v *Violations) CheckEntries(s *Schedule, room *layout.Room, parts []*catalog.Part) []int32 {
	var narrow []int32
	for _, e := range s.Entries() {
		rack := parts[room.Places[e.Rack].Type].Rack
		if rack == nil {
			continue
		}
		for _, at := range []catalog.OpeningAt{e.At, catalog.AtManager} {
			limit, bend := openingLimits(rack, at)
			v.checkBend(room, &e, at, bend)
			if limit < 0 || e.area <= limit {
				continue
			}
			if n := len(narrow); n == 0 || narrow[n-1] != e.Rack {
				narrow = append(narrow, e.Rack)
			}
			what, least := "the openings there take", ""
			if at == catalog.AtManager {
				what = "its cable managers take"
			}
			if e.Bare > 0 {
				least = fmt.Sprintf(", without the %d of no stated diameter", e.Bare)
			}
			v.Add(RuleEntry, room.Name(int(e.Rack)), "%s through its %s have a cross-section of %v%s, %s %v: %v too "+
				"much", english.Count(e.Cables, "cable"), e.At, e.Area, least, what, inArea(limit),
				inArea(e.area-limit))
		}
	}
	return narrow
}

// checkBend holds the least bend radii of cables against the radius to which a rack lets them bend, 0 where it is not
// known.
func (v *Violations) checkBend(room *layout.Room, e *Entry, at catalog.OpeningAt, most units.Length) {
	if most == 0 || e.Bend <= most+1e-6 {
		return
	}
	where := "the openings there"
	if at == catalog.AtManager {
		where = "its cable managers"
	}
	v.Add(RuleEntry, room.Name(int(e.Rack)), "some of the %s through its %s bend no tighter than to %s, and %s leave "+
		"%s",
		english.Count(e.Cables, "cable"), e.At, mm(e.Bend), where, mm(most))
}

// OpeningLimit returns the cross-section that cables may have in the openings of a rack at a place, or in its managers;
// 0 where the rack states none there, so that nothing is limited.
func OpeningLimit(rack *catalog.RackSpec, at catalog.OpeningAt) units.Area {
	limit, _ := openingLimits(rack, at)
	return inArea(max(limit, 0))
}

// openingLimits returns what cables may take of the openings of a rack, in areaUnit, -1 where it states none there; and
// the largest radius to which these let cables bend, 0 where one of them does not state it.
func openingLimits(rack *catalog.RackSpec, at catalog.OpeningAt) (limit int64, bend units.Length) {
	limit = -1
	known := true
	for i := range rack.Openings {
		if o := &rack.Openings[i]; o.At == at {
			limit = max(limit, 0) + openingLimit(o)
			known = known && o.Bend > 0
			bend = max(bend, o.Bend)
		}
	}
	if !known {
		bend = 0
	}
	return limit, bend
}

// openingLimit is what cables may take of openings, in areaUnit.
func openingLimit(o *catalog.Opening) int64 {
	fill := cmp.Or(float64(o.Fill)/100, DefaultTrayFill)
	return int64(math.Floor(float64(o.Width)*float64(o.Depth)/areaUnit*fill)) * int64(max(o.Count, 1))
}
