package spec

import "github.com/plenum-planner/plenum/layout"

// doubly are the keys of room that cannot be combined with a list of racks, which says the same, with whether they are
// given.
func (r *Room) doubly() map[string]bool {
	return map[string]bool{
		"rows": !r.Rows.IsZero(), "racks_per_row": r.RacksPerRow != 0, "gaps": r.Gaps != nil, "halls": r.Halls != nil,
	}
}

// Doubly reports whether a key is given that cannot be combined with a list of racks (rows, racks_per_row, gaps,
// halls).
func (r *Room) Doubly() bool {
	for _, given := range r.doubly() {
		if given {
			return true
		}
	}
	return false
}

// checkRackList refuses what a list of racks says already.
func (s *Spec) checkRackList(report Reporter) {
	if s.Room.RackList == "" {
		return
	}
	for key, given := range s.Room.doubly() {
		if given {
			report("room."+key, "cannot be combined with room.rack_list, which says where every rack stands\n"+
				"remove one of them")
		}
	}
}

// SetListed has the spec know the rows, positions and names of the list of racks, for Named.
func (s *Spec) SetListed(room *layout.RoomSpec) { s.listed = room }

// Named returns a copy of the room that has what the names of rows and positions depend on: of Room.Rows, or of the
// list of racks once it has been read.
func (s *Spec) Named() *layout.RoomSpec {
	if s.listed == nil {
		return s.Room.Named()
	}
	named := *s.listed
	return &named
}
