package spec

import "github.com/plenum-planner/plenum/layout"

// doubly are the keys that say what a list of racks says, with whether they are given.
func (r *Room) doubly() map[string]bool {
	return map[string]bool{
		"rows": !r.Rows.IsZero(), "racks_per_row": r.RacksPerRow != 0, "gaps": r.Gaps != nil, "halls": r.Halls != nil,
	}
}

// Doubly reports whether something else says too what the list of racks says.
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

// SetListed has the spec know the rows, positions and names of the list of racks.
func (s *Spec) SetListed(room *layout.RoomSpec) { s.listed = room }

// Named is the room as far as its positions have names.
func (s *Spec) Named() *layout.RoomSpec {
	if s.listed == nil {
		return s.Room.Named()
	}
	named := *s.listed
	return &named
}
