package spec

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

func (s *Spec) checkRoom(report Reporter) {
	r := &s.Room
	if len(r.Containers) > 0 {
		s.checkContainers(report)
		return
	}
	s.checkRackTypes(report)
	s.checkRackList(report)
	s.checkRows(report)
	longest := r.longest()
	for i, g := range r.Gaps {
		at := diag.Elem("room.gaps", i) + ".after"
		if longest > 0 && g.After >= longest {
			report(at, "no rack follows position %d of %d", g.After, longest)
		}
		if i > 0 && g.After <= r.Gaps[i-1].After {
			report(at, "%d comes after %d\nlist the gaps in ascending order", g.After, r.Gaps[i-1].After)
		}
		if g.Width == 0 {
			report(diag.Elem("room.gaps", i)+".width", "the width is zero")
		}
	}
	s.checkDrawing(report)
	s.checkWalls(report)
	for i, c := range r.Columns {
		if c.Width == 0 {
			report(diag.Elem("room.columns", i)+".width", "the width is zero")
		}
		if c.Depth == 0 {
			report(diag.Elem("room.columns", i)+".depth", "the depth is zero")
		}
	}
	if t := r.Tile; t != nil {
		if width, depth := t.Size(); width == 0 {
			report("room.tile.width", "the width is zero")
		} else if depth == 0 {
			report("room.tile.depth", "the depth is zero")
		}
	}
	for i, a := range r.KeepOuts {
		checkArea(report, diag.Elem("room.keep_outs", i)+".points", a.Points)
	}
	s.checkTrays(report)
	if r.RackList == "" {
		s.checkPositions(report)
	}
}

// longest is the number of positions of the longest row, 0 where it is not given.
func (r *Room) longest() int {
	if r.Rows.List == nil {
		return r.RacksPerRow
	}
	most := 0
	for _, l := range r.layoutRows() {
		most = max(most, l.Racks)
	}
	return most
}

// checkContainers checks containers, which leave no place for what is said about racks.
func (s *Spec) checkContainers(report Reporter) {
	r := &s.Room
	for key, given := range map[string]bool{
		"rows": !r.Rows.IsZero(), "racks_per_row": r.RacksPerRow != 0, "rack": r.Rack != "",
		"rack_types": r.RackTypes != nil, "rack_list": r.RackList != "",
		"cold_aisle": r.ColdAisle != nil, "hot_aisle": r.HotAisle != nil, "aisle_clear": r.AisleClear != nil,
		"facing": r.Facing != "",
		"gaps":   r.Gaps != nil, "margin": r.Margin != nil, "columns": r.Columns != nil,
		"width": r.Width != nil, "depth": r.Depth != nil, "doors": r.Doors != nil, "floor_load": r.FloorLoad != 0,
		"row_power": r.RowPower != 0, "row_weight": r.RowWeight != 0,
		"keep_outs": r.KeepOuts != nil, "trays": !reflect.ValueOf(r.Trays).IsZero(), "halls": r.Halls != nil,
		"feeds": r.Feeds != nil, "loops": r.Loops != nil, "row_air": r.RowAir != 0,
		"drawing": r.Drawing != nil, "tile": r.Tile != nil,
	} {
		if given {
			report("room."+key, "cannot be combined with room.containers\nremove one of them")
		}
	}
	for _, b := range s.Packaging.boxes() {
		for key, given := range map[string]bool{
			"chassis": b.Chassis != "", "place": b.Place != "", "racks": b.Racks != "", "units": b.Units != nil,
			"per_rack": b.PerRack != 0,
		} {
			if given {
				report(b.path()+"."+key, "containers have no racks\nremove it")
			}
		}
	}
	if len(s.Packaging.Chassis) > 0 {
		report("packaging.chassis", "containers have no racks for chassis\ndescribe them as containers")
	}
	if s.Cabling.Route == Tray {
		report("cabling.route", "containers have no trays\nchoose manhattan or direct")
	}
	seen := map[string]bool{}
	outer := -1 // the innermost of the levels so far that is a hall, a row or a rack
	for i, c := range r.Containers {
		at := diag.Elem("room.containers", i)
		if c.Is != "" {
			if outer >= 0 {
				s.checkRole(report, at+".is", c.Is, &r.Containers[outer])
			}
			outer = i
		}
		if c.Name == "" || seen[c.Name] {
			report(at+".name", "every container needs a name of its own")
		}
		seen[c.Name] = true
		checkAxes(report, at+".count", at+".pitch", cmp.Or(len(c.Count), 3), c.Pitch)
		if e := s.Embedding.Strategy; c.Count == nil && e != "" && e != embed.Auto && e != embed.Cubes {
			report(at+".count", "missing\ngive it, or choose strategy cubes")
		}
		if c.Gap != 0 && c.Pitch != nil {
			report(at+".gap", "cannot be combined with a pitch\nremove one of them")
		}
		checkFill(report, at+".fill", c.Fill)
		if i < len(r.Containers)-1 {
			continue
		}
		if c.Fitted() != [3]bool{} {
			report(at+".pitch", "the innermost level holds boxes, and how far apart these have to be is not known "+
				"from their cables\nwrite a length")
		}
		if c.Fill != 0 {
			report(at+".fill", "the innermost level holds boxes, between which no gaps are known\nremove it")
		}
	}
}

// checkRole refuses a level that has the role of a level around it, or the role of what stands around that.
func (s *Spec) checkRole(report Reporter, path string, is layout.Role, outer *Container) {
	switch {
	case is == outer.Is:
		report(path, "container %s is a %s already, and this level is inside it\nat most one level is a %s",
			outer.Name, is, is)
	case slices.Index(layout.Roles, is) < slices.Index(layout.Roles, outer.Is):
		report(path, "a %s inside container %s, which is a %s\na rack stands in a row, and a row in a hall", is,
			outer.Name, outer.Is)
	}
}

func checkArea(report Reporter, path string, points [][]units.Length) {
	if len(points) < 3 {
		report(path, "an area has at least three corners, not %d", len(points))
	}
	for i, p := range points {
		if len(p) != 2 {
			report(diag.Elem(path, i), "a corner has two coordinates, not %d\nwrite [x, y]", len(p))
		}
	}
}
